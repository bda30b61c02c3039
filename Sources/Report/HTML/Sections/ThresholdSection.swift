import RunResult

/// The profile's thresholds, each with what was observed.
struct ThresholdSection {
    struct Row {
        var text: String
        var observed: String
        var passed: Bool
        var word: String
        var bar: Markup
    }

    var rows: [Row]
    var summary: String

    /// Nil without thresholds; `leavesOpen` where none is held against anybody.
    init?(_ thresholds: [ThresholdResult], leavesOpen: Bool = false) {
        guard !thresholds.isEmpty else { return nil }
        rows = thresholds.map { threshold in
            let bar = threshold.observed.map {
                LimitBar(
                    name: "observed \(threshold.observedText), limit in \(threshold.text)",
                    observed: $0,
                    limit: threshold.limit,
                    passed: threshold.passed
                ).markup()
            }
            return Row(
                text: threshold.text,
                observed: threshold.observedText,
                passed: threshold.passed,
                word: threshold.passed ? "held" : leavesOpen ? "not decided" : "failed",
                bar: bar ?? .none
            )
        }
        let failed = thresholds.count { !$0.passed }
        summary =
            failed == 0
            ? (thresholds.count == 1 ? "It held." : "All \(thresholds.count) held.")
            : "\(failed) of \(thresholds.count) \(leavesOpen ? "did not hold, which decides nothing" : "failed")."
    }
}
