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

    func allowedFindings() -> Set<String> {
        Set((list("allowFindings", of: .findingCode(of: reading.vocabulary)) ?? []).map(\.value))
    }
}

extension ScalarRule<String> {
    fileprivate static func findingCode(of vocabulary: ProfileVocabulary) -> ScalarRule {
        let codes = vocabulary.findingCodes
        return ScalarRule(shape: .text, allowed: codes.joined(separator: ", ")) { text in
            guard !codes.contains(text) else { return .value(text) }
            return .refused("is not a finding code", suggestion: NearestName.of(text, among: codes))
        }
    }
}
