import Rulebook
import Thresholds
import Wording

extension ProfileSection {
    /// Reads a list of thresholds; what is wrong is reported and left out.
    func thresholds(_ key: String) -> [PlannedThreshold] {
        var seen: Set<String> = []
        let texts = list(key, of: .text("a threshold such as \"breaks.on_time >= 99.9%\"")) ?? []
        return texts.compactMap { text, field in
            reading.rule(
                field,
                isBroken: !seen.insert(text).inserted,
                message: "\"\(ShownValue.of(text))\" stands twice"
            )
            return rule(text, field).map { PlannedThreshold(rule: $0, line: reading.location(of: field).line ?? 0) }
        }
    }

    private func rule(_ text: String, _ field: String) -> ThresholdRule? {
        // Looking for the name that was meant takes time, and is for those mistakes that are told.
        guard !reading.isFull else { return nil }
        do throws(ThresholdError) {
            return try ThresholdRule(parsing: text)
        } catch {
            reading.report(
                ProfileProblem(
                    location: reading.location(of: field),
                    field: field,
                    value: ShownValue.of(text),
                    message: "\"\(ShownValue.of(text))\": \(error)"
                )
            )
            return nil
        }
    }

    func windowPlan() -> WindowPlan {
        WindowPlan(
            length: value("length", .duration(.seconds(1) ... .seconds(86_400))),
            warmUp: value("warmUp", .duration(.zero ... .seconds(2_592_000))),
            failsOnDrift: value("failOnDrift", .boolean)
        )
    }

    func abortPlan() -> (when: [PlannedThreshold], after: Duration) {
        section("abort") { abort in
            let after = abort.value("after", .duration(.zero ... .seconds(2_592_000))) ?? .seconds(30)
            let when = abort.thresholds("when")
            if abort.isPresent && !abort.has("when") {
                abort.reportMissing(
                    "when",
                    allowed: "a list of conditions that end the run, such as \"playlist.errors > 20%\""
                )
            }
            return (when, after)
        }
    }

    func allowedFindings() -> [String: FindingLimit] {
        let limits = dictionary(
            "allowFindings",
            keys: .findingCode,
            of: .findingLimit,
            ofListed: .any
        )
        return Dictionary(limits.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
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

extension ScalarRule<FindingLimit> {
    fileprivate static var findingLimit: ScalarRule {
        let allowed = "any, a number of sightings such as 3, or a share of viewers such as 2%"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            guard text != "any" else { return .value(.any) }
            if text.hasSuffix("%") {
                guard let share = ShareText.share(text) else { return .refused("is not a share of viewers") }
                return share <= 1 ? .value(.viewers(share: share)) : .refused("is not in range")
            }
            guard let digits = QuantityText.wholeNumber(text) else { return .refused("is not an allowance") }
            return UInt64(digits).map { .value(.sightings($0)) } ?? .refused("is not in range")
        }
    }
}
