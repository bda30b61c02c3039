import Comparison
import Rulebook
import Thresholds

/// What a page about a history shows.
struct TrendSection {
    struct Row {
        var metric: String
        var word: String
        var tone: String
        var newest: String
        var text: String
        var changes: [String]
        var chart: Markup
    }

    struct Omission {
        var path: String
        var reason: String
    }

    var word: String
    var tone: String
    var meaning: String
    var reasons: [String]
    var hasReasons: Bool
    var gating: [Row]
    var others: [Row]
    var hasOthers: Bool
    var omissions: [Omission]
    var hasOmissions: Bool
    var digest: String
    var hostClass: String

    init(_ document: TrendDocument) {
        let outcome = document.verdict.outcome
        word = outcome.title
        tone = outcome.tone
        meaning = outcome.meaning
        reasons = document.verdict.reasons
        hasReasons = !reasons.isEmpty
        let row = { (metric: TrendMetric) in Self.row(metric, runs: document.runs) }
        gating = document.metrics.filter(\.gating).map(row)
        others = document.metrics.filter { !$0.gating && $0.verdict != .notMeasured }.map(row)
        hasOthers = !others.isEmpty
        omissions = document.leftOut.map { Omission(path: $0.path, reason: $0.reason) }
        hasOmissions = !omissions.isEmpty
        digest = document.group.profileDigest
        hostClass = document.group.hostClass
    }

    private static func row(_ metric: TrendMetric, runs: [TrendRun]) -> Row {
        Row(
            metric: metric.metric,
            word: metric.verdict.title,
            tone: metric.verdict.tone,
            newest: (metric.values.last ?? nil).map { amount($0, metric.unit) } ?? "–",
            text: metric.text,
            changes: metric.changePoints.map(\.text),
            chart: TrendChart(metric: metric, runs: runs).plot()?.markup() ?? .none
        )
    }

    /// A value with its unit.
    static func amount(_ value: Double, _ unit: TrendMetric.Unit) -> String {
        switch unit {
        case .microseconds: MetricText.time(microseconds: value)
        case .percent: MetricText.percent(value)
        case .count: MetricText.number(value)
        }
    }

    /// A value as an axis spells it.
    static func tick(_ value: Double, _ unit: TrendMetric.Unit) -> String {
        switch unit {
        case .microseconds: TickText.duration(microseconds: value)
        case .percent: MetricText.number(value) + " %"
        case .count: TickText.count(value)
        }
    }
}

extension TrendVerdict.Outcome {
    var title: String {
        switch self {
        case .asExpected: "As expected"
        case .worse: "Worse than before"
        case .tooFewRuns: "Too few runs"
        case .newestLeftOut: "Nothing certain"
        }
    }

    var tone: String {
        switch self {
        case .asExpected: "good"
        case .worse: "bad"
        case .tooFewRuns, .newestLeftOut: "warn"
        }
    }

    var meaning: String {
        switch self {
        case .asExpected: "The newest run is where the runs before it let expect it, or better."
        case .worse: "The newest run lies outside of what the runs before it let expect."
        case .tooFewRuns: "There are too few runs before the newest to expect anything of it."
        case .newestLeftOut: "The newest run says nothing certain about its target."
        }
    }
}

extension TrendMetric.Verdict {
    var title: String {
        switch self {
        case .asExpected: "as expected"
        case .worse: "worse"
        case .better: "better"
        case .tooFewRuns: "too few runs"
        case .notMeasured: "not measured"
        }
    }

    var tone: String {
        switch self {
        case .worse: "bad"
        case .better: "good"
        case .asExpected, .tooFewRuns, .notMeasured: ""
        }
    }
}
