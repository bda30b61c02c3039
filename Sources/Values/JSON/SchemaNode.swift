/// JSON Schema (draft 2020-12), its members in written order.
package indirect enum SchemaNode: Sendable {
    case text(String)
    /// Digits as written.
    case number(String)
    case boolean(Bool)
    case list([SchemaNode])
    case members([(name: String, value: SchemaNode)])

    package static func type(_ name: String) -> SchemaNode { .members([("type", .text(name))]) }

    package static func reference(_ definition: String) -> SchemaNode {
        .members([("$ref", .text("#/$defs/\(definition)"))])
    }

    package static func choice(_ names: [String]) -> SchemaNode { .members([("enum", .list(names.map { .text($0) }))]) }

    package static func having(_ names: String...) -> SchemaNode {
        .members([("required", .list(names.map { .text($0) }))])
    }

    /// Each field needs another beside it.
    package static func dependent(_ needs: [(name: String, on: String)]) -> SchemaNode {
        .members(needs.map { ($0.name, .list([.text($0.on)])) })
    }

    package static func pattern(_ pattern: String) -> SchemaNode { type("string").with("pattern", .text(pattern)) }

    package static func list(of items: SchemaNode) -> SchemaNode { type("array").with("items", items) }

    package static func mapping(to values: SchemaNode) -> SchemaNode {
        type("object").with("additionalProperties", values)
    }

    package static func oneOf(_ schemas: [SchemaNode]) -> SchemaNode { .members([("oneOf", .list(schemas))]) }

    package func with(_ name: String, _ value: SchemaNode?) -> SchemaNode {
        guard case .members(let members) = self, let value else { return self }
        return .members(members + [(name, value)])
    }

    package func json(indentedBy indent: String = "") -> String {
        let inner = indent + "  "
        func block(_ lines: [String], _ opening: String, _ closing: String) -> String {
            guard !lines.isEmpty else { return opening + closing }
            let body = lines.map { inner + $0 }.joined(separator: ",\n")
            return "\(opening)\n\(body)\n\(indent)\(closing)"
        }
        switch self {
        case .text(let text): return Self.quoted(text)
        case .number(let text): return text
        case .boolean(let isTrue): return String(isTrue)
        case .list(let items): return block(items.map { $0.json(indentedBy: inner) }, "[", "]")
        case .members(let members):
            return block(members.map { "\(Self.quoted($0.name)): \($0.value.json(indentedBy: inner))" }, "{", "}")
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
