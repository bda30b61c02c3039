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
        _ = Placeholders.filled(text) { inner, before in
            guard Placeholders.isName(inner[...]) else { return nil }
            if isTrait { parts[name, default: []].insert(inner) }
            if Redaction.hidesSharedValue(after: before, in: name) { names.insert(inner) }
            // Any value of the trait.
            return "x"
        }
    }
}
