import Rules
import Values

extension FieldRule<[ThresholdRule]> {
    static var thresholds: FieldRule { rule(allowed: "a list of thresholds") }

    static var conditions: FieldRule {
        rule(allowed: "a list of conditions that end the run, such as \"playlist.errors > 20%\"")
    }

    private static func rule(allowed: String) -> FieldRule {
        FieldRule(
            allowed: allowed,
            schema: SchemaNode.list(of: SchemaNode.type("string").with("minLength", .number("1")))
                .with("uniqueItems", .boolean(true)),
            addLines: { $2.add($1, $0.map(\.text).sorted()) },
            read: { section, key, _ in
                var seen: Set<String> = []
                let texts = section.list(key, of: .text("a threshold such as \"breaks.on_time >= 99.9%\"")) ?? []
                return texts.compactMap { text, field -> ThresholdRule? in
                    let (reading, isNew) = (section.reading, seen.insert(text).inserted)
                    reading[field, if: !isNew] = "\"\(ShownValue.of(text))\" stands twice"
                    // The search for the intended name takes time, and serves only printed problems.
                    guard !reading.isFull else { return nil }
                    do throws(ThresholdError) {
                        let rule = try ThresholdRule(parsing: text)
                        return isNew ? rule : nil
                    } catch {
                        reading.report(field, at: reading.location(of: field), "\"\(ShownValue.of(text))\": \(error)")
                        return nil
                    }
                }
            }
        )
    }
}

extension FieldRule<[String: FindingAllowance]> {
    static var allowances: FieldRule {
        let amount = SchemaNode.oneOf([
            SchemaNode.type("integer").with("minimum", .number("0")), .pattern("^(any|[0-9]+|[0-9]+(\\.[0-9]+)?%)$"),
        ])
        let codes = SchemaNode.list(of: .type("string")).with("uniqueItems", .boolean(true))
        let amounts = SchemaNode.mapping(to: amount)
            .with("propertyNames", .members([("pattern", .text("^([a-z][a-z0-9_]*|\\*)$"))]))
        return FieldRule(
            allowed: "a mapping",
            schema: .oneOf([
                codes.with("description", .text("Codes that may be found however often.")),
                amounts.with(
                    "description",
                    .text(
                        "Codes with what is allowed of each: any, a number of sightings, or a share of viewers such as 2%. "
                            + "More of it fails the run, whatever its severity."
                    )
                ),
            ]),
            addLines: { $2.add($1, $0.map { text(of: $1, code: $0) }.sorted()) },
            read: { section, key, _ in
                let given = section.dictionary(key, keys: findingCode, of: findingAllowance, ofListed: .any)
                return Dictionary(given.map { ($0.key, $0.value) }) { first, _ in first }
            }
        )
    }

    private static func text(of allowance: FindingAllowance, code: String) -> String {
        switch allowance {
        case .any: code
        case .sightings(let count): "\(code): \(count)"
        case .viewers(let percent): "\(code): \(percent / 100) of viewers"
        }
    }

    private static var findingCode: ScalarRule<String> {
        let allowed = "a code that podswarm explain lists, or \"*\" for every other one above advice"
        return .text(allowed: allowed, schema: .type("string")) { text in
            guard text != "*", FindingCode(name: text) == nil else { return .value(text) }
            let codes = FindingCode.table.map(\.code)
            return .refused("is not a finding code", suggestion: NearestName.slip(text, among: codes))
        }
    }

    private static var findingAllowance: ScalarRule<FindingAllowance> {
        let allowed = "any, a number of sightings such as 3, or a share of viewers such as 2%"
        return ScalarRule(
            allowed: allowed,
            spell: { "\($0)" },
            read: { text in
                guard text != "any" else { return .value(.any) }
                if text.hasSuffix("%") {
                    guard let percent = QuantityText.decimal(text.dropLast()) else {
                        return .refused("is not a share of viewers")
                    }
                    return percent <= 100 ? .value(.viewers(percent: percent)) : .refused("is not in range")
                }
                guard let digits = QuantityText.wholeNumber(text) else { return .refused("is not an allowance") }
                return UInt64(digits).map { .value(.sightings($0)) } ?? .refused("is not in range")
            }
        )
    }
}
