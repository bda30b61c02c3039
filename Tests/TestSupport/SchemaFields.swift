import Foundation
import Testing

/// Paths of the fields of Profiles/profile.schema.json; entries of a list are named by the list, without an index.
package struct SchemaFields {
    package private(set) var paths: Set<String> = []

    package init() throws {
        let text = try PackageFolder.text("Profiles/profile.schema.json")
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        read(schema, at: [], definitions: schema["$defs"] as? [String: Any] ?? [:])
    }

    package func contains(_ path: String) -> Bool { paths.contains(path) }

    private mutating func read(_ node: Any?, at path: [String], definitions: [String: Any]) {
        guard let node = node as? [String: Any], path.count < 12 else { return }
        if let reference = (node["$ref"] as? String)?.split(separator: "/").last {
            read(definitions[String(reference)], at: path, definitions: definitions)
        }
        for key in ["oneOf", "anyOf", "allOf"] {
            for choice in node[key] as? [Any] ?? [] { read(choice, at: path, definitions: definitions) }
        }
        read(node["items"], at: path, definitions: definitions)
        for (name, field) in node["properties"] as? [String: Any] ?? [:] {
            let own = path + [name]
            paths.insert(own.joined(separator: "."))
            read(field, at: own, definitions: definitions)
        }
    }
}
