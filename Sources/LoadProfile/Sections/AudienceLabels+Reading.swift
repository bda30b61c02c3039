extension [AudienceLabel] {
    /// More of them than any target tells viewers apart by.
    private static let most = 16
    private static let mostValues = 256

    /// Reads names with their values: a list of equal parts, or a mapping to shares.
    init(reading section: ProfileSection, at key: String) {
        var names: Set<String> = []
        let labels = section.sections(key, shorthand: "name") { entry in
            let name = entry.required("name", .labelName)
            let values = entry.dictionary("values", keys: .labelValue, of: .share, ofListed: .nan)
            let (field, reading) = (entry.fieldPath("values"), entry.reading)
            // What could not be read is missing from the values, and is no further mistake of theirs.
            let isRead = reading.isWhollySound(field)
            if entry.isPresent && !entry.has("values") {
                entry.reportMissing("values", allowed: "a list of values, or a mapping of values to shares")
            }
            reading.rule(
                entry.fieldPath("name"),
                isBroken: name.map { !names.insert($0).inserted } ?? false,
                message: "the label \"\(name ?? "")\" stands twice"
            )
            var known: Set<String> = []
            for (index, value) in values.enumerated() where isRead && !known.insert(value.key).inserted {
                reading.rule("\(field)[\(index)]", isBroken: true, message: "the value \"\(value.key)\" stands twice")
            }
            reading.rule(
                field,
                isBroken: entry.has("values") && isRead && (values.isEmpty || values.count > Self.mostValues),
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
            let equal = 1 / Double(Swift.max(1, values.count))
            return AudienceLabel(name ?? "", values: values.map { .init($0.key, share: isShared ? $0.value : equal) })
        }
        let field = section.fieldPath(key)
        section.reading.rule(field, isBroken: labels.count > Self.most, message: "has more than \(Self.most) labels")
        self = labels
    }

    /// Their names; nil where one could not be read.
    func names(in reading: ProfileReading, at field: String) -> [String]? {
        let areRead = reading.isSound(field) && indices.allSatisfy { reading.isSound("\(field)[\($0)].name") }
        return areRead ? map(\.name) : nil
    }
}

extension ScalarRule<String> {
    /// A name that can stand in braces, and is none of those that have a meaning already.
    fileprivate static var labelName: ScalarRule {
        let taken = URLTemplatesPlan.podPlaceholders + [PodPlan.personaLabel]
        return text("a letter, then letters, digits and '_', at most 32").refusing { text in
            guard !taken.contains(text) else { return "has a meaning of its own" }
            let isWord = text.utf8.allSatisfy { CharacterSets.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
            let isLetter = text.first.map { $0.isLetter } ?? false
            return isWord && isLetter && text.utf8.count <= 32 ? nil : "cannot name a label"
        }
    }

    /// A value that can stand in a URL, a header or a report as it is.
    fileprivate static var labelValue: ScalarRule {
        text("letters, digits, '.', '_' and '-', at most 64, beginning with a letter or digit").refusing { text in
            CharacterSets.isFileName(text) ? nil : "cannot be a label's value"
        }
    }
}
