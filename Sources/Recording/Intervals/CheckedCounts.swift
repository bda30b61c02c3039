extension KeyedDecodingContainer {
    /// A count that sums over any number of records cannot overflow; absent means 0.
    ///
    /// - Throws: `DecodingError` for a negative one or one that no run can reach.
    package func count(_ key: Key) throws -> Int {
        let count = try decodeIfPresent(Int.self, forKey: key) ?? 0
        guard count >= 0, count < 1 << 48 else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no count: \(count)")
        }
        return count
    }

    /// One count for each place of a persona, always `PersonaTallies.limit` of them; absent means all 0.
    ///
    /// - Throws: `DecodingError` for another number of them, or one that no run can reach.
    package func personaViewers(_ key: Key) throws -> [UInt64] {
        let none = [UInt64](repeating: 0, count: PersonaTallies.limit)
        let counts = try decodeIfPresent([UInt64].self, forKey: key) ?? none
        guard counts.count == PersonaTallies.limit, counts.allSatisfy({ $0 < 1 << 48 }) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no counts: \(counts)")
        }
        return counts
    }

    /// A distribution at three digits, as all sums and intervals have; absent means nothing.
    ///
    /// - Throws: `DecodingError` for a coarser one, which its exact extremes would not fit once it is added.
    func distribution(_ key: Key) throws -> SparseHistogram {
        let histogram = try decodeIfPresent(SparseHistogram.self, forKey: key) ?? SparseHistogram(digits: .three)
        guard histogram.digits == .three else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not three digits")
        }
        return histogram
    }

    /// See `count(_:)`.
    func largeCount(_ key: Key) throws -> UInt64 { UInt64(try count(key)) }
}
