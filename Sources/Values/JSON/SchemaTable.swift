package import Foundation

/// Table of a document's members, one line each, from which its JSON Schema is generated.
///
/// The first line is the title and the second the description of the document. The others are `NAME FORM: DESCRIPTION`. Members
/// of an object are indented by two spaces more, and so is `*`, the elements of a list or map. An optional member has a `?`
/// after its name. Forms are:
///
/// - `boolean`, `text`, `integer`, `number`, `null`, or two of them with `or` between; `count` is an integer from 0 on. A range
///   such as `0...100` may follow, for a text of its length, and a pattern such as `/^[a-z]+$/`.
/// - `= VALUE`, or the allowed values with ` | ` between.
/// - `object`; `list`, with a range of its length; `map`. `of FORM` saves the line of elements, `by NAME | NAME` limits the
///   names of a map.
/// - `#NAME` for a line below `$defs`, `#/properties/NAME` for a line of the document.
package enum SchemaTable {
    package struct Mistake: Error, CustomStringConvertible {
        var line: String
        package var description: String { "invalid line of a schema table: '\(line)'" }
    }

    package static func json(at file: URL) throws -> Data {
        Data(try json(of: String(contentsOf: file, encoding: .utf8)).utf8)
    }

    /// Throws `Mistake`.
    package static func json(of table: String) throws -> String {
        var lines = table.split(separator: "\n")[...]
        guard let title = lines.popFirst(), let description = lines.popFirst() else { throw Mistake(line: table) }
        var rows = try SchemaRow.all(in: &lines, indent: 0)
        if let line = lines.first { throw Mistake(line: String(line)) }
        let definitions = rows.last?.name == "$defs" ? rows.removeLast().rows : []
        let head: [SchemaRow.Member] = [
            ("$schema", .text("https://json-schema.org/draft/2020-12/schema")), ("title", .text(String(title))),
            ("description", .text(String(description))),
        ]
        let schema = SchemaNode.members(head + (try SchemaRow.object(rows)))
        let defined: [SchemaRow.Member] = try definitions.map { ($0.name, try $0.schema) }
        return schema.with("$defs", defined.isEmpty ? nil : .members(defined)).json() + "\n"
    }
}

private struct SchemaRow {
    typealias Member = (name: String, value: SchemaNode)

    var name: String
    var isOptional = false
    var form: Substring
    var description: String?
    var rows: [SchemaRow] = []

    static func all(in lines: inout ArraySlice<Substring>, indent: Int) throws -> [SchemaRow] {
        var rows: [SchemaRow] = []
        while let line = lines.first, line.prefix(while: { $0 == " " }).count == indent {
            lines.removeFirst()
            var row = SchemaRow(line.dropFirst(indent))
            row.rows = try all(in: &lines, indent: indent + 2)
            rows.append(row)
        }
        return rows
    }

    private init(_ line: Substring) {
        let colon = line.firstRange(of: ": ")
        description = colon.map { String(line[$0.upperBound...]) }
        let words = line[..<(colon?.lowerBound ?? line.endIndex)].split(separator: " ", maxSplits: 1)
        let name = words.first ?? ""
        isOptional = name.hasSuffix("?")
        self.name = String(isOptional ? name.dropLast() : name)
        form = words.dropFirst().first ?? ""
    }

    private init(element form: Substring) { (name, self.form) = ("*", form) }

    static func object(_ rows: [SchemaRow]) throws -> [Member] {
        let required = rows.filter { !$0.isOptional }.map { SchemaNode.text($0.name) }
        let properties: [Member] = try rows.map { ($0.name, try $0.schema) }
        return [("type", .text("object")), ("additionalProperties", .boolean(false))]
            + (required.isEmpty ? [] : [("required", .list(required))]) + [("properties", .members(properties))]
    }

    var schema: SchemaNode {
        get throws { .members((description.map { [("description", .text($0))] } ?? []) + (try members())) }
    }

    private func members() throws -> [Member] {
        var words = form.split(separator: " ")[...]
        let kind = words.popFirst() ?? ""
        guard rows.isEmpty || ["object", "list", "map"].contains(kind) else { throw mistake }
        switch kind {
        case "object": return try Self.object(rows)
        case "list":
            let range = Self.range(&words, "Items")
            return [("type", .text("array"))] + range + [("items", try element(words))]
        case "map":
            let names = words.firstIndex(of: "by").map { words[($0 + 1)...].filter { $0 != "|" }.map(String.init) }
            let allowed: [Member] = names.map { [("propertyNames", .choice($0))] } ?? []
            let values = try element(words.prefix { $0 != "by" })
            return [("type", .text("object"))] + allowed + [("additionalProperties", values)]
        case "=": return [("const", Self.value(words.joined(separator: " ")))]
        case _ where words.first == "|":
            return [("enum", .list(form.split(separator: " ").filter { $0 != "|" }.map { Self.value(String($0)) }))]
        case _ where kind.hasPrefix("#"):
            return [("$ref", .text(kind.hasPrefix("#/") ? String(kind) : "#/$defs/\(kind.dropFirst())"))]
        default: return try scalar(kind, words)
        }
    }

    private func element(_ words: ArraySlice<Substring>) throws -> SchemaNode {
        if words.first == "of", rows.isEmpty {
            return try SchemaRow(element: Substring(words.dropFirst().joined(separator: " "))).schema
        }
        guard words.isEmpty, rows.count == 1, rows[0].name == "*" else { throw mistake }
        return try rows[0].schema
    }

    private func scalar(_ kind: Substring, _ rest: ArraySlice<Substring>) throws -> [Member] {
        var words = rest
        if words.first == "or" { return [("type", .list([try type(kind), try type(words.last ?? "")]))] }
        let atLeast: [Member] = kind == "count" ? [("minimum", .number("0"))] : []
        let range = Self.range(&words, kind == "text" ? "Length" : "imum")
        var pattern: [Member] = []
        if let word = words.popFirst() {
            guard word.count > 1, word.hasPrefix("/"), word.hasSuffix("/") else { throw mistake }
            pattern = [("pattern", .text(String(word.dropFirst().dropLast())))]
        }
        guard words.isEmpty else { throw mistake }
        return [("type", try type(kind))] + atLeast + range + pattern
    }

    private func type(_ kind: Substring) throws -> SchemaNode {
        switch kind {
        case "boolean", "integer", "number", "null": .text(String(kind))
        case "count": .text("integer")
        case "text": .text("string")
        default: throw mistake
        }
    }

    private var mistake: SchemaTable.Mistake { SchemaTable.Mistake(line: "\(name) \(form)") }

    /// Removes a range such as `0...` from the words.
    private static func range(_ words: inout ArraySlice<Substring>, _ quantity: String) -> [Member] {
        guard let word = words.first, let dots = word.firstRange(of: "...") else { return [] }
        words.removeFirst()
        let bounds = [("min", word[..<dots.lowerBound]), ("max", word[dots.upperBound...])]
        return bounds.filter { !$1.isEmpty }.map { ($0 + quantity, .number(String($1))) }
    }

    private static func value(_ text: String) -> SchemaNode {
        switch text {
        case "true": .boolean(true)
        case _ where Int(text) != nil: .number(text)
        default: .text(text)
        }
    }
}
