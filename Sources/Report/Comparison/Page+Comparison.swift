package import Comparison
import Rules

extension Page {
    /// `showsAll` lists informational metrics without changes in terminal text.
    init(_ document: ComparisonDocument, showsAll: Bool = false) {
        let verdict = document.verdict
        let sides = [("base", document.base), ("candidate", document.candidate)]
        let titles = sides.map { Self.shortened($0.1.title) }
        let profiles = Set((document.base.runs + document.candidate.runs).map(\.profile)).sorted()
        let counts = sides.map { "\(Self.shortened($0.1.title)) (\(TextLayout.counted($0.1.runs.count, "run")))" }
        let needed = verdict.runsNeededPerSide.map { ["About \($0) runs on each side would probably decide."] } ?? []
        let words = verdict.outcome.words
        let marks = ["base", "c1"].map { Markup(trusted: "<i class=\"\($0)\"></i>") }
        let keys: Words = "\(marks[0])base: \(titles[0]) \(marks[1])candidate: \(titles[1])"
        self.init(
            title: "\(words.title): \(titles[0]) against \(titles[1])",
            name: "\(titles[0]) → \(titles[1])",
            isNamed: false,
            facts: ["\(counts[1]) against \(counts[0])"] + profiles,
            verdict: Verdict(
                words.title,
                words.tone,
                words.meaning,
                needsMeaning: verdict.outcome == .inconclusive,
                exitCode: verdict.exitCode,
                reasons: verdict.reasons + needed,
                sign: words.sign
            ),
            caveats: [document.swapDoubt].compactMap { $0.map { Words($0, .warn) } } + sides.map(Self.caveat),
            opening: [.paragraph(keys, .legend)],
            sections: ComparisonSections.all(document, titles: titles, showsAll: showsAll),
            version: document.podswarmVersion
        )
    }

    private static func caveat(_ word: String, _ side: ComparedSide) -> Words {
        let times = [side.runs.first?.startedAt, side.runs.last?.startedAt].compactMap(\.self)
        let span = Set(times).count == 2 ? ", \(times[0]) to \(times[1])" : times.first.map { ", \($0)" } ?? ""
        let profile = side.runs.first.map { ", profile \($0.profile)" } ?? ""
        return Words("\(word): \(side.title): \(TextLayout.counted(side.runs.count, "run"))\(profile)\(span)")
    }

    private static func shortened(_ title: String) -> String {
        title.contains("/") ? title.split(separator: "/").last.map(String.init) ?? title : title
    }
}

extension ComparisonDocument {
    package func text(_ rendering: TextRendering = TextRendering(), showsAll: Bool = false) -> String {
        rendering.render(Page(self, showsAll: showsAll))
    }

    /// Short enough for a pull request comment.
    package var markdown: String { MarkdownRendering(level: "###").render(Page(self)) }

    /// A document without curves gets those of the given runs.
    package func html(base: [RunFigures] = [], candidate: [RunFigures] = []) throws -> String {
        try Page(curves.isEmpty ? adding(curvesOf: base, candidate) : self).html()
    }
}

extension MetricComparison {
    /// Whether the metric differs beyond its margin if it is looked at alone, and not among all of its family.
    fileprivate var differsAlone: Bool {
        let isOpen = verdict == .inconclusive || verdict == .noRegression
        return isOpen && min(regressionP ?? 1, improvementP ?? 1) <= ComparisonOptions.standard.significance
    }
}

private enum ComparisonSections {
    private static let lines = Limits(markdown: 12)

    static func all(_ document: ComparisonDocument, titles: [String], showsAll: Bool) -> [Section?] {
        let comparability = document.comparability
        let informing = document.metrics.filter { !$0.gating }
        let better = Block.list(document.verdict.improvements.map { Words($0, .good) }, limit: lines)
        return [
            Section("better", "Better").showing([better]), differences(comparability),
            gates(document.metrics.filter(\.gating), titles), rates(document.rates),
            findings(document.findings, isLookedFor: comparability.comparable),
            information(informing, showsAll: showsAll), curves(document.curves, titles), method(document),
        ]
    }

    private static func gates(_ deciding: [MetricComparison], _ titles: [String]) -> Section? {
        guard !deciding.isEmpty else { return nil }
        let lead: Words =
            "The candidate's time by the base's, with its interval. The band is the declared margin; left is faster."
        let strips = deciding.map { metric in
            let strip = RunStrip(metric: metric, baseTitle: titles[0], candidateTitle: titles[1])
            return Chart(.code(metric.metric), strip.plot())
        }
        return Section("metrics", "Gates", link: "Latency")
            .showing([.lead(lead), metrics(deciding), .charts(strips, .half)])
    }

    private static func differences(_ comparability: Comparability) -> Section {
        let differences = comparability.differences.map {
            Words($0.text + ($0.allowed ? " (--allow-different \($0.aspect))" : ""), $0.allowed ? .warn : .plain)
        }
        let unfit = comparability.unfitRuns.map { run -> Words in
            let allowed = run.allowed ? " (--allow-different \(run.aspect ?? ""))" : ""
            return "\(code: run.path): \(run.reasons.joined(separator: "; "))\(allowed)"
        }
        let skipped = comparability.skippedFiles.map { Words("\(code: $0.path): \($0.reason)") }
        return Section("differences", "What differs between the sides").showing([
            .list(differences, limit: lines), unfit.isEmpty ? nil : .heading("Runs that say nothing certain"),
            .list(unfit, limit: lines), skipped.isEmpty ? nil : .heading("Left aside"),
            .list(skipped, limit: lines),
        ])
    }

    /// A narrow terminal drops the last columns.
    private static func metrics(_ metrics: [MetricComparison], isMild: Bool = false) -> Block {
        let chart = RatioChart(metrics)
        let heads: [Table.Column] = [
            "metric", "change", .text("verdict"), "90% interval", "margin", "base", "candidate",
            .text("\(chart.axis())", style: "forestcol"),
        ]
        let name = isMild ? "Table of informational metrics" : "Table of gating metrics"
        return Table(name, heads).listing(metrics) { metric in
            let tone = isMild ? .plain : metric.verdict.words.tone
            let mild = metric.verdict == .regression ? "worse" : metric.differsAlone ? "differs" : nil
            let word = (isMild ? mild : nil) ?? metric.verdict.words.title
            return .init([
                .code(metric.metric), .strong(metric.ratio.map(MetricText.change) ?? "–", tone), .tag(word, tone),
                MetricText.interval(metric).orDash, Words(MetricText.number(metric.appliedMarginPercent) + "%"),
                metric.base.medianMicroseconds.map(MetricText.time).orDash,
                metric.candidate.medianMicroseconds.map(MetricText.time).orDash, "\(chart.row(metric))",
            ])
        }
    }

    private static func information(_ metrics: [MetricComparison], showsAll: Bool) -> Section {
        let news = metrics.filter { $0.verdict == .regression || $0.verdict == .improvement || $0.differsAlone }
        let hidden = showsAll ? 0 : metrics.count - news.count
        let measured = Self.metrics(metrics.filter { $0.verdict != .notMeasured }, isMild: true)
        let more = Block.said("\(TextLayout.counted(hidden, "more metric")) without news")
        return Section("information", "For information", isFolded: true).showing([
            Self.metrics(showsAll ? metrics : news, isMild: true).only(.text),
            Self.metrics(news, isMild: true).only(.markdown), hidden > 0 ? more.only([.text, .markdown]) : nil,
            .folded("Metrics for information only", [measured]).only(.page),
        ])
    }

    private static func rates(_ rates: [RateComparison]) -> Section {
        let interval = { (side: RateComparison.Side) -> String? in
            side.lowPercent.flatMap { low in
                side.highPercent.map { "\(MetricText.percent(low)) to \(MetricText.percent($0))" }
            }
        }
        let heads: [Table.Column] = [
            "rate", "base", "candidate", .text("verdict"), "base interval", "candidate interval", "difference",
        ]
        let table = Table("Table of rates", heads, limits: Limits(markdown: 20), noun: "rate").listing(rates) { rate in
            let difference = rate.differencePoints.map { $0 == 0 ? "none" : points($0) }
            let cells: [Words] = [
                .code(rate.metric), rate.base.percent.map(MetricText.percent).orDash,
                rate.candidate.percent.map(MetricText.percent).orDash,
                .tag(rate.verdict.words.title, rate.verdict.words.tone), interval(rate.base).orDash,
                interval(rate.candidate).orDash, difference.orDash,
            ]
            return .init(cells, rank: rate.verdict == .noRegression ? 0 : 1)
        }
        return Section("rates", "Rates", link: "Rates").showing([table])
    }

    private static func points(_ difference: Double) -> String {
        (difference > 0 ? "+" : "") + MetricText.rounded(difference, places: 2) + " points"
    }

    /// Only a page has the section if findings were not compared.
    private static func findings(_ findings: [FindingComparison], isLookedFor: Bool) -> Section {
        let side = { (side: FindingComparison.Side) in
            side.count == 0 ? "none" : "\(TextLayout.grouped(side.count)) in \(TextLayout.counted(side.runs, "run"))"
        }
        let list = Block.list(findings.map { Words("\($0.severity) \($0.text)", $0.tone) }, limit: lines)
        let heads = Table.Column.texts("code", "change", "base", "candidate", "meaning")
        let table = Table("Table of findings", heads).listing(findings) { finding in
            let change = finding.change.rawValue.replacing("_", with: " ") + (finding.allowed ? ", allowed" : "")
            return .init([
                .code(finding.code), .tag(change, finding.tone), Words(side(finding.base)),
                Words(side(finding.candidate)), Words(finding.meaning),
            ])
        }
        let summary = findings.isEmpty ? Words("none on either side", isLookedFor ? .good : .plain) : nil
        let forms: Forms = isLookedFor ? .all : .page
        return Section("findings", "Findings", link: "Findings", summary: summary, forms: forms)
            .showing([list.only([.text, .markdown]), table.only(.page)])
    }

    private static func curves(_ curves: [CurveComparison], _ titles: [String]) -> Section? {
        let charts = OverlaidCurves(curves: curves, base: titles[0], candidate: titles[1]).charts()
        guard !charts.isEmpty else { return nil }
        let lead: Words =
            "All runs of a side added up; thin lines are single runs. Tail axis: 90%, 99% and 99.9% are equally far apart."
        return Section("curves", "Percentile curves", link: "Curves", forms: .page)
            .showing([.lead(lead), .charts(charts, .kinds)])
    }

    private static func method(_ document: ComparisonDocument) -> Section {
        let method = document.method
        let text =
            "One \(method.unit) is one observation. Change: Hodges-Lehmann ratio, with its"
            + " \(MetricText.number(method.confidencePercent))% interval by ranks (Mann-Whitney). Gates are judged together"
            + " at \(MetricText.percent(method.significance * 100)) (\(method.correction)). A change below"
            + " \(MetricText.time(microseconds: method.floorMicroseconds)), or \(MetricText.number(method.rateTolerancePoints))"
            + " points of a rate, never counts."
        let runs = [("base", document.base), ("candidate", document.candidate)].flatMap { name, side in
            side.runs.map { run in
                Table.Row([
                    Words(name), Words(TimeText.instant(run.startedAtMicroseconds)),
                    Words(run.labels.pairs.joined(separator: " ")), Words(run.outcome), .code(run.path),
                ])
            }
        }
        return Section("runs", "Runs and method", link: "Runs", isFolded: true).showing([
            document.comparability.comparable ? .said(text) : nil,
            .list(document.notes.filter { $0 != document.swapDoubt }.map { Words($0) }, limit: lines),
            Table("Table of runs", Table.Column.texts("side", "started", "labels", "outcome", "file"))
                .listing(runs).only(.page),
        ])
    }
}

extension FindingComparison {
    fileprivate var tone: Tone {
        switch change {
        case .new, .beyondAllowance: isRegression ? .bad : .warn
        case .persisting: .warn
        case .gone: .good
        }
    }
}

extension FigureVerdict {
    var words: (title: String, tone: Tone) {
        switch self {
        case .regression: ("REGRESSION", .bad)
        case .improvement: ("better", .good)
        case .noRegression: ("no worse", .plain)
        case .inconclusive: ("undecided", .warn)
        case .notMeasured: ("not measured", .plain)
        }
    }
}

extension ComparisonVerdict.Outcome {
    var words: (title: String, tone: Tone, sign: String, meaning: String) {
        switch self {
        case .regression:
            ("Regression", .bad, "❌", "The candidate is worse than the base, beyond what was declared acceptable.")
        case .noRegression:
            (
                "No regression", .good, "✅",
                "Every gate is shown to be within its margin, and no rate was seen worse beyond its tolerance."
            )
        case .inconclusive: ("Inconclusive", .warn, "❔", "Too few runs for a verdict.")
        case .incomparable:
            (
                "Not comparable", .warn, "🚫",
                "The two sides were not measured in the same way, so nothing is said about the release."
            )
        }
    }
}
