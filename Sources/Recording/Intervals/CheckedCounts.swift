extension KeyedDecodingContainer {
    /// Decodes a count small enough for sums over any number of records; a missing one is 0.
    ///
    /// - Throws: `DecodingError` for a negative count or one that no run can reach.
    package func count(_ key: Key) throws -> Int {
        let count = try decodeIfPresent(Int.self, forKey: key) ?? 0
        guard count >= 0, count < 1 << 48 else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no count: \(count)")
        }
        return count
    }
}
