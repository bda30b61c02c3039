package import Comparison
package import Foundation
import Results
import Rules
import Values

extension ComparisonDocument: PagedDocument {
    package var page: Page {
        let sides = [("base", base), ("candidate", candidate)]
        let titles = sides.map { Self.shortened($0.1.title) }
        let profiles = Set((base.runs + candidate.runs).map(\.profile)).sorted()
        let counts = sides.map { "\(Self.shortened($0.1.title)) (\(TextLayout.counted($0.1.runs.count, "run")))" }
        let wording = Wording("comparison", verdict.outcome.rawValue)
        let marks = ["base", "c1"].map { Markup(trusted: "<i class=\"\($0)\"></i>") }
        let keys: Words = "\(marks[0])base: \(titles[0]) \(marks[1])candidate: \(titles[1])"
        return Page(
            title: "\(wording.word): \(titles[0]) against \(titles[1])",
            name: "\(titles[0]) → \(titles[1])",
            isNamed: false,
            facts: ["\(counts[1]) against \(counts[0])"] + profiles,
            verdict: Verdict(
                wording,
                needsMeaning: verdict.outcome == .inconclusive,
                exitCode: verdict.exitCode,
                reasons: verdict.reasons + [counsel].compactMap(\.self)
            ),
            caveats: [swapDoubt].compactMap { $0.map { Words($0, .warn) } } + sides.map(Self.caveat),
            opening: [.paragraph(keys, .legend)],
            sections: ComparisonSections.all(self, titles: titles),
            version: podswarmVersion
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

/// Response times of the runs of a release, added up by kind of request.
package struct ResponseTimes {
    /// Skips the rest, as `RunFigures` does.
    private struct Figures: Decodable {
        struct Requests: Decodable { var latencies: [String: LatencyResult] }

        var requests: [String: Requests]
    }

    /// Nil if any could not be read: a comparison is decided without curves, and those of other runs would mislead.
    private(set) var durations: [String: SparseHistogram]? = [:]

    package init() {}

    package mutating func add(result json: Data?) {
        do {
            for (kind, request) in try DocumentDecoding().decode(Figures.self, from: json ?? Data()).requests {
                guard let times = try request.latencies[LatencyMetric.response.name]?.decoded() else { continue }
                durations?[kind, default: SparseHistogram()].add(times)
            }
        } catch { durations = nil }
    }
}

extension ComparisonDocument {
    /// The page, with the curves of both releases in one chart for each kind of request.
    package func html(_ base: ResponseTimes, _ candidate: ResponseTimes) throws -> String {
        var page = self.page
        let curves = ComparisonSections.curves(base.durations ?? [:], candidate.durations ?? [:])
        page.sections.insert(curves, at: page.sections.endIndex - 1)
        return try page.html()
    }
}

extension MetricComparison {
    /// Whether the metric differs beyond its margin if it is looked at alone, and not among all of its family.
    fileprivate var differsAlone: Bool {
        let isOpen = verdict == .inconclusive || verdict == .noRegression
        return isOpen && min(regressionP ?? 1, improvementP ?? 1) <= ComparisonMethod.significance
    }
}

private enum ComparisonSections {
    private static let lines = Limits(markdown: 12)

    static func all(_ document: ComparisonDocument, titles: [String]) -> [Section?] {
        let comparability = document.comparability
        let informing = document.metrics.filter { !$0.gating }
        let said = document.verdict.reasons.prefix(Verdict.reasonLimit)
        let better = document.verdict.improvements.filter { !said.contains($0) }.map { Words($0, .good) }
        return [
            Section("better", "Better").showing([.list(better, limit: lines)]), differences(comparability, said),
            gates(document.metrics.filter(\.gating), titles), rates(document.rates),
            findings(document.findings, isLookedFor: comparability.comparable),
            information(informing), method(document),
        ]
    }

    private static func gates(_ deciding: [MetricComparison], _ titles: [String]) -> Section? {
        guard !deciding.isEmpty else { return nil }
        let strips = deciding.map { Chart(.code($0.metric), $0.strip(titles)) }
        return Section("metrics", "Gates", link: "Gates")
            .showing([.lead(.sentence("gates")), metrics(deciding), .charts(strips, .half)])
    }

    static func curves(_ base: [String: SparseHistogram], _ candidate: [String: SparseHistogram]) -> Section? {
        let kinds = RequestKind.allCases.map(\.name).filter { base[$0] != nil && candidate[$0] != nil }
        let all = (kinds.compactMap { base[$0] } + kinds.compactMap { candidate[$0] }).filter { $0.count > 0 }
        let scale = LogScale(around: all.map { ($0.minimumMicroseconds, $0.maximumMicroseconds) })
        let charts = kinds.map { kind -> Chart? in
            guard let base = base[kind], let candidate = candidate[kind] else { return nil }
            let lines = [("base", "base", base), ("candidate", "c1", candidate)]
            let counts = "\(TextLayout.counted(base.count, "request")), \(TextLayout.grouped(candidate.count))"
            let name = "\(kind): response times of both releases by percentile"
            return Chart("\(strong: kind) \(counts)", Plot.percentiles(name, lines, up: scale))
        }
        guard charts.contains(where: { $0 != nil }) else { return nil }
        return Section("curves", "Response times by percentile", link: "Curves", forms: .page)
            .showing([.lead(.sentence("curves")), .charts(charts, .kinds)])
    }

    /// Without what the verdict has already said.
    private static func differences(_ comparability: Comparability, _ said: ArraySlice<String>) -> Section {
        let differences = comparability.differences.filter { !said.contains($0.text) }.map {
            Words($0.text + ($0.allowed ? " (--allow-different \($0.aspect))" : ""), $0.allowed ? .warn : .plain)
        }
        let unfit = comparability.unfitRuns.map { run -> Words in
            let allowed = run.allowed ? " (--allow-different \(run.aspect ?? ""))" : ""
            return "\(code: run.path): \(run.reasons.joined(separator: "; "))\(allowed)"
        }
        let skipped = comparability.skippedFiles.map { Words("\(code: $0.path): \($0.reason)") }
        return Section("differences", "What differs between the sides").showing([
            .list(differences, limit: lines), unfit.isEmpty ? nil : .heading("Runs that say nothing certain"),
            .list(unfit, limit: lines), skipped.isEmpty ? nil : .heading("Left aside"), .list(skipped, limit: lines),
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
            let tone = isMild ? .plain : metric.verdict.wording.tone
            let mild = metric.verdict == .regression ? "worse" : metric.differsAlone ? "differs" : nil
            let word = (isMild ? mild : nil) ?? metric.verdict.title(metric.unprovedChange, metric.moreRuns)
            return .init([
                .code(metric.metric), .strong(metric.ratio.map(MetricText.change) ?? "–", tone), .tag(word, tone),
                MetricText.interval(metric).orDash, Words(MetricText.number(metric.appliedMarginPercent) + "%"),
                metric.base.medianMicroseconds.map(MetricText.time).orDash,
                metric.candidate.medianMicroseconds.map(MetricText.time).orDash, "\(chart.row(metric))",
            ])
        }
    }

    private static func information(_ metrics: [MetricComparison]) -> Section {
        let news = metrics.filter { $0.verdict == .regression || $0.verdict == .improvement || $0.differsAlone }
        let hidden = metrics.count - news.count
        let measured = Self.metrics(metrics.filter { $0.verdict != .notMeasured }, isMild: true)
        let more = Block.said("\(TextLayout.counted(hidden, "more metric")) without news")
        return Section("information", "For information", isFolded: true).showing([
            Self.metrics(news, isMild: true).only([.text, .markdown]),
            hidden > 0 ? more.only([.text, .markdown]) : nil,
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
                .tag(rate.verdict.title("worse", rate.moreRuns), rate.verdict.wording.tone), interval(rate.base).orDash,
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
    fileprivate var tone: Tone { isRegression ? .bad : change == .gone ? .good : .warn }
}

extension FigureVerdict {
    var wording: Wording { Wording("figure", rawValue) }

    func title(_ change: String?, _ more: Int?) -> String {
        guard self == .inconclusive else { return wording.word }
        let runs = more.map { ": make \(TextLayout.counted($0, "more run"))" } ?? ""
        return (change.map { "\($0), not yet proved" } ?? wording.word) + runs
    }
}

/// The ratio of candidate to base as a dot with its interval as a whisker.
struct RatioChart {
    let scale: LogScale

    private static let height = 22.0

    /// Limited to a factor of four either way.
    init(_ metrics: [MetricComparison]) {
        let ratios = metrics.flatMap { metric in
            [metric.ratio, metric.ratioLow, metric.ratioHigh, 1 + metric.appliedMarginPercent / 100].compactMap(\.self)
        }.filter { $0 > 0 && $0.isFinite }
        let farthest = max(ratios.map { max($0, 1 / $0) }.max() ?? 1.2, 1.15)
        let edge = min(farthest * 1.05, 4)
        scale = LogScale(1 / edge, edge)
    }

    var ticks: [Tick] {
        let steps: [Double] = [1.05, 1.1, 1.2, 1.5, 2, 3]
        let step = steps.last { $0 <= scale.highest * 0.93 } ?? 1.05
        return [1 / step, 1, step].map { ratio in
            let text = ratio == 1 ? "same" : MetricText.change(ratio: ratio)
            return (fraction: scale.fraction(of: ratio), label: text)
        }
    }

    func axis() -> Markup {
        var drawing = Drawing()
        for tick in ticks { drawing.text(tick.label, at: tick.fraction, y: 12, "xl") }
        return drawing.picture("forest axis", "change", height: 15)
    }

    func row(_ metric: MetricComparison) -> Markup {
        guard let ratio = metric.ratio else { return .none }
        var drawing = Drawing()
        let middle = Self.height / 2
        let margin = 1 + metric.appliedMarginPercent / 100
        let place = scale.fraction(of:)
        drawing.bar(from: place(1 / margin), to: place(margin), y: 0, height: Self.height, "band")
        drawing.vertical(at: place(1), from: 0, to: Self.height, "ax0")
        let tone = metric.verdict == .regression ? "worse" : metric.verdict == .improvement ? "better" : "plain"
        if let low = metric.ratioLow, let high = metric.ratioHigh {
            drawing.horizontal(y: middle, "whisker \(tone)", from: place(low), to: place(high))
        }
        drawing.dot(at: place(ratio), y: middle, radius: 4, "dot \(tone)")
        return drawing.picture("forest", metric.text, height: Self.height)
    }
}

extension MetricComparison {
    /// Shows the noise between the runs of both sides, whose titles are given.
    func strip(_ titles: [String]) -> Plot? {
        let (first, second) = (base.runsMicroseconds.compactMap(\.self), candidate.runsMicroseconds.compactMap(\.self))
        guard let low = (first + second).min(), let high = (first + second).max(), !first.isEmpty, !second.isEmpty
        else { return nil }
        let room = max((high - low) * 0.08, high * 0.02, 1)
        let scale = LinearScale(max(low - room, 0), high + room)
        var plot = Plot(name: "\(metric) of each run of both sides", height: 50, across: scale, style: "strip")
        plot.horizontalTicks = Ticks.values(on: scale, atMost: 6, TickText.duration)
        let rows: [(values: [Double], median: Double?, y: Double, style: String, title: String)] = [
            (first, base.medianMicroseconds, 14, "base", "base"),
            (second, candidate.medianMicroseconds, 36, "cand", "cand."),
        ]
        for row in rows {
            for value in row.values { plot.marks.dot(at: plot.place(value), y: row.y, radius: 4, "rd \(row.style)") }
            if let median = row.median {
                plot.marks.vertical(at: plot.place(median), from: row.y - 9, to: row.y + 9, "md \(row.style)")
            }
            plot.marks.leftLabel(row.title, y: row.y + 4)
        }
        let runs = zip(titles, [base, candidate]).flatMap { title, side in
            side.runsMicroseconds.enumerated().compactMap { index, value in
                value.map { (place: $0, heading: "\(title), run \(index + 1)") }
            }
        }.sorted { ($0.place, $0.heading) < ($1.place, $1.heading) }
        plot.readings = Readings(
            fractions: runs.map { scale.fraction(of: $0.place) },
            headings: runs.map(\.heading),
            lines: [(metric, "", runs.map { MetricText.time(microseconds: $0.place) })]
        )
        return plot
    }
}

extension CapacityComparisonDocument: PagedDocument {
    package var page: Page {
        let wording = Wording("capacities", verdict.outcome.rawValue)
        let sides = [("base", base), ("candidate", candidate)]
        let counts = sides.map { _, side in
            "\(side.title) (\(side.searches.count == 1 ? "1 search" : "\(side.searches.count) searches"))"
        }
        let reasons = [text] + verdict.reasons.filter { $0 != text }
        let exit = verdict.exitCode
        return Page(
            title: "\(wording.word): \(base.title) against \(candidate.title)",
            name: "\(base.title) → \(candidate.title)",
            isNamed: false,
            facts: ["\(counts[1]) against \(counts[0])"],
            verdict: Verdict(wording, text, exitCode: exit, reasons: reasons),
            caveats: [swapDoubt].compactMap { $0.map { Words($0, .warn) } },
            sections: [
                Section("searches", "Searches").showing([table(sides)]),
                Section("notes", "Notes").showing([.list(remarks.map { Words($0) })]),
            ],
            version: podswarmVersion
        )
    }

    private func table(_ sides: [(String, Side)]) -> Block {
        let interval = { (lower: Double?, upper: Double?) -> String? in
            lower.flatMap { lower in upper.map { "\(CapacityDocument.count(lower)) to \(CapacityDocument.count($0))" } }
        }
        let rows = sides.flatMap { name, side in
            let estimate = side.estimate
            let sum = Table.Row([
                Words("\(name): \(side.title)"), estimate.map { CapacityDocument.count($0.value) }.orDash,
                interval(estimate?.lower, estimate?.upper).orDash, "",
            ])
            let each = side.searches.map { search in
                let ends = search.leftOut == nil ? interval(search.lower, search.upper) : "left out"
                let started = String(UTCText.iso8601(microseconds: search.startedAtMicroseconds).prefix(16))
                let value = search.value.map(CapacityDocument.count).orDash
                return Table.Row([Words("  \(search.path)"), value, ends.orDash, Words(started)])
            }
            return [sum] + each
        }
        let heads: [Table.Column] = ["search", .init(unit), "90% interval", "started"]
        return Table("Table of searches", heads, limits: Limits(markdown: 40), noun: "search").listing(rows)
    }

    private var remarks: [String] {
        comparability.differences.filter(\.allowed).map { "allowed: \($0.text)" }
            + comparability.unfitRuns.filter(\.allowed).map {
                "left aside: \($0.path): \($0.reasons.joined(separator: "; "))"
            } + comparability.skippedFiles.map { "left aside: \($0.path): \($0.reason)" }
            + notes.filter { $0 != swapDoubt }
    }
}
