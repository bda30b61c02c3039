package import Foundation

/// Reads documents that `DocumentEncoding` or another program wrote with its member names.
package struct DocumentDecoding: Sendable {
    /// Whether "inf", "-inf" and "nan" are accepted as numbers.
    package var readsNonFinite = false
    /// Whether a missing member gets its type's empty value, if it has one: see `EmptyWhereMissing`.
    package var takesMissingForEmpty = false

    package init() {}

    /// Reads the output of `DocumentEncoding.journal`.
    package static let journal: DocumentDecoding = {
        var decoding = DocumentDecoding()
        (decoding.readsNonFinite, decoding.takesMissingForEmpty) = (true, true)
        return decoding
    }()

    /// - Throws: `DecodingError`, whose path has the document's member names.
    package func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
        try decode(from: json) { decoder in
            let value = try Value(from: decoder)
            try check(value, decoder)
            return value
        }
    }

    package func decode<Value>(from json: Data, _ read: (any Decoder) throws -> Value) throws -> Value {
        let decoder = JSONDecoder()
        if readsNonFinite {
            decoder.nonConformingFloatDecodingStrategy =
                .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return try withoutActuallyEscaping(read) { read in
            try decoder.decode(Document<Value>.self, from: json, configuration: (read, takesMissingForEmpty)).value
        }
    }

    private struct Document<Value>: DecodableWithConfiguration {
        let value: Value

        init(from decoder: any Decoder, configuration: ((any Decoder) throws -> Value, Bool)) throws {
            value = try configuration.0(DocumentDecoder(base: decoder, isLenient: configuration.1))
        }
    }
}

/// Value with members that must be consistent, which a damaged journal may violate.
package protocol CheckedWhenRead {
    /// Why the value is inconsistent; nil if it is not.
    var problem: String? { get }
}

private func check(_ value: Any, _ decoder: any Decoder) throws {
    guard let problem = (value as? any CheckedWhenRead)?.problem else { return }
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
}

private struct DecodedValue<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration isLenient: Bool) throws {
        value = try Value(from: DocumentDecoder(base: decoder, isLenient: isLenient))
        try check(value, decoder)
    }
}

private struct DocumentDecoder: Decoder {
    let base: any Decoder
    /// See `takesMissingForEmpty`.
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
        /// Empty if keys name properties: the property of a member is not known.
        var allKeys: [Key] { member.isData ? base.allKeys.compactMap { Key(stringValue: $0.stringValue) } : [] }

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
            Elements(base: try base.nestedUnkeyedContainer(forKey: member(key)), isLenient: isLenient)
        }

        func superDecoder() throws -> any Decoder {
            DocumentDecoder(base: try base.superDecoder(), isLenient: isLenient)
        }

        func superDecoder(forKey key: Key) throws -> any Decoder {
            DocumentDecoder(base: try base.superDecoder(forKey: member(key)), isLenient: isLenient)
        }
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

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<
            Nested
        > {
            let nested = try base.nestedContainer(keyedBy: Member.self)
            return KeyedDecodingContainer(Members<Nested>(base: nested, isLenient: isLenient))
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            Elements(base: try base.nestedUnkeyedContainer(), isLenient: isLenient)
        }

        mutating func superDecoder() throws -> any Decoder {
            DocumentDecoder(base: try base.superDecoder(), isLenient: isLenient)
        }
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
