import Values

/// One mapping while it is read; fields that no reader asks for are reported as unknown.
package final class ProfileSection {
    package let path: String
    package let reading: ProfileReading
    /// An absent mapping has no missing fields.
    package let isPresent: Bool
    private let entries: [ProfileEntry]
    private var asked: [String] = []

    package init(path: String, node: ProfileNode?, reading: ProfileReading) {
        (self.path, self.reading) = (path, reading)
        guard let node else {
            isPresent = false
            entries = []
            return
        }
        reading.note(path, at: node.location)
        guard case .mapping(let entries) = node.content else {
            reading.report(path, at: node.location, "\(node.kind) where a mapping is needed")
            isPresent = false
            self.entries = []
            return
        }
        isPresent = true
        self.entries = entries
    }

    package func fieldPath(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// As `ProfileReading`'s, with fields of this mapping.
    package subscript(_ keys: String..., if isBroken: Bool) -> String? {
        get { reading.message(at: keys.first.map(fieldPath)) }
        set { reading.judge(keys.map(fieldPath), if: isBroken, newValue) }
    }

    /// Whether neither the field nor anything around or in it has a problem.
    func isWhollySound(_ key: String) -> Bool { reading.isWhollySound(fieldPath(key)) }

    package func has(_ key: String) -> Bool { entries.contains { $0.key == key } }

    package func isMapping(_ key: String) -> Bool {
        if case .mapping = entries.first(where: { $0.key == key })?.value.content { true } else { false }
    }

    /// Reports an invalid value.
    package func value<Value>(_ key: String, _ rule: ScalarRule<Value>) -> Value? {
        guard let node = take(key) else { return nil }
        return scalar(node, field: fieldPath(key), rule)
    }

    private static let removed = ["audience.file": "was removed; name the file in include, its fields below audience"]

    static let unknown = "unknown field"
    static let missing = "is missing and has no default"

    package func reportMissing(_ key: String, allowed: String) {
        reading.report(fieldPath(key), at: reading.location(of: path), Self.missing, allowed: allowed)
    }

    /// Reports invalid items and leaves them out; `isLoose` accepts a single value as a list of one.
    package func list<Value>(_ key: String, of rule: ScalarRule<Value>, isLoose: Bool = false)
        -> [(value: Value, field: String)]?
    {
        items(key, isLoose: isLoose)?.compactMap { item, field in
            reading.note(field, at: item.location)
            return scalar(item, field: field, rule).map { ($0, field) }
        }
    }

    private func items(_ key: String, isLoose: Bool) -> [(node: ProfileNode, field: String)]? {
        let field = fieldPath(key)
        guard let node = take(key).map({ self.listed($0) }) else { return nil }
        var items = [node]
        if case .list(let listed) = node.content {
            items = listed
        } else if !isLoose {
            reading.report(field, at: node.location, "\(node.kind) where a list is needed")
            return nil
        }
        return items.enumerated().map { ($1, "\(field)[\($0)]") }
    }

    /// Keeps the order; reports invalid entries and leaves them out.
    ///
    /// With `listed`, a list of keys is allowed too, and each gets that value.
    package func dictionary<Value>(
        _ key: String,
        keys keyRule: ScalarRule<String>? = nil,
        of rule: ScalarRule<Value>,
        ofListed listed: Value? = nil
    ) -> [(key: String, value: Value)] {
        let field = fieldPath(key)
        guard let node = take(key).map({ self.listed($0) }) else { return [] }
        switch (node.content, keyRule, listed) {
        case (.list(let items), let keyRule?, let listed?):
            return items.enumerated().compactMap { index, item in
                let itemField = "\(field)[\(index)]"
                reading.note(itemField, at: item.location)
                return scalar(item, field: itemField, keyRule).map { ($0, listed) }
            }
        case (.mapping(let entries), _, _):
            return entries.compactMap { entry in
                let entryField = "\(field).\(ShownValue.of(entry.key))"
                reading.note(entryField, at: entry.keyLocation)
                let name = ProfileNode(location: entry.keyLocation, content: .scalar(entry.key))
                let code = keyRule.map { scalar(name, field: entryField, $0) } ?? entry.key
                let value = scalar(entry.value, field: entryField, rule)
                guard let code, let value else { return nil }
                return (code, value)
            }
        default:
            let needed = listed == nil ? "a mapping" : "a list or a mapping"
            reading.report(field, at: node.location, "\(node.kind) where \(needed) is needed")
            return []
        }
    }

    /// A single value in place of the mapping stands for the field `shorthand`.
    package func section<Result>(_ key: String, shorthand: String? = nil, _ read: (ProfileSection) -> Result) -> Result
    { read(ProfileSection(path: fieldPath(key), node: take(key)?.opened(as: shorthand), reading: reading)) }

    /// Whether a word stands in place of the mapping; if so, the field counts as read.
    package func says(_ word: String, at key: String) -> Bool {
        guard case .scalar(word) = entries.first(where: { $0.key == key })?.value.content else { return false }
        return take(key) != nil
    }

    /// A single value stands for the field `shorthand`; `isLoose` accepts one mapping as a list.
    package func sections<Result>(
        _ key: String,
        shorthand: String? = nil,
        isLoose: Bool = false,
        _ read: (ProfileSection) -> Result
    ) -> [Result] {
        (items(key, isLoose: isLoose) ?? []).map { item, field in
            read(ProfileSection(path: field, node: item.opened(as: shorthand), reading: reading))
        }
    }

    /// Exactly one of `alternatives`, or one of `shorthands` alone; `read` asks for all, including absent ones.
    package func oneOf<Result>(
        _ key: String,
        shorthands: [String],
        alternatives: [String],
        _ read: (ProfileSection) -> Result
    ) -> Result { oneOf(take(key), at: fieldPath(key), shorthands, alternatives, read) }

    /// Like `oneOf`, or a list; `read` runs once for an absent field too.
    package func eachOf<Result>(
        _ key: String,
        mayBeAbsent: Bool,
        shorthands: [String],
        alternatives: [String],
        _ read: (ProfileSection) -> Result
    ) -> [Result] {
        if isPresent && !has(key) && !mayBeAbsent {
            reportMissing(key, allowed: "one of \(alternatives.joined(separator: ", "))")
        }
        let (node, field) = (take(key), fieldPath(key))
        guard case .list(let items) = node?.content else {
            return [oneOf(node, at: field, shorthands, alternatives, read)]
        }
        reading[field, if: items.isEmpty] = "has nothing in it"
        return items.enumerated().map { index, item in
            reading.note("\(field)[\(index)]", at: item.location)
            return oneOf(item, at: "\(field)[\(index)]", shorthands, alternatives, read)
        }
    }

    private func oneOf<Result>(
        _ node: ProfileNode?,
        at field: String,
        _ shorthands: [String],
        _ alternatives: [String],
        _ read: (ProfileSection) -> Result
    ) -> Result {
        var node = node
        if case .scalar(let word) = node?.content, let location = node?.location {
            if shorthands.contains(word) {
                node?.content = .mapping([ProfileEntry(key: word, keyLocation: location, value: .empty(at: location))])
            } else {
                let needsMapping = alternatives.contains(word)
                let mappings = alternatives.filter { !shorthands.contains($0) }.map { "a mapping with \($0)" }
                reading.report(
                    field,
                    at: location,
                    "\"\(ShownValue.of(word))\" " + (needsMapping ? "needs fields of its own" : "is not known"),
                    allowed: (shorthands + mappings).joined(separator: ", "),
                    suggestion: needsMapping ? nil : NearestName.slip(word, among: alternatives)
                )
                node = nil
            }
        }
        let child = ProfileSection(path: field, node: node, reading: reading)
        let result = read(child)
        let given = alternatives.filter(child.has)
        if child.isPresent && given.count != 1 {
            let found = given.isEmpty ? "none" : given.joined(separator: " and ")
            reading.report(
                field,
                at: reading.location(of: given.last.map(child.fieldPath) ?? field),
                "needs exactly one kind, has \(found)",
                allowed: "one of \(alternatives.joined(separator: ", "))"
            )
        }
        return result
    }

    /// Before rules between fields, which are silent where one of them may be the misspelt one.
    package func reportUnknownFields() {
        for entry in entries where !asked.contains(entry.key) {
            let suggestion = reading.isFull ? nil : suggestion(for: entry.key)
            if let meant = suggestion?.meant, !has(meant) { reading.doubt(fieldPath(meant)) }
            reading.report(
                fieldPath(ShownValue.of(entry.key)),
                at: entry.keyLocation,
                Self.removed[fieldPath(entry.key)] ?? Self.unknown,
                allowed: suggestion == nil ? asked.joined(separator: ", ") : nil,
                suggestion: suggestion?.shown
            )
        }
    }

    /// YAML takes a field and its value for one key if no space follows the colon.
    private func suggestion(for key: String) -> (meant: String, shown: String)? {
        guard let colon = key.firstIndex(of: ":"), asked.contains(String(key[..<colon])) else {
            return NearestName.slip(key, among: asked).map { ($0, $0) }
        }
        let value = ShownValue.of(String(key[key.index(after: colon)...]))
        return (String(key[..<colon]), "\(key[..<colon]): \(value)")
    }

    private func take(_ key: String) -> ProfileNode? {
        asked.append(key)
        guard let node = entries.first(where: { $0.key == key })?.value else { return nil }
        reading.note(fieldPath(key), at: node.location)
        guard case .null = node.content else { return node }
        reading.report(fieldPath(key), at: node.location, "has no value; leave the field out to keep its default")
        return nil
    }

    package func scalar<Value>(_ node: ProfileNode, field: String, _ rule: ScalarRule<Value>) -> Value? {
        func report(_ message: String, suggestion: String? = nil) {
            reading.report(field, at: node.location, message, allowed: rule.allowed, suggestion: suggestion)
        }
        guard case .scalar(let written) = node.content else {
            report("\(node.kind) where a single value is needed")
            return nil
        }
        let text: String
        do throws(EnvironmentText.Refusal) {
            text = try expanded(node, written, isSecret: rule.hidesEnvironment)
        } catch {
            report(error.reason)
            return nil
        }
        // A text shows the reference to the environment, not its value.
        let isHidden = rule.hidesEnvironment && written.contains("${")
        let isReference = isHidden && CharacterSets.isEnvironmentName(String(written.dropFirst(2).dropLast()))
        reading.note(rule.isSecret && !isReference ? ShownValue.hidden : isHidden ? written : text, of: field)
        switch rule.read(text) {
        case .value(let value):
            return value
        case .refused(let reason, let suggestion):
            if rule.isSecret {
                report("the value \(reason)", suggestion: suggestion)
            } else {
                let shown = node.isFromEnvironment ? "a value of the environment" : ShownValue.of(written)
                report("\"\(shown)\" \(reason)", suggestion: suggestion)
            }
            return nil
        }
    }

    private func expanded(_ node: ProfileNode, _ written: String, isSecret: Bool) throws(EnvironmentText.Refusal)
        -> String
    {
        if node.isFromEnvironment {
            if isSecret { reading.note(secret: written) }
            return written
        }
        let expanded = try EnvironmentText(written, reading.surroundings.environmentVariable)
        if isSecret { for value in expanded.values.values { reading.note(secret: value) } }
        return expanded.text
    }

    /// Replaces a reference to the environment, such as `${HOSTS:-[a, b]}`, by the list of single values that it names.
    private func listed(_ node: ProfileNode) -> ProfileNode {
        guard case .scalar(let written) = node.content, written.hasPrefix("${"),
            let expanded = try? EnvironmentText(written, reading.surroundings.environmentVariable),
            expanded.text.hasPrefix("["),
            case .list(var items)? = try? YAMLText.parse(expanded.text, at: { _, _ in node.location })?.content
        else { return node }
        for index in items.indices { items[index].isFromEnvironment = !expanded.values.isEmpty }
        return ProfileNode(location: node.location, content: .list(items))
    }

    package func secret(_ key: String) -> String? {
        var rule = ScalarRule.text("a key, or ${NAME} for the environment variable that holds it")
        rule.isSecret = true
        let secret = value(key, rule)
        if let secret { reading.note(secret: secret) }
        return secret
    }

    /// Resolves against the folder of the file that it is written in; reports a missing file.
    package func file(_ key: String) -> (written: String, resolved: String)? {
        guard let written = value(key, .text("the path of a file, from the profile's folder")) else { return nil }
        let resolved = reading.path(of: written, at: reading.location(of: fieldPath(key)))
        let own = reading.folder.isEmpty ? "" : reading.folder + "/"
        if reading.values[fieldPath(key)] == written, resolved.hasPrefix(own) {
            reading.note(String(resolved.dropFirst(own.count)), of: fieldPath(key))
        }
        reading[fieldPath(key), if: !reading.surroundings.hasFile(resolved)] =
            "no readable file at \"\(ShownValue.of(written))\", counted from the profile's folder"
        return (written, resolved)
    }
}

extension ProfileNode {
    /// Wraps a single value, or with `evenList` a list too, in a mapping with this field.
    func opened(as field: String?, evenList: Bool = false) -> ProfileNode {
        guard let field else { return self }
        switch content {
        case .mapping, .null: return self
        case .list where !evenList: return self
        case .list, .scalar:
            let entry = ProfileEntry(key: field, keyLocation: location, value: self)
            return ProfileNode(location: location, content: .mapping([entry]))
        }
    }

    static func empty(at location: ProfileLocation) -> ProfileNode {
        ProfileNode(location: location, content: .mapping([]))
    }
}
