import CTexts
import Values

/// Facts of one field of a profile, for the page of fields and `podswarm explain`.
package struct FieldEntry: Sendable, Equatable {
    /// Rule for runs that are compared.
    package enum Comparison: String, Sendable, CaseIterable {
        case equal
        /// May differ.
        case free
        /// Equal schemes of a URL.
        case scheme
        /// Given in both or in neither.
        case presence

        init(_ marks: FieldMarks) {
            if marks.contains(.presence) {
                self = .presence
            } else if marks.contains(.scheme) {
                self = .scheme
            } else {
                self = marks.isDisjoint(with: [.free, .undigested]) ? .equal : .free
            }
        }
    }

    /// Fields of a list's items stand below the list's name, without an index.
    package private(set) var path: String
    package let kind: String
    /// Default as a profile spells it; nil without one.
    package let usual: String?
    /// Empty for any value of the kind.
    package let allowed: String
    package let meaning: String
    package let isRequired: Bool
    package private(set) var comparison: Comparison
    /// Mapping with the same fields at several places.
    package let definition: String?

    func below(_ parent: FieldEntry) -> FieldEntry {
        var entry = self
        entry.path = "\(parent.path).\(path)"
        if parent.comparison == .free { entry.comparison = .free }
        return entry
    }
}

/// Meanings of the fields in `fields.txt`, by the type of their mapping and their name.
enum FieldTexts {
    static let all: [String: String] = {
        var texts: [String: String] = [:]
        let lines = String(cString: podswarm_fields()).split(separator: "\n", omittingEmptySubsequences: false)
        for block in lines.drop(while: { $0.hasPrefix("#") }).split(whereSeparator: \.isEmpty) {
            for type in block[block.startIndex].split(separator: " ") {
                for line in block.dropFirst() {
                    let name = line.prefix { $0 != ":" }
                    texts["\(type).\(name)"] = String(line.dropFirst(name.count + 2))
                }
            }
        }
        return texts
    }()
}

extension SchemaNode {
    private static let kinds = [
        "array": "list", "boolean": "boolean", "integer": "whole number", "number": "number", "object": "mapping",
        "string": "text",
    ]
    private static let scalars = ["duration", "share", "size", "text"]

    /// Kind of value in words, such as `duration` or `word or mapping`.
    var kind: String {
        guard case .members(let members) = self else { return "" }
        let values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        if case .text(let reference)? = values["$ref"] {
            return Self.scalars.first { reference.hasSuffix("/\($0)") } ?? "mapping"
        }
        if case .text(let type)? = values["type"] { return Self.kinds[type] ?? type }
        if case .text(let constant)? = values["const"] { return constant }
        if values["enum"] != nil { return "word" }
        guard case .list(let choices)? = values["oneOf"] else { return "text" }
        return choices.map(\.kind).reduce(into: [String]()) { known, kind in
            if !known.contains(kind) { known.append(kind) }
        }.joined(separator: " or ")
    }
}
