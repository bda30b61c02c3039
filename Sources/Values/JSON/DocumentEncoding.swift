package import Foundation

/// Writes podswarm's own documents, with member names by `MemberName`.
package struct DocumentEncoding: Sendable {
    package var formatting: JSONEncoder.OutputFormatting
    /// Whether numbers that are not finite are written as text instead of an error.
    package var spellsNonFinite = false
    /// Whether empty members are omitted if a reader restores them: see `EmptyWhereMissing`.
    package var leavesOutEmpty = false

    package init(_ formatting: JSONEncoder.OutputFormatting = []) { self.formatting = formatting }

    /// Settings for journals: short, and a number that is not finite must not cost its interval.
    package static let journal: DocumentEncoding = {
        var encoding = DocumentEncoding(.withoutEscapingSlashes)
        (encoding.spellsNonFinite, encoding.leavesOutEmpty) = (true, true)
        return encoding
    }()

    /// - Throws: `EncodingError` for a number that is not finite, unless `spellsNonFinite`.
    package func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        if spellsNonFinite {
            encoder.nonConformingFloatEncodingStrategy =
                .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return try encoder.encode(EncodedValue(value: value, leavesOutEmpty: leavesOutEmpty))
    }
}

/// Value that a journal may omit if it is empty, because a missing one is read as empty.
package protocol EmptyWhereMissing: Equatable {
    init()
}

extension Bool: EmptyWhereMissing {}
extension Int: EmptyWhereMissing {}
extension Int64: EmptyWhereMissing {}
extension UInt64: EmptyWhereMissing {}
extension String: EmptyWhereMissing {}
extension Array: EmptyWhereMissing where Element: Equatable {}
extension Dictionary: EmptyWhereMissing where Value: Equatable {}

extension EmptyWhereMissing {
    var isLeftOut: Bool { self == Self() }
}

/// Types that JSON has, or that Foundation encodes in its own way.
func isPlain<Value>(_: Value.Type) -> Bool {
    let type: Any.Type = Value.self
    return type == String.self || type == UInt64.self || type == Int.self || type == Double.self || type == Bool.self
        || type == Int64.self || type == UInt32.self || type == Int32.self || type == UInt16.self || type == Int16.self
        || type == UInt8.self || type == Int8.self || type == UInt.self || type == Float.self || type == Data.self
        || type == [UInt32].self || type == [UInt64].self || type == [Int64].self || type == [String].self
}

private struct EncodedValue<Value: Encodable>: Encodable {
    let value: Value
    let leavesOutEmpty: Bool

    func encode(to encoder: any Encoder) throws {
        if isPlain(Value.self) {
            var values = encoder.singleValueContainer()
            try values.encode(value)
        } else {
            try value.encode(to: DocumentEncoder(base: encoder, leavesOutEmpty: leavesOutEmpty))
        }
    }
}

private struct DocumentEncoder: Encoder {
    let base: any Encoder
    let leavesOutEmpty: Bool
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(base: base.container(keyedBy: Member.self), leavesOutEmpty: leavesOutEmpty))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        Elements(base: base.unkeyedContainer(), leavesOutEmpty: leavesOutEmpty)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(base: base.singleValueContainer(), leavesOutEmpty: leavesOutEmpty)
    }

    struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        var base: KeyedEncodingContainer<Member>
        let leavesOutEmpty: Bool
        let member = MemberNaming<Key>()
        var codingPath: [any CodingKey] { base.codingPath }

        mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: member(key)) }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            if leavesOutEmpty, !member.isData, let value = value as? any EmptyWhereMissing, value.isLeftOut { return }
            if isPlain(Value.self) { return try base.encode(value, forKey: member(key)) }
            try base.encode(EncodedValue(value: value, leavesOutEmpty: leavesOutEmpty), forKey: member(key))
        }

        /// Writes an optional that has a value even if the value is empty, so that it differs from nil.
        private mutating func keep(_ value: (some Encodable)?, _ key: Key) throws {
            guard let value else { return }
            try base.encode(EncodedValue(value: value, leavesOutEmpty: leavesOutEmpty), forKey: member(key))
        }

        mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
            try keep(value, key)
        }
        // The standard library declares a separate method for each of these types, which would omit them.
        mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try keep(value, key) }
        mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try keep(value, key) }
        mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try keep(value, key) }
        mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try keep(value, key) }
        mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try keep(value, key) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            let nested = base.nestedContainer(keyedBy: Member.self, forKey: member(key))
            return KeyedEncodingContainer(Members<Nested>(base: nested, leavesOutEmpty: leavesOutEmpty))
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            Elements(base: base.nestedUnkeyedContainer(forKey: member(key)), leavesOutEmpty: leavesOutEmpty)
        }

        mutating func superEncoder() -> any Encoder {
            DocumentEncoder(base: base.superEncoder(), leavesOutEmpty: leavesOutEmpty)
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder {
            DocumentEncoder(base: base.superEncoder(forKey: member(key)), leavesOutEmpty: leavesOutEmpty)
        }
    }

    struct Elements: UnkeyedEncodingContainer {
        var base: any UnkeyedEncodingContainer
        let leavesOutEmpty: Bool
        var codingPath: [any CodingKey] { base.codingPath }
        var count: Int { base.count }

        mutating func encodeNil() throws { try base.encodeNil() }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            if isPlain(Value.self) { return try base.encode(value) }
            try base.encode(EncodedValue(value: value, leavesOutEmpty: leavesOutEmpty))
        }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            let nested = base.nestedContainer(keyedBy: Member.self)
            return KeyedEncodingContainer(Members<Nested>(base: nested, leavesOutEmpty: leavesOutEmpty))
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            Elements(base: base.nestedUnkeyedContainer(), leavesOutEmpty: leavesOutEmpty)
        }

        mutating func superEncoder() -> any Encoder {
            DocumentEncoder(base: base.superEncoder(), leavesOutEmpty: leavesOutEmpty)
        }
    }

    struct Single: SingleValueEncodingContainer {
        var base: any SingleValueEncodingContainer
        let leavesOutEmpty: Bool
        var codingPath: [any CodingKey] { base.codingPath }

        mutating func encodeNil() throws { try base.encodeNil() }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            if isPlain(Value.self) { return try base.encode(value) }
            try base.encode(EncodedValue(value: value, leavesOutEmpty: leavesOutEmpty))
        }
    }
}
