import AdServing
import Values

extension ProfileReading {
    /// Publishes the traits' names; nil if one could not be read.
    func note(_ traits: [AudienceTrait], at field: String) {
        let areRead = isSound(field) && !hasProblem(in: field) { $0.hasSuffix(".name") || $0.hasSuffix(".file") }
        self.traits = areRead ? traits.map(\.name) : nil
        for trait in traits where trait.isSecret { for value in trait.cohortValues { note(secret: value) } }
        let few = traits.filter(\.canMakeCohorts).map { trait in
            (name: trait.name, isSecret: trait.isSecret, values: { trait.cohortValues })
        }
        cohorts = areRead && isWhollySound(field) ? few : nil
    }
}

/// A name with the source of its values, or a table whose columns are traits.
struct TraitEntry: ProfileFields {
    /// More than any target distinguishes viewers by.
    private static let most = 64
    private static let mostValues = 256
    private static let kinds = ["values", "value", "range", "digits", "file"]

    /// Its texts may name them.
    private var before: [AudienceTrait] = []
    private var personas: [String] = []
    private var name: String? = nil
    private var other: String? = nil
    private var values: [AudienceTrait.Value]? = nil
    private var texts: [String: String]? = nil
    private var value: String? = nil
    private var range: AudienceTrait.Source? = nil
    private var digits: Int? = nil
    private var table: TraitTable? = nil

    private var names: [String] { before.map(\.name) }

    static let fields = FieldList(TraitEntry()) { f in
        f.add("name", \.name, traitName)
        f.add(
            "by",
            schema: .type("string"),
            read: { section, entry in
                let names = entry.names + [PodPlan.personaTrait]
                entry.other = section.value("by", .name(among: names, else: "is not an earlier trait"))
            }
        )
        f.add(
            "values",
            schema: valuesSchema,
            read: { section, entry in
                if section.has("by") {
                    entry.texts = entry.readTexts(section, by: entry.other ?? "")
                } else {
                    entry.values = entry.readValues(section)
                }
            }
        )
        f.add(
            "value",
            schema: SchemaNode.type("string").with("minLength", .number("1")).with("maxLength", .number("1024")),
            read: { $1.value = $0.value("value", traitText($1.names)) }
        )
        f.add("range", \.range, traitRange)
        f.add("digits", \.digits, .integer(1...256))
        f.add(
            "file",
            schema: .type("string"),
            read: { section, entry in entry.table = section.file("file").flatMap { readTable(section, at: $0.resolved) }
            }
        )
    }

    static var listSchema: SchemaNode { SchemaNode.list(of: schema()).with("maxItems", .number("\(most)")) }

    private static var valuesSchema: SchemaNode {
        func bounded(_ schema: SchemaNode, _ of: String) -> SchemaNode {
            schema.with("min\(of)", .number("1")).with("max\(of)", .number("\(mostValues)"))
        }
        let items = SchemaNode.members([("type", .list([.text("string"), .text("number")]))])
        return .oneOf([bounded(.list(of: items), "Items"), bounded(.type("object"), "Properties")])
    }

    static func list(reading section: ProfileSection, at key: String, personas: [PersonaShare]) -> [AudienceTrait] {
        var known: [AudienceTrait] = []
        _ = section.sections(key, shorthand: "name") { section in
            let empty = TraitEntry(before: known, personas: personas.map(\.persona.name))
            var traits = TraitEntry(reading: section, over: empty).traits(section)
            for index in traits.indices {
                traits[index].isSecret = traits[index].holdsSecrets(among: section.reading.secretTraits)
            }
            for trait in traits {
                let isKnown = known.contains { $0.name == trait.name }
                section[section.has("file") ? "file" : "name", if: isKnown] =
                    "the trait \"\(trait.name)\" stands twice"
            }
            known += traits
        }
        section[key, if: known.count > most] = "has more than \(most) traits"
        return known
    }

    /// A file gives one trait per column.
    private func traits(_ section: ProfileSection) -> [AudienceTrait] {
        let given = Self.kinds.filter(section.has)
        guard section.isPresent else { return [] }
        section.reading[section.path, if: given.count != 1] =
            "needs exactly one of \(Self.kinds.joined(separator: ", ")); has "
            + (given.isEmpty ? "none" : given.joined(separator: " and "))
        section["by", if: other != nil && !section.has("values")] = "has no effect without values"
        if let table { return table.columns.indices.map { AudienceTrait(table.columns[$0], .column($0, of: table)) } }
        guard !section.has("file") else { return [] }
        if !section.has("name") { section.reportMissing("name", allowed: Self.traitName.allowed) }
        return [AudienceTrait(name ?? "", source)]
    }

    /// No values where the source is invalid.
    private var source: AudienceTrait.Source {
        if let other, let texts { return .by(other, texts) }
        if let value { return .values([AudienceTrait.Value(value, share: 1)]) }
        if let range { return range }
        if let digits { return .digits(digits) }
        return .values(values ?? [])
    }

    /// Reads a list of equal shares, or a mapping to shares.
    private func readValues(_ section: ProfileSection) -> [AudienceTrait.Value] {
        let values = section.dictionary("values", keys: Self.traitText(names), of: .share, ofListed: .nan)
        // Unreadable values are missing here, and must not cause further problems.
        let isRead = section.isWhollySound("values")
        var known: Set<String> = []
        for (index, value) in values.enumerated() where isRead && !known.insert(value.key).inserted {
            section["values[\(index)]", if: true] = "the value \"\(value.key)\" stands twice"
        }
        let isFit = 1...Self.mostValues ~= values.count
        section["values", if: section.has("values") && isRead && !isFit] =
            "has \(values.count) values; allowed: 1 to \(Self.mostValues) values"
        let isShared = values.contains { !$0.value.isNaN }
        let given = values.map(\.value).reduce(0, +)
        section["values", if: isShared && isRead && abs(given - 1) > 0.000_001] =
            "the shares add up to \(ShareText.percent(given)); allowed: 100%, or a list of values for equal parts"
        let equal = 1 / Double(max(1, values.count))
        return values.map { .init($0.key, share: isShared ? $0.value : equal) }
    }

    private func readTexts(_ section: ProfileSection, by other: String) -> [String: String] {
        let given = section.dictionary("values", of: Self.traitText(names))
        let texts = Dictionary(given) { first, _ in first }
        guard let keys = keys(of: other), section.isWhollySound("values") else { return texts }
        for (key, _) in given {
            section["values.\(ShownValue.of(key))", if: !keys.contains(key)] =
                "\(other) is never \"\(ShownValue.of(key))\"; allowed: \(keys.joined(separator: ", "))"
        }
        let missing = keys.filter { texts[$0] == nil }
        section["values", if: !missing.isEmpty] = "says nothing for \(missing.joined(separator: ", "))"
        return texts
    }

    /// Nil where unknown.
    private func keys(of other: String) -> [String]? {
        guard other != PodPlan.personaTrait else { return personas.isEmpty ? nil : personas }
        return before.first { $0.name == other }?.source.listed
    }

    private static func readTable(_ section: ProfileSection, at path: String) -> TraitTable? {
        guard section.reading.isSound(section.fieldPath("file")) else { return nil }
        let bytes = section.reading.surroundings.contents(path, TraitTable.largestFile + 1)
        do throws(TraitTable.Mistake) {
            guard let bytes else { throw TraitTable.Mistake(description: "cannot be read") }
            return try TraitTable.read(bytes)
        } catch {
            section["file", if: true] = error.description
            return nil
        }
    }

    /// Can stand in braces without another meaning.
    private static var traitName: ScalarRule<String> {
        let allowed = "a letter, then letters, digits and '_', at most 32"
        return ScalarRule.text(allowed, schema: .pattern("^[A-Za-z][A-Za-z0-9_]{0,31}$")).refusing {
            AudienceTrait.refusal(ofName: $0)
        }
    }

    /// Can stand in a URL, header or body, and may name earlier traits.
    private static func traitText(_ names: [String]) -> ScalarRule<String> {
        ScalarRule.text("text of at most \(AudienceTrait.longestValue) bytes")
            .refusing { $0.utf8.count <= AudienceTrait.longestValue ? nil : "is too long" }
            .withPlaceholders(Placeholders.ofViewer, names)
    }

    private static var traitRange: ScalarRule<AudienceTrait.Source> {
        ScalarRule(
            allowed: "whole numbers such as 18..80, or addresses such as 198.51.100.0/24",
            spell: \.canonicalText
        ) { text in
            if text.contains("/"), let block = IPNetwork(text) { return .value(.addresses(block)) }
            guard let dots = text.firstRange(of: ".."), let first = Int(text[..<dots.lowerBound]),
                let last = Int(text[dots.upperBound...])
            else { return .refused("is not a range") }
            let isRange = first <= last && abs(first) <= 1_000_000_000_000 && abs(last) <= 1_000_000_000_000
            return isRange ? .value(.numbers(first...last)) : .refused("is not in order, or too large")
        }
    }
}

extension AudienceTrait {
    static let longestValue = 1_024

    /// Reason as a predicate; nil if valid.
    static func refusal(ofName text: String) -> String? {
        let taken = Placeholders.ofPod + [PodPlan.personaTrait]
        guard !taken.contains(text) else { return "has a meaning of its own" }
        return Placeholders.isName(text[...]) ? nil : "cannot name a trait"
    }
}
