import Players
import ProfileSyntax
import Wording

extension [AudienceTrait] {
    /// More of them than any target tells viewers apart by.
    private static let most = 64

    /// Reads names with where their values come from, and tables whose columns are traits.
    ///
    /// - Parameters:
    ///   - section: The audience.
    ///   - key: The list's field.
    ///   - personas: The players of the audience.
    init(reading section: ProfileSection, at key: String, personas: [PersonaShare]) {
        var known: [AudienceTrait] = []
        _ = section.sections(key, shorthand: "name") { entry in
            let traits = TraitEntry(section: entry, before: known, personas: personas.map(\.persona.name)).traits()
            for trait in traits {
                entry.reading.rule(
                    entry.fieldPath(entry.has("file") ? "file" : "name"),
                    isBroken: known.contains { $0.name == trait.name },
                    message: "the trait \"\(trait.name)\" stands twice"
                )
            }
            known += traits
        }
        let field = section.fieldPath(key)
        section.reading.rule(field, isBroken: known.count > Self.most, message: "has more than \(Self.most) traits")
        self = known
    }
}

extension ProfileReading {
    /// Makes the names of traits known, or unknown where one of them could not be read.
    ///
    /// - Parameters:
    ///   - traits: What was read.
    ///   - field: Of the list.
    func note(_ traits: [AudienceTrait], at field: String) {
        let areRead = isSound(field) && !hasProblem(in: field) { $0.hasSuffix(".name") || $0.hasSuffix(".file") }
        self.traits = areRead ? traits.map(\.name) : nil
        cohortTraits = areRead && isWhollySound(field) ? traits.filter(\.canMakeCohorts).map(\.name) : nil
    }
}

/// One entry of the list of traits while it is read.
private struct TraitEntry {
    private static let mostValues = 256
    private static let kinds = ["values", "value", "range", "digits", "file"]

    let section: ProfileSection
    /// What its texts may name.
    let before: [AudienceTrait]
    let personas: [String]

    private var reading: ProfileReading { section.reading }
    private var names: [String] { before.map(\.name) }

    /// Reads every field, whether it is there or not; a file gives as many traits as it has columns.
    func traits() -> [AudienceTrait] {
        let name = section.value("name", .traitName)
        let other = section.value("by", .otherTrait(names))
        let values = section.has("by") ? nil : readValues()
        let texts = section.has("by") ? readTexts(by: other ?? "") : nil
        let value = section.value("value", .traitText(names))
        let range = section.value("range", .traitRange)
        let digits = section.value("digits", .integer(1...256))
        let table = section.file("file").flatMap { readTable(at: $0.resolved) }
        let given = Self.kinds.filter(section.has)
        guard section.isPresent else { return [] }
        reading.rule(
            section.path,
            isBroken: given.count != 1,
            message: "needs exactly one of \(Self.kinds.joined(separator: ", ")); has "
                + (given.isEmpty ? "none" : given.joined(separator: " and "))
        )
        reading.rule(
            section.fieldPath("by"),
            isBroken: other != nil && !section.has("values"),
            message: "has no effect without values"
        )
        if let table { return table.columns.indices.map { AudienceTrait(table.columns[$0], .column($0, of: table)) } }
        guard !section.has("file") else { return [] }
        if !section.has("name") { section.reportMissing("name", allowed: ScalarRule<String>.traitName.allowed) }
        let source = self.source(other, texts, value, range, digits, values)
        return [AudienceTrait(name ?? "", source)]
    }

    /// Of what was given; nothing in it where that was wrong.
    private func source(
        _ other: String?,
        _ texts: [String: String]?,
        _ value: String?,
        _ range: AudienceTrait.Source?,
        _ digits: Int?,
        _ values: [AudienceTrait.Value]?
    ) -> AudienceTrait.Source {
        if let other, let texts { return .by(other, texts) }
        if let value { return .values([AudienceTrait.Value(value, share: 1)]) }
        if let range { return range }
        if let digits { return .digits(digits) }
        return .values(values ?? [])
    }

    /// A list of equal parts, or a mapping to shares.
    private func readValues() -> [AudienceTrait.Value] {
        let values = section.dictionary("values", keys: .traitText(names), of: .share, ofListed: .nan)
        let field = section.fieldPath("values")
        // What could not be read is missing from the values, and is no further mistake of theirs.
        let isRead = reading.isWhollySound(field)
        var known: Set<String> = []
        for (index, value) in values.enumerated() where isRead && !known.insert(value.key).inserted {
            reading.rule("\(field)[\(index)]", isBroken: true, message: "the value \"\(value.key)\" stands twice")
        }
        reading.rule(
            field,
            isBroken: section.has("values") && isRead && (values.isEmpty || values.count > Self.mostValues),
            message: "has \(values.count) values",
            allowed: "1 to \(Self.mostValues) values"
        )
        let isShared = values.contains { !$0.value.isNaN }
        let given = values.map(\.value).reduce(0, +)
        reading.rule(
            field,
            isBroken: isShared && isRead && abs(given - 1) > 0.000_001,
            message: "the shares add up to \(PersonaShare.percent(given))",
            allowed: "100%, or a list of values for equal parts"
        )
        let equal = 1 / Double(max(1, values.count))
        return values.map { .init($0.key, share: isShared ? $0.value : equal) }
    }

    /// A text for each value of another trait, or for each persona.
    private func readTexts(by other: String) -> [String: String] {
        let given = section.dictionary("values", of: .traitText(names))
        let texts = Dictionary(given) { first, _ in first }
        let field = section.fieldPath("values")
        guard let keys = keys(of: other), reading.isWhollySound(field) else { return texts }
        for (key, _) in given {
            reading.rule(
                "\(field).\(ShownValue.of(key))",
                isBroken: !keys.contains(key),
                message: "\(other) is never \"\(ShownValue.of(key))\"",
                allowed: keys.joined(separator: ", ")
            )
        }
        let missing = keys.filter { texts[$0] == nil }
        reading.rule(
            field,
            isBroken: !missing.isEmpty,
            message: "says nothing for \(missing.joined(separator: ", "))"
        )
        return texts
    }

    /// What another trait may be; nil where that is not known.
    private func keys(of other: String) -> [String]? {
        guard other != PodPlan.personaTrait else { return personas.isEmpty ? nil : personas }
        switch before.first(where: { $0.name == other })?.source {
        case .values(let values)?: return values.map(\.text)
        case .by(_, let texts)?: return Set(texts.values).sorted()
        case .numbers(let range)? where range.count <= Self.mostValues: return range.map(String.init)
        case .column(let column, let table)?: return Set(table.rows.map { $0[column] }).sorted()
        case .numbers, .addresses, .digits, nil: return nil
        }
    }

    private func readTable(at path: String) -> TraitTable? {
        guard reading.isSound(section.fieldPath("file")) else { return nil }
        guard let bytes = reading.surroundings.contents(path, TraitTable.largestFile + 1) else {
            reading.rule(section.fieldPath("file"), isBroken: true, message: "cannot be read")
            return nil
        }
        switch TraitTable.read(bytes) {
        case .success(let table): return table
        case .failure(let mistake):
            reading.rule(section.fieldPath("file"), isBroken: true, message: mistake.description)
            return nil
        }
    }
}

extension ScalarRule<String> {
    /// A name that can stand in braces, and is none of those that have a meaning already.
    fileprivate static var traitName: ScalarRule {
        text("a letter, then letters, digits and '_', at most 32").refusing { AudienceTrait.refusal(ofName: $0) }
    }

    /// A value that can stand in a URL, a header or a body, and may name traits before it.
    fileprivate static func traitText(_ names: [String]) -> ScalarRule {
        text("text of at most \(AudienceTrait.longestValue) bytes")
            .refusing { $0.utf8.count <= AudienceTrait.longestValue ? nil : "is too long" }
            .withPlaceholders(URLTemplatesPlan.viewerPlaceholders, names)
    }

    fileprivate static func otherTrait(_ names: [String]) -> ScalarRule {
        let known = names + [PodPlan.personaTrait]
        return ScalarRule(shape: .text, allowed: known.joined(separator: ", ")) { text in
            known.contains(text)
                ? .value(text)
                : .refused("is no trait that stands before", suggestion: NearestName.slip(text, among: known))
        }
    }
}

extension ScalarRule<AudienceTrait.Source> {
    fileprivate static var traitRange: ScalarRule {
        ScalarRule(shape: .text, allowed: "whole numbers such as 18..80, or addresses such as 198.51.100.0/24") {
            text in
            if let block = AddressBlock(text) { return .value(.addresses(block)) }
            guard let dots = text.firstRange(of: ".."), let first = Int(text[..<dots.lowerBound]),
                let last = Int(text[dots.upperBound...])
            else { return .refused("is no range") }
            let isRange = first <= last && abs(first) <= 1_000_000_000_000 && abs(last) <= 1_000_000_000_000
            return isRange ? .value(.numbers(first...last)) : .refused("is not in order, or too large")
        }
    }
}

extension AudienceTrait {
    static let longestValue = 1_024

    /// Why a text cannot name a trait, as a predicate; nil if it can.
    static func refusal(ofName text: String) -> String? {
        let taken = URLTemplatesPlan.podPlaceholders + [PodPlan.personaTrait]
        guard !taken.contains(text) else { return "has a meaning of its own" }
        return Placeholders.isName(text[...]) ? nil : "cannot name a trait"
    }
}
