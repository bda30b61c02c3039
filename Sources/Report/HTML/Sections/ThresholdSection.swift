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

    /// Nil without thresholds.
    init?(_ document: ResultDocument) {
        let thresholds = document.thresholds
        guard !thresholds.isEmpty else { return nil }
        rows = thresholds.map { threshold in
            let bar = threshold.observed.map {
                LimitBar(
                    name: "observed \(threshold.observedText), limit in \(threshold.shownText)",
                    observed: $0,
                    limit: threshold.limit,
                    passed: threshold.passed
                ).markup()
            }
            return Row(
                text: threshold.shownText,
                observed: threshold.observedText,
                passed: threshold.passed,
                word: threshold.passed ? "held" : document.leavesOpen(threshold) ? "not decided" : "failed",
                bar: bar ?? .none
            )
        }
        let open = thresholds.count(where: document.leavesOpen)
        let failed = thresholds.count { !$0.passed } - open
        let parts = [
            failed == 0 ? nil : "\(failed) of \(thresholds.count) failed.",
            open == 0 ? nil : "\(open) of \(thresholds.count) did not hold, which decides nothing.",
        ].compactMap(\.self)
        let held = thresholds.count == 1 ? "It held." : "All \(thresholds.count) held."
        summary = parts.isEmpty ? held : parts.joined(separator: " ")
    }
}
