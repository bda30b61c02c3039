import Rules
import Values

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
                let given = section.dictionary(key, keys: .findingCode, of: .findingAllowance, ofListed: .any)
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
}

extension ScalarRule<String> {
    fileprivate static var findingCode: ScalarRule {
        let allowed = "a code that podswarm explain lists, or \"*\" for every other one above advice"
        return text(allowed: allowed, schema: .type("string")) { text in
            guard text != "*", FindingCode.named(text) == nil else { return .value(text) }
            let codes = FindingCode.table.map(\.code)
            return .refused("is not a finding code", suggestion: NearestName.slip(text, among: codes))
        }
    }
}

extension ScalarRule<FindingAllowance> {
    fileprivate static var findingAllowance: ScalarRule {
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
