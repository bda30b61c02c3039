extension ProfileSection {
    /// Reads a list of thresholds, each of which the vocabulary must understand.
    func thresholds(_ key: String) -> [ThresholdText] {
        var seen: Set<String> = []
        return (list(key, of: .text("a threshold such as \"breaks.on_time >= 99.9%\"")) ?? []).map { text, field in
            if let reason = reading.vocabulary.checkThreshold(text) {
                reading.report(
                    ProfileProblem(
                        location: reading.location(of: field),
                        field: field,
                        value: ShownValue.of(text),
                        message: "\"\(ShownValue.of(text))\": \(reason)"
                    )
                )
            }
            reading.rule(
                field,
                isBroken: !seen.insert(text).inserted,
                message: "\"\(ShownValue.of(text))\" stands twice"
            )
            var line = 0
            if case .file(let fileLine, _) = reading.location(of: field) {
                line = fileLine
            }
            return ThresholdText(text: text, line: line)
        }
    }

    func windowPlan() -> WindowPlan {
        WindowPlan(
            length: value("length", .duration(.seconds(1) ... .seconds(86_400))),
            warmUp: value("warmUp", .duration(.zero ... .seconds(2_592_000))),
            failsOnDrift: value("failOnDrift", .boolean)
        )
    }

    func abortPlan() -> (when: [ThresholdText], after: Duration) {
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
            keys: .findingCode(of: reading.vocabulary),
            of: .findingLimit,
            ofListed: .any
        )
        return Dictionary(limits.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}

extension ScalarRule<String> {
    /// A code, or what stands for every other one above advice.
    fileprivate static func findingCode(of vocabulary: ProfileVocabulary) -> ScalarRule {
        let codes = vocabulary.findingCodes
        let allowed = "a code that podswarm explain lists, or \"*\" for every other one above advice"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            guard text != "*", !codes.contains(text) else { return .value(text) }
            return .refused("is not a finding code", suggestion: NearestName.of(text, among: codes))
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
