import Values

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

/// Dictionary encoded in the order of its keys, so that equal ones have equal bytes.
@propertyWrapper
package struct InOrder<Key: Hashable & Comparable & Codable & Sendable, Value: Codable & Equatable & Sendable>:
    Equatable, Sendable
{
    package var wrappedValue: [Key: Value]

    package init(wrappedValue: [Key: Value]) { self.wrappedValue = wrappedValue }
}

extension InOrder: Codable, EmptyWhereMissing {
    private struct Entry: Codable {
        var key: Key
        var value: Value
    }

    package init() { wrappedValue = [:] }

    package init(from decoder: any Decoder) throws {
        let entries = try [Entry](from: decoder)
        wrappedValue = Dictionary(entries.map { ($0.key, $0.value) }) { _, last in last }
    }

    package func encode(to encoder: any Encoder) throws {
        try wrappedValue.sorted { $0.key < $1.key }.map(Entry.init).encode(to: encoder)
    }
}
