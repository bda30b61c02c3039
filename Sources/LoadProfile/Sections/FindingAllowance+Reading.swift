import Rulebook
import Thresholds
import Wording

extension [String: FindingAllowance] {
    init(reading section: ProfileSection, at key: String) {
        let allowances = section.dictionary(key, keys: .findingCode, of: .findingAllowance, ofListed: .any)
        self.init(allowances.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension ScalarRule<String> {
    /// A code, or what stands for every other one above advice.
    fileprivate static var findingCode: ScalarRule {
        let allowed = "a code that podswarm explain lists, or \"*\" for every other one above advice"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            guard text != "*", FindingCode.named(text) == nil else { return .value(text) }
            let codes = FindingCode.table.map(\.code)
            return .refused("is not a finding code", suggestion: NearestName.slip(text, among: codes))
        }
    }
}

extension ScalarRule<FindingAllowance> {
    fileprivate static var findingAllowance: ScalarRule {
        let allowed = "any, a number of sightings such as 3, or a share of viewers such as 2%"
        return ScalarRule(shape: .text, allowed: allowed) { text in
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
    }
}
