package import Foundation

/// Writes podswarm's own documents, with member names by `MemberName`.
package struct DocumentEncoding: Sendable {
    package var formatting: JSONEncoder.OutputFormatting
    private let isOfJournal: Bool

    package init(_ formatting: JSONEncoder.OutputFormatting = [], isOfJournal: Bool = false) {
        (self.formatting, self.isOfJournal) = (formatting, isOfJournal)
    }

    /// Omits empty members, which a reader restores (`EmptyWhereMissing`), and spells numbers that are not finite: one must not
    /// cost a journal its interval.
    package static let journal = DocumentEncoding(.withoutEscapingSlashes, isOfJournal: true)

    /// Throws `EncodingError` for a number that is not finite, except for a journal.
    package func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        if isOfJournal {
            encoder.nonConformingFloatEncodingStrategy =
                .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return try encoder.encode(EncodedValue(value: value, leavesOutEmpty: isOfJournal))
    }
}

/// A journal may omit an empty value, because a missing one is read as empty.
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

        /// Writes an empty value too, which differs from nil.
        private mutating func keep(_ value: (some Encodable)?, _ key: Key) throws {
            guard let value else { return }
            try base.encode(EncodedValue(value: value, leavesOutEmpty: leavesOutEmpty), forKey: member(key))
        }

        mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
            try keep(value, key)
        }
        // The standard library's methods for these types would omit empty values.
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

        // No document asks for these, here and below.
        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            base.nestedUnkeyedContainer(forKey: member(key))
        }
        mutating func superEncoder() -> any Encoder { base.superEncoder() }
        mutating func superEncoder(forKey key: Key) -> any Encoder { base.superEncoder(forKey: member(key)) }
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

        mutating func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            base.nestedContainer(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { base.nestedUnkeyedContainer() }
        mutating func superEncoder() -> any Encoder { base.superEncoder() }
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

/// Reads documents that `DocumentEncoding` or another program wrote with its member names.
package struct DocumentDecoding: Sendable {
    private let isOfJournal: Bool

    package init(isOfJournal: Bool = false) { self.isOfJournal = isOfJournal }

    /// Gives a missing member its type's empty value (`EmptyWhereMissing`), and reads spelt numbers that are not finite.
    package static let journal = DocumentDecoding(isOfJournal: true)

    /// Throws `DecodingError`, whose path has the document's member names.
    package func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
        try decode(from: json) { try checked(Value(from: $0), $0) }
    }

    package func decode<Value>(from json: Data, _ read: (any Decoder) throws -> Value) throws -> Value {
        let decoder = JSONDecoder()
        if isOfJournal {
            decoder.nonConformingFloatDecodingStrategy =
                .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return try withoutActuallyEscaping(read) { read in
            try decoder.decode(Document<Value>.self, from: json, configuration: (read, isOfJournal)).value
        }
    }

    private struct Document<Value>: DecodableWithConfiguration {
        let value: Value

        init(from decoder: any Decoder, configuration: ((any Decoder) throws -> Value, Bool)) throws {
            value = try configuration.0(DocumentDecoder(base: decoder, isLenient: configuration.1))
        }
    }
}

/// Has members that must be consistent, which a damaged journal may violate.
package protocol CheckedWhenRead {
    /// nil if the value is consistent.
    var problem: String? { get }
}

private func checked<Value>(_ value: Value, _ decoder: any Decoder) throws -> Value {
    guard let problem = (value as? any CheckedWhenRead)?.problem else { return value }
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
}

private struct DecodedValue<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration isLenient: Bool) throws {
        value = try checked(Value(from: DocumentDecoder(base: decoder, isLenient: isLenient)), decoder)
    }
}

private struct DocumentDecoder: Decoder {
    let base: any Decoder
    let isLenient: Bool
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let members = try base.container(keyedBy: Member.self)
        return KeyedDecodingContainer(Members(base: members, isLenient: isLenient))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        Elements(base: try base.unkeyedContainer(), isLenient: isLenient)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(base: try base.singleValueContainer(), decoder: self)
    }

    struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let base: KeyedDecodingContainer<Member>
        let isLenient: Bool
        let member = MemberNaming<Key>()
        var codingPath: [any CodingKey] { base.codingPath }
        /// Without properties that have a unit or an extreme: their names are not known.
        var allKeys: [Key] { base.allKeys.compactMap { Key(stringValue: member.property(of: $0)) } }

        func contains(_ key: Key) -> Bool { base.contains(member(key)) }

        func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: member(key)) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let member = member(key)
            guard base.contains(member) else { return try missing(member) }
            if isPlain(Value.self) { return try base.decode(Value.self, forKey: member) }
            return try base.decode(DecodedValue<Value>.self, forKey: member, configuration: isLenient).value
        }

        private func missing<Value>(_ member: Member) throws -> Value {
            if isLenient, let type = Value.self as? any EmptyWhereMissing.Type,
                let empty = type.init() as? Value
            {
                return empty
            }
            throw DecodingError.keyNotFound(member, .init(codingPath: codingPath, debugDescription: "missing"))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            let nested = try base.nestedContainer(keyedBy: Member.self, forKey: member(key))
            return KeyedDecodingContainer(Members<Nested>(base: nested, isLenient: isLenient))
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try base.nestedUnkeyedContainer(forKey: member(key))
        }
        func superDecoder() throws -> any Decoder { try base.superDecoder() }
        func superDecoder(forKey key: Key) throws -> any Decoder { try base.superDecoder(forKey: member(key)) }
    }

    struct Elements: UnkeyedDecodingContainer {
        var base: any UnkeyedDecodingContainer
        let isLenient: Bool
        var codingPath: [any CodingKey] { base.codingPath }
        var count: Int? { base.count }
        var isAtEnd: Bool { base.isAtEnd }
        var currentIndex: Int { base.currentIndex }

        mutating func decodeNil() throws -> Bool { try base.decodeNil() }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            if isPlain(Value.self) { return try base.decode(Value.self) }
            return try base.decode(DecodedValue<Value>.self, configuration: isLenient).value
        }

        mutating func nestedContainer<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try base.nestedContainer(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try base.nestedUnkeyedContainer()
        }
        mutating func superDecoder() throws -> any Decoder { try base.superDecoder() }
    }

    struct Single: SingleValueDecodingContainer {
        let base: any SingleValueDecodingContainer
        let decoder: DocumentDecoder
        var codingPath: [any CodingKey] { base.codingPath }

        func decodeNil() -> Bool { base.decodeNil() }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            isPlain(Value.self) ? try base.decode(Value.self) : try Value(from: decoder)
        }
    }
}
