import Rulebook
import RunResult
import Thresholds

/// What everybody reads: what the run came to, and how many viewers had their pod in time.
struct VerdictSection {
    /// A figure with what it is.
    struct Figure {
        var label: String
        var value: String
        var note: String
        /// The class that colours it; empty for none.
        var tone = ""
    }

    var word: String
    var tone: String
    var meaning: String
    var reasons: [String]
    var hasReasons: Bool
    var hasBreaks: Bool
    var percent: String
    var percentTone: String
    var sentence: String
    var bar: Markup
    var barKeys: [Figure]
    var figures: [Figure]

    init(_ document: ResultDocument) {
        let outcome = document.verdict.outcome
        word = outcome.title
        tone = outcome.tone
        meaning =
            document.isLimitedByMachine
            ? "The machine was the limit: this run says nothing certain about the target." : outcome.meaning
        reasons = document.verdict.reasons
        hasReasons = !reasons.isEmpty
        let breaks = document.breaks
        hasBreaks = breaks.due > 0
        percent = breaks.onTimePercent.map(MetricText.percent) ?? "–"
        percentTone = breaks.onTimePercent.map { $0 >= 99.9 ? "good" : $0 >= 99 ? "warn" : "bad" } ?? ""
        sentence =
            "\(TextLayout.grouped(breaks.onTime)) of \(TextLayout.counted(breaks.due, "viewer")) due, "
            + (breaks.count == 1 ? "one break" : "\(TextLayout.grouped(breaks.count)) breaks") + "."
        let parts = Self.parts(breaks)
        bar = ShareBar(name: "Viewers due", parts: parts).markup()
        barKeys = parts.filter { $0.count > 0 }.map {
            Figure(label: $0.name, value: TextLayout.grouped($0.count), note: "", tone: $0.style)
        }
        figures = Self.figures(document)
    }

    private static func parts(_ breaks: BreakResults) -> [ShareBar.Part] {
        let late = breaks.measured.reduce(0) { $0 &+ $1.late }
        let failed = breaks.measured.reduce(0) { $0 &+ $1.failed.values.reduce(0, &+) }
        let unresolved = breaks.measured.reduce(0) { $0 &+ $1.unresolved }
        return [
            .init(name: "on time", count: breaks.onTime, style: "ok"), .init(name: "late", count: late, style: "late"),
            .init(name: "failed", count: failed, style: "bad"),
            .init(name: "unresolved", count: unresolved, style: "open"),
        ]
    }

    private static func figures(_ document: ResultDocument) -> [Figure] {
        let counts = document.requests.values.reduce(into: (count: UInt64(0), errors: UInt64(0))) {
            $0.count &+= $1.count
            $0.errors &+= $1.errors
        }
        let grave = document.findings.filter { !$0.isAdvice }
        let findings = grave.reduce(0) { $0 &+ $1.count }
        let worst = document.breaks.measured.filter { $0.due > 0 }.min {
            ($0.onTimePercent ?? 100, $0.startMicroseconds) < ($1.onTimePercent ?? 100, $1.startMicroseconds)
        }
        var figures: [Figure] = []
        let last = document.breaks.measured.compactMap(\.lastInHand).max()
        if let last, worst?.onTimePercent == 100 {
            figures.append(
                Figure(label: "Last pod in hand", value: TimeText.offset(last), note: "from a break's start")
            )
        } else if let worst, let percent = worst.onTimePercent, document.breaks.count > 1 {
            figures.append(
                Figure(
                    label: "Worst break",
                    value: MetricText.percent(percent),
                    note: "on time, at " + TimeText.clock(worst.startMicroseconds),
                    tone: percent < 99 ? "bad" : ""
                )
            )
        }
        let answers = [(RequestKind.podManifest, "Pod answer, p99"), (.assetList, "Asset list, p99")]
        for (kind, label) in answers {
            guard let response = document.requests[kind.name]?.latencies[LatencyMetric.response.name] else { continue }
            figures.append(
                Figure(
                    label: label,
                    value: response.cell(.p99),
                    note: "of \(TextLayout.grouped(response.count)), longest \(response.cell(.max))"
                )
            )
        }
        figures.append(
            Figure(
                label: "Requests",
                value: TextLayout.grouped(counts.count),
                note: counts.errors == 0 ? "no errors" : TextLayout.counted(counts.errors, "error"),
                tone: ""
            )
        )
        figures.append(
            Figure(
                label: "Findings",
                value: findings == 0 ? "none" : TextLayout.grouped(findings),
                note: grave.isEmpty
                    ? document.findings.isEmpty ? "every answer was consistent" : "but advice"
                    : "of \(TextLayout.counted(grave.count, "kind"))",
                tone: document.findings.contains(where: \.failsRun) ? "bad" : ""
            )
        )
        figures.append(
            Figure(
                label: "Generator",
                value: document.generatorWord,
                note: "\(MetricText.rounded(document.health.cpuCoresMean, places: 2)) cores on average",
                tone: document.health.withinBudget ? "" : "warn"
            )
        )
        return figures
    }
}

extension ResultDocument {
    fileprivate var generatorWord: String {
        health.withinBudget ? "kept up" : isLimitedByMachine ? "lacked cores" : "was the limit"
    }
}

extension RunVerdict.Outcome {
    var title: String {
        switch self {
        case .passed: "Passed"
        case .failed: "Failed"
        case .clientLimited: "Client-limited"
        case .incomplete: "Incomplete"
        case .undecided: "Undecided"
        case .interrupted: "Interrupted"
        case .defect: "Defect of podswarm"
        }
    }

    var tone: String {
        switch self {
        case .passed: "good"
        case .failed, .defect: "bad"
        case .clientLimited, .incomplete, .undecided, .interrupted: "warn"
        }
    }

    var meaning: String {
        switch self {
        case .passed: "Every threshold held, and no finding stands against the target."
        case .failed: "The target did not hold what the profile asks of it."
        case .clientLimited: "The generator was the limit: this run says nothing certain about the target."
        case .incomplete: "Shards are missing: what is here shows no failure, and nothing has passed."
        case .undecided: "A threshold has no sample to be judged by: nothing has passed."
        case .interrupted: "The run was ended early and is not judged."
        case .defect: "podswarm itself went wrong: do not trust this result."
        }
    }
}
