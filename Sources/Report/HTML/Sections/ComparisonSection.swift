import Comparison
import Rulebook
import Thresholds

/// What a comparison page shows.
struct ComparisonSection {
    struct MetricRow {
        var metric: String
        var base: String
        var candidate: String
        var change: String
        var interval: String
        var chart: Markup
        var word: String
        var tone: String
    }

    struct RateRow {
        var metric: String
        var base: String
        var baseInterval: String
        var candidate: String
        var candidateInterval: String
        var difference: String
        var word: String
        var tone: String
    }

    struct FindingRow {
        var code: String
        var change: String
        var tone: String
        var meaning: String
        var base: String
        var candidate: String
    }

    struct Chart {
        var title: String
        var note: String
        var chart: Markup
    }

    struct Difference {
        var field: String
        var base: String
        var candidate: String
        var note: String
    }

    struct Unfit {
        var path: String
        var reasons: String
    }

    struct Run {
        var side: String
        var started: String
        var labels: String
        var outcome: String
        var path: String
    }

    var word: String
    var tone: String
    var meaning: String
    var reasons: [String]
    var hasReasons: Bool
    var improvements: [String]
    var hasImprovements: Bool
    var baseTitle: String
    var candidateTitle: String
    var gatingAxis: Markup
    var informationalAxis: Markup
    var gating: [MetricRow]
    var hasGating: Bool
    var informational: [MetricRow]
    var hasInformational: Bool
    var strips: [Chart]
    var hasStrips: Bool
    var rates: [RateRow]
    var hasRates: Bool
    var findings: [FindingRow]
    var hasFindings: Bool
    var curves: [Chart]
    var hasCurves: Bool
    var within: WithinRunSection?
    var differences: [Difference]
    var hasDifferences: Bool
    var unfit: [Unfit]
    var hasUnfit: Bool
    var runs: [Run]
    var method: [String]
    var notes: [String]
    var hasNotes: Bool

    init(_ document: ComparisonDocument) {
        let verdict = document.verdict
        word = verdict.outcome.title
        tone = verdict.outcome.tone
        meaning = verdict.outcome.meaning(runsNeeded: verdict.runsNeededPerSide)
        reasons = verdict.reasons
        hasReasons = !reasons.isEmpty
        improvements = verdict.improvements
        hasImprovements = !improvements.isEmpty
        let base = Self.shortened(document.base.title)
        let candidate = Self.shortened(document.candidate.title)
        baseTitle = base
        candidateTitle = candidate
        let deciding = document.metrics.filter(\.gating)
        let others = document.metrics.filter { !$0.gating && $0.verdict != .notMeasured }
        gating = Self.rows(deciding)
        gatingAxis = RatioChart(deciding).axis()
        hasGating = !gating.isEmpty
        informational = Self.rows(others)
        informationalAxis = RatioChart(others).axis()
        hasInformational = !informational.isEmpty
        strips = document.metrics.filter(\.gating).compactMap { metric in
            RunStrip(metric: metric, baseTitle: base, candidateTitle: candidate).plot().map {
                Chart(title: metric.metric, note: "", chart: $0.markup())
            }
        }
        hasStrips = !strips.isEmpty
        rates = document.rates.filter { $0.verdict != .notMeasured }.map(Self.row)
        hasRates = !rates.isEmpty
        findings = document.findings.map(Self.row)
        hasFindings = !findings.isEmpty
        curves = OverlaidCurves(curves: document.curves, base: base, candidate: candidate).charts()
        hasCurves = !curves.isEmpty
        within = document.withinRun.map(WithinRunSection.init)
        differences = document.comparability.differences.map {
            Difference(
                field: $0.field,
                base: $0.base.joined(separator: "; "),
                candidate: $0.candidate.joined(separator: "; "),
                note: $0.allowed ? "allowed" : ""
            )
        }
        hasDifferences = !differences.isEmpty
        unfit = document.comparability.unfitRuns.map {
            Unfit(path: $0.path, reasons: $0.reasons.joined(separator: "; ") + ($0.allowed ? " (allowed)" : ""))
        }
        hasUnfit = !unfit.isEmpty
        runs = Self.runs(document)
        method = Self.method(document.method)
        notes = document.notes
        hasNotes = !notes.isEmpty
    }

    /// A path by its last name: the whole stands among the runs.
    static func shortened(_ title: String) -> String {
        title.contains("/") ? title.split(separator: "/").last.map(String.init) ?? title : title
    }

    private static func rows(_ metrics: [MetricComparison]) -> [MetricRow] {
        let chart = RatioChart(metrics)
        return metrics.map { row($0, chart) }
    }

    private static func row(_ metric: MetricComparison, _ chart: RatioChart) -> MetricRow {
        let time = { (value: Double?) in value.map { MetricText.time(microseconds: $0) } ?? "–" }
        return MetricRow(
            metric: metric.metric,
            base: time(metric.base.medianMicroseconds),
            candidate: time(metric.candidate.medianMicroseconds),
            change: metric.ratio.map { MetricText.change(ratio: $0) } ?? "–",
            interval: MetricText.interval(metric) ?? (metric.ratio == nil ? "" : "no interval"),
            chart: chart.row(metric),
            word: metric.verdict.title,
            tone: metric.verdict.tone
        )
    }

    private static func row(_ rate: RateComparison) -> RateRow {
        let percent = { (side: RateComparison.Side) in side.percent.map(MetricText.percent) ?? "–" }
        let interval = { (side: RateComparison.Side) -> String in
            guard let low = side.lowPercent, let high = side.highPercent else { return "" }
            return "\(MetricText.percent(low)) to \(MetricText.percent(high))"
        }
        return RateRow(
            metric: rate.metric,
            base: percent(rate.base),
            baseInterval: interval(rate.base),
            candidate: percent(rate.candidate),
            candidateInterval: interval(rate.candidate),
            difference: rate.differencePoints.map {
                $0 == 0 ? "none" : ($0 > 0 ? "+" : "") + MetricText.rounded($0, places: 2) + " points"
            } ?? "–",
            word: rate.verdict.title,
            tone: rate.verdict.tone
        )
    }

    private static func row(_ finding: FindingComparison) -> FindingRow {
        let side = { (side: FindingComparison.Side) in
            side.count == 0 ? "none" : "\(TextLayout.grouped(side.count)) in \(TextLayout.counted(side.runs, "run"))"
        }
        let tone =
            switch finding.change {
            case .new, .beyondAllowance: finding.isRegression ? "bad" : "warn"
            case .persisting: ""
            case .gone: "good"
            }
        let change = finding.change.rawValue.replacing("_", with: " ")
        return FindingRow(
            code: finding.code,
            change: finding.allowed ? "\(change), allowed" : change,
            tone: tone,
            meaning: finding.meaning,
            base: side(finding.base),
            candidate: side(finding.candidate)
        )
    }

    private static func runs(_ document: ComparisonDocument) -> [Run] {
        [("base", document.base), ("candidate", document.candidate)].flatMap { name, side in
            side.runs.map { run in
                Run(
                    side: name,
                    started: TimeText.instant(run.startedAtMicroseconds),
                    labels: run.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                        .joined(separator: " "),
                    outcome: run.outcome.replacing("_", with: "-"),
                    path: run.path
                )
            }
        }
    }

    private static func method(_ method: ComparisonMethod) -> [String] {
        let unit = method.unit == .run ? "One run is one observation." : "One break is one observation."
        return [
            unit,
            "Intervals hold \(MetricText.number(method.confidencePercent)) %; the chance of calling any regression"
                + " where there is none is \(MetricText.number(method.significance * 100)) % over all gating metrics"
                + " (\(method.correction)).",
            "A change below \(MetricText.time(microseconds: method.floorMicroseconds)), or"
                + " \(MetricText.number(method.rateTolerancePoints)) points of a rate, never counts.",
        ]
            + (method.allowedDifferences.isEmpty
                ? [] : ["Allowed to differ: \(method.allowedDifferences.joined(separator: ", "))."])
    }
}

/// What two single runs can say: the differences between their breaks.
struct WithinRunSection {
    struct Row {
        var name: String
        var base: String
        var candidate: String
        var change: String
        var interval: String
    }

    var withinText: String
    var breaks: String
    var figures: [Row]

    init(_ within: WithinRunComparison) {
        withinText = within.text
        breaks = "\(TextLayout.counted(within.baseBreaks, "break")) against \(within.candidateBreaks)."
        figures = within.figures.map { figure in
            let isTime = figure.unit == "us"
            let value = { (value: Double) in
                isTime ? MetricText.time(microseconds: value) : MetricText.percent(value)
            }
            let change = { (value: Double) in
                isTime
                    ? MetricText.change(ratio: value)
                    : (value > 0 ? "+" : "") + MetricText.rounded(value, places: 2) + " points"
            }
            return Row(
                name: figure.name.replacing("_", with: " "),
                base: value(figure.base),
                candidate: value(figure.candidate),
                change: change(figure.change),
                interval: "\(change(figure.changeLow)) to \(change(figure.changeHigh))"
            )
        }
    }
}

extension FigureVerdict {
    var title: String {
        switch self {
        case .regression: "regression"
        case .improvement: "better"
        case .noRegression: "no worse"
        case .inconclusive: "undecided"
        case .notMeasured: "not measured"
        }
    }

    var tone: String {
        switch self {
        case .regression: "bad"
        case .improvement: "good"
        case .noRegression: ""
        case .inconclusive: "warn"
        case .notMeasured: ""
        }
    }
}

extension ComparisonVerdict.Outcome {
    var title: String {
        switch self {
        case .regression: "Regression"
        case .noRegression: "No regression"
        case .inconclusive: "Inconclusive"
        case .incomparable: "Not comparable"
        }
    }

    var tone: String {
        switch self {
        case .regression: "bad"
        case .noRegression: "good"
        case .inconclusive, .incomparable: "warn"
        }
    }

    func meaning(runsNeeded: Int?) -> String {
        switch self {
        case .regression: "The candidate is worse than the base, beyond what was declared acceptable."
        case .noRegression:
            "Every gate is shown to be within its margin, and no rate was seen worse beyond its tolerance."
        case .inconclusive:
            "These runs decide neither way."
                + (runsNeeded.map { " About \($0) runs on each side would probably decide." } ?? "")
        case .incomparable: "The two sides were not measured in the same way, so nothing is said about the release."
        }
    }
}
