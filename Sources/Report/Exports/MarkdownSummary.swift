package import RunResult
import Thresholds

/// A result as GitHub-flavoured Markdown, for `$GITHUB_STEP_SUMMARY` or a comment: the verdict first, figures folded away.
///
/// Always below a mebibyte, which is what GitHub takes for one step's summary: rows and the length of each piece of foreign
/// text are limited, and what is left out is counted.
package struct MarkdownSummary: Sendable {
    static let breakLimit = 40
    static let findingLimit = 40
    static let thresholdLimit = 100
    static let reasonLimit = 20
    static let occurrenceLimit = 3
    static let driftLimit = 100

    let document: ResultDocument

    /// Prepares a summary.
    ///
    /// - Parameter document: The result.
    package init(of document: ResultDocument) {
        self.document = document
    }

    /// The whole summary with a final line feed.
    ///
    /// - Returns: Markdown.
    package func render() -> String {
        let parts = [
            heading(), punctuality(), notes(), outages(), breaks(), players(), findings(), thresholds(), drift(),
            latency(),
            generator(), shards(),
            described(),
        ]
        return parts.joined().joined(separator: "\n") + "\n"
    }

    private var word: String {
        switch document.verdict.outcome {
        case .passed: "✅ passed"
        case .failed: "❌ failed"
        case .clientLimited where document.isLimitedByMachine:
            "⚠️ client-limited by the machine: this run says nothing certain about the target"
        case .clientLimited: "⚠️ client-limited: this run says nothing certain about the target"
        case .incomplete: "⚠️ incomplete: shards are missing, and without them nothing has passed"
        case .undecided: "⚠️ undecided: a threshold has no sample to be judged by"
        case .interrupted: "⚠️ interrupted"
        case .defect: "⚠️ defect of podswarm: do not trust this result"
        }
    }

    private func heading() -> [String] {
        let run = document.run
        let seconds = Double(run.endedAtMicroseconds &- run.startedAtMicroseconds) / 1_000_000
        let labels = run.labels.sorted { $0.key < $1.key }.prefix(20).map { "\($0.key)=\($0.value)" }
        let facts = [run.startedAt, "\(MetricText.rounded(seconds, places: 1)) s"] + labels
        let title = "## podswarm \(MarkdownText.plain(run.profileName)): \(word)"
        let tls = run.tlsVerified == false ? ["TLS certificates were not verified (<code>--insecure</code>).", ""] : []
        return [title, "", facts.map(MarkdownText.code).joined(separator: " "), ""] + tls + reasons()
    }

    private func reasons() -> [String] {
        let reasons = document.verdict.reasons
        guard !reasons.isEmpty else { return [] }
        let hidden = reasons.count - Self.reasonLimit
        return reasons.prefix(Self.reasonLimit).map { "- " + MarkdownText.plain($0) }
            + (hidden > 0 ? ["- and \(TextLayout.counted(hidden, "more reason"))"] : []) + [""]
    }

    /// What nothing judges and a reader should know.
    private func notes() -> [String] {
        var notes = (document.notes ?? []).prefix(Self.reasonLimit).map { MarkdownText.plain($0) }
        if let clock = document.clock, clock.stepCount > 0 {
            notes.append("The wall clock was put forward or back \(TextLayout.counted(clock.stepCount, "time")).")
        }
        if let warmUp = document.warmUp {
            let length = MetricText.time(microseconds: Double(warmUp.milliseconds) * 1_000)
            notes.append("The first \(length) were warm-up and are judged by nothing.")
        }
        return notes.flatMap { ["> " + $0, ""] }
    }

    private func punctuality() -> [String] {
        let breaks = document.breaks
        guard let percent = breaks.onTimePercent else { return ["**No viewer was due for a break.**", ""] }
        let late = breaks.measured.reduce(0) { $0 &+ $1.late }
        let failed = breaks.measured.reduce(0) { $0 &+ $1.failed.values.reduce(0, &+) }
        return [
            "**\(MetricText.percent(percent)) on time**: \(TextLayout.grouped(breaks.onTime)) of"
                + " \(TextLayout.counted(breaks.due, "viewer")) due in \(TextLayout.counted(breaks.count, "break")),"
                + " \(TextLayout.grouped(late)) late, \(TextLayout.grouped(failed)) failed.",
            "",
        ]
    }

    private func breaks() -> [String] {
        // The worst come first where not all have room.
        let each = document.breaks.measured
        let shown =
            each.count <= Self.breakLimit
            ? each
            : Array(each.sorted { ($0.onTimePercent ?? 101) < ($1.onTimePercent ?? 101) }.prefix(Self.breakLimit))
        guard !shown.isEmpty else { return [] }
        let rows = shown.map { item in
            [
                MarkdownText.code(item.key), TextLayout.grouped(item.due),
                item.onTimePercent.map(MetricText.percent) ?? "", TextLayout.grouped(item.late),
                TextLayout.grouped(item.failed.values.reduce(0, &+)),
                item.slowestResponseMicroseconds.map(TimeText.duration) ?? "-",
            ]
        }
        let hidden = each.count - shown.count
        let text = "The worst are shown; \(TextLayout.counted(hidden, "more break")) in the result."
        let rest = hidden > 0 ? [text, ""] : []
        return MarkdownText.table(["break", "due", "on time", "late", "failed", "slowest answer"], rows) + rest
    }

    private func thresholds() -> [String] {
        let sorted = document.thresholds.filter { !$0.passed } + document.thresholds.filter(\.passed)
        let rows = sorted.prefix(Self.thresholdLimit).map { threshold in
            [
                MarkdownText.code(threshold.shownText), MarkdownText.plain(threshold.observedText),
                threshold.passed ? "✅" : document.leavesOpen(threshold) ? "⚠️" : "❌",
            ]
        }
        guard !rows.isEmpty else { return [] }
        let hidden = sorted.count - rows.count
        let rest = hidden > 0 ? ["\(TextLayout.counted(hidden, "more threshold")) in the result.", ""] : []
        return MarkdownText.table(["threshold", "observed", ""], rows) + rest
    }
}
