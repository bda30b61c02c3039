import Foundation
import Values

/// Decodes a document's type from its JSON Schema alone, and notes members that differ.
///
/// Each member gets a value that the schema allows, each list one element, and each map one entry or those that are named.
struct SchemaProbe: Decoder {
    private final class Notes {
        var differences: [String] = []
        /// Paths of the schema's members that the type has not asked for, or asked for as optional.
        var (unread, optional): (Set<String>, Set<String>) = ([], [])
    }

    private typealias Node = [String: Any]

    private let schema: Node
    private let notes: Notes
    private let node: Node
    private let path: String
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(_ node: Any?, of schema: Node, at path: String, _ notes: Notes) {
        var node = node as? Node ?? [:]
        if let reference = node["$ref"] as? String { node = Self.target(of: reference, in: schema) }
        (self.schema, self.notes, self.node, self.path) = (schema, notes, node, path)
    }

    private static func target(of reference: String, in schema: Node) -> Node {
        reference.split(separator: "/").dropFirst().reduce(schema) { $0[String($1)] as? Node ?? [:] }
    }

    /// Compares names, optional members, kinds and enumerations.
    static func differences<Document: Decodable>(of type: Document.Type, from json: Data) throws -> [String] {
        let schema = try JSONSerialization.jsonObject(with: json) as? Node ?? [:]
        let notes = Notes()
        _ = try SchemaProbe(schema, of: schema, at: "", notes).value(of: type)
        return notes.differences + notes.unread.sorted().map { "\($0): not in the type" }
    }

    /// Paths of members that have no description, and no definition that has one.
    static func undescribedMembers(of json: Data) throws -> [String] {
        let schema = try JSONSerialization.jsonObject(with: json) as? Node ?? [:]
        func members(_ node: Node, at path: String) -> [String] {
            var paths: [String] = []
            for (name, member) in (node["properties"] as? Node ?? [:]).sorted(by: { $0.key < $1.key }) {
                let member = member as? Node ?? [:]
                let definition = (member["$ref"] as? String).map { target(of: $0, in: schema) }
                if member["description"] == nil, definition?["description"] == nil { paths.append("\(path).\(name)") }
                paths += members(member, at: "\(path).\(name)")
            }
            let elements = ["items", "additionalProperties"].compactMap { node[$0] as? Node }
            return paths + elements.flatMap { members($0, at: path + ".*") }
        }
        let definitions = (schema["$defs"] as? Node ?? [:]).sorted { $0.key < $1.key }
        return members(schema, at: "") + definitions.flatMap { members($1 as? Node ?? [:], at: "$defs.\($0)") }
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard node["type"] as? String == "object" else { throw mismatch }
        return KeyedDecodingContainer(Members(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard node["type"] as? String == "array" else { throw mismatch }
        return Elements(probe: SchemaProbe(node["items"], of: schema, at: path + ".*", notes))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(probe: self) }

    private var mismatch: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "\(path): not what the schema allows"))
    }

    private func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        let choices = node["enum"] as? [Any] ?? []
        if !choices.isEmpty, let cases = type as? any CaseIterable.Type,
            Set(Self.names(of: cases)) != Set(choices.map { "\($0)" })
        {
            notes.differences.append("\(path): other values than \(Self.names(of: cases))")
        }
        let values = try choices.map { try Value(from: SchemaProbe(["const": $0], of: schema, at: path, notes)) }
        return try values.first ?? Value(from: self)
    }

    private static func names<Cases: CaseIterable>(of _: Cases.Type) -> [String] {
        Cases.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }

    private func scalar<Value>() -> Value? {
        let types = node["type"] as? [String] ?? [node["type"] as? String ?? ""]
        let number = node["const"] as? Int ?? node["minimum"] as? Int ?? 1
        let isNumber = node["const"] is Int || types.contains { $0 == "integer" || $0 == "number" }
        switch Value.self {
        case is String.Type: return (node["const"] as? String ?? (types == ["string"] ? "text" : nil)) as? Value
        case is Bool.Type: return types == ["boolean"] || node["const"] as? Bool == true ? true as? Value : nil
        case is Double.Type: return isNumber ? Double(number) as? Value : nil
        case let type as any FixedWidthInteger.Type:
            return isNumber && types != ["number"] ? type.init(clamping: number) as? Value : nil
        default: return nil
        }
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: SchemaProbe
        let properties: Node
        let codingPath: [any CodingKey] = []
        /// Keys of a dictionary are names themselves.
        let isDictionary = Key(stringValue: "\u{0}") != nil

        init(_ probe: SchemaProbe) {
            (self.probe, properties) = (probe, probe.node["properties"] as? Node ?? [:])
            probe.notes.unread.formUnion(properties.keys.map { "\(probe.path).\($0)" })
        }

        var allKeys: [Key] {
            let names = (probe.node["propertyNames"] as? Node)?["enum"] as? [String]
            let known = properties.isEmpty ? names ?? ["*"] : properties.keys.sorted()
            return isDictionary ? known.compactMap { Key(stringValue: $0) } : []
        }

        private func member(_ key: Key) -> (name: String, path: String, node: Any?) {
            let name = isDictionary ? key.stringValue : MemberName.of(key.stringValue)
            let path = "\(probe.path).\(name)"
            probe.notes.unread.remove(path)
            return (name, path, properties[name] ?? probe.node["additionalProperties"] as? Node)
        }

        func contains(_ key: Key) -> Bool {
            let (_, path, node) = member(key)
            if node == nil { probe.notes.differences.append("\(path): not in the schema") }
            return node != nil
        }

        func decodeNil(forKey key: Key) -> Bool {
            probe.notes.optional.insert(member(key).path)
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let (name, path, member) = member(key)
            guard let node = member else {
                let problem = "\(path): not in the schema"
                throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: problem))
            }
            let isRequired = (probe.node["required"] as? [String] ?? []).contains(name)
            if !isDictionary, isRequired == probe.notes.optional.contains(path) {
                probe.notes.differences.append("\(path): \(isRequired ? "optional" : "not optional") in the type")
            }
            return try SchemaProbe(node, of: probe.schema, at: path, probe.notes).value(of: type)
        }

        func nestedContainer<Nested>(keyedBy _: Nested.Type, forKey _: Key) throws -> KeyedDecodingContainer<Nested> {
            throw probe.mismatch
        }
        func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer { throw probe.mismatch }
        func superDecoder() throws -> any Decoder { throw probe.mismatch }
        func superDecoder(forKey _: Key) throws -> any Decoder { throw probe.mismatch }
    }

    private struct Elements: UnkeyedDecodingContainer {
        let probe: SchemaProbe
        var currentIndex = 0
        let count: Int? = 1
        let codingPath: [any CodingKey] = []
        var isAtEnd: Bool { currentIndex == 1 }

        mutating func decodeNil() -> Bool { false }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            return try probe.value(of: type)
        }

        mutating func nestedContainer<Nested>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
            throw probe.mismatch
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw probe.mismatch }
        mutating func superDecoder() throws -> any Decoder { throw probe.mismatch }
    }

    private struct Single: SingleValueDecodingContainer {
        let probe: SchemaProbe
        let codingPath: [any CodingKey] = []

        func decodeNil() -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            if let value: Value = probe.scalar() { return value }
            let isScalar = type is String.Type || type is Bool.Type || type is Double.Type
            guard !isScalar, !(type is any FixedWidthInteger.Type) else { throw probe.mismatch }
            return try Value(from: probe)
        }
    }
}
