import AdServing

/// Finds traits whose values are secrets, from where a profile's texts place them.
///
/// Works on the tree, so that every section counts in any order.
struct SecretTraits {
    /// Mappings whose keys are names on the wire.
    private static let wireMappings: Set<String> = [
        "headers", "adTagParameters", "adsParameters", "manifestParameters", "parameters",
    ]

    private(set) var names: Set<String> = []
    /// Placeholders in the text of each trait.
    private var parts: [String: Set<String>] = [:]

    init(in root: ProfileNode) {
        visit(root, path: [], name: "")
        spread { trait, parts, names in names.contains(trait) ? parts : [] }
        spread { trait, parts, names in parts.isDisjoint(with: names) ? [] : [trait] }
    }

    private mutating func spread(_ further: (String, Set<String>, Set<String>) -> Set<String>) {
        var count = -1
        while count < names.count {
            count = names.count
            for (trait, parts) in parts { names.formUnion(further(trait, parts, names)) }
        }
    }

    private mutating func visit(_ node: ProfileNode, path: [String], name: String) {
        switch node.content {
        case .null: break
        case .scalar(let text): note(text, isTrait: path.starts(with: ["audience", "traits"]), name: name)
        case .list(let items): for item in items { visit(item, path: path, name: name) }
        case .mapping(let entries):
            let isWire = path.last.map(Self.wireMappings.contains) ?? false
            let trait = path == ["audience", "traits"] ? Self.name(in: entries) : nil
            for entry in entries {
                visit(entry.value, path: path + [entry.key], name: isWire ? entry.key : trait ?? name)
            }
        }
    }

    private static func name(in entries: [ProfileEntry]) -> String? {
        guard case .scalar(let name)? = entries.first(where: { $0.key == "name" })?.value.content else { return nil }
        return name
    }

    private mutating func note(_ text: String, isTrait: Bool, name: String) {
        var before = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            before += rest[..<brace]
            rest = rest[rest.index(after: brace)...]
            let inner = rest.prefix { $0 != "}" }
            guard inner.endIndex < rest.endIndex, Placeholders.isName(inner) else {
                before += "{"
                continue
            }
            if isTrait { parts[name, default: []].insert(String(inner)) }
            if Redaction.hidesSharedValue(after: before, in: name) { names.insert(String(inner)) }
            // Any value of the trait.
            before += "x"
            rest = rest[rest.index(after: inner.endIndex)...]
        }
    }
}
