import CapacityResult
import Foundation
import RunResult
import Thresholds

/// What a page about a capacity shows.
struct CapacitySection {
    struct Figure {
        var name: String
        var value: String
        var note: String
    }

    struct Key {
        var chart: Markup
        var text: String
    }

    struct Picture {
        var chart: Markup
        var text: String
    }

    struct Run {
        var number: String
        var kind: String
        var started: String
        var took: String
        var sizes: String
        var outcomes: String
        var result: String
        var ended: String
    }

    struct Break {
        var run: String
        var size: String
        var watching: String
        var onTime: String
        var p99: String
        var served: String
        var word: String
        var tone: String
        var reasons: [String]
    }

    struct Asked {
        var name: String
        var value: String
    }

    var word: String
    var tone: String
    var big: String
    var hasBig: Bool
    var meaning: String
    var reasons: [String]
    var hasReasons: Bool
    var gaveFirst: String
    var hasGaveFirst: Bool
    var figures: [Figure]
    var keys: [Key]
    var breaks: Picture?
    var latency: Picture?
    var service: Picture?
    var unit: String
    var runs: [Run]
    var each: [Break]
    var hasEach: Bool
    var asked: [Asked]
    var notes: [String]
    var hasNotes: Bool

    init(_ document: CapacityDocument) {
        let facts = CapacityFacts(document: document)
        let answer = document.answer
        word = facts.word
        tone =
            switch (document.state, answer.kind) {
            case (.ended, .found): "good"
            case (.ended, .below): "bad"
            default: "warn"
            }
        big = Self.big(document)
        hasBig = !big.isEmpty
        meaning = answer.text
        reasons = [answer.reason].compactMap(\.self)
        hasReasons = !reasons.isEmpty
        gaveFirst = document.gaveFirst?.text ?? ""
        hasGaveFirst = document.gaveFirst != nil
        figures = Self.figures(document)
        keys = Self.keys
        let charts = CapacityCharts(document)
        breaks = charts.breaks().map { Picture(chart: $0.markup(), text: "") }
        latency = charts.latency().map { Picture(chart: $0.markup(), text: facts.knee ?? Self.noKnee) }
        service = charts.service().map { plot in
            let law = facts.law ?? "Too few sizes, or too near one another, for a law."
            return Picture(
                chart: plot.markup(),
                text: [law, facts.projection].compactMap(\.self).joined(separator: " ")
            )
        }
        unit = document.asked.quantity == .viewers ? "Viewers" : document.asked.quantity.rawValue + ", ms"
        runs = document.runs.enumerated().map { Self.run($0.offset + 1, $0.element) }
        each = document.runs.enumerated().flatMap { index, run in
            run.breaks.map { Self.judged($0, size: facts.size(of: $0, in: run), of: index + 1) }
        }
        hasEach = !each.isEmpty
        asked = Self.asked(document)
        notes = (document.notes ?? []) + [facts.peak].compactMap(\.self)
        hasNotes = !notes.isEmpty
    }

    private static let noKnee = "No bend was found in it."

    private static let keys: [Key] = [
        Key(chart: Symbol.disc.key, text: "held"), Key(chart: Symbol.cross.key, text: "missed"),
        Key(chart: Symbol.diamond.key, text: "censored: podswarm or its machine may be why"),
    ]

    /// Whether the page has more to jump to.
    var links: [PageLink] {
        var links = [PageLink(anchor: "verdict", title: "Answer")]
        if breaks != nil { links.append(PageLink(anchor: "breaks", title: "Breaks")) }
        if latency != nil { links.append(PageLink(anchor: "latency", title: "Latency")) }
        if service != nil { links.append(PageLink(anchor: "service", title: "Service rate")) }
        return links + [PageLink(anchor: "runs", title: "Runs"), PageLink(anchor: "asked", title: "What was asked")]
    }
}

extension CapacitySection {
    private static func big(_ document: CapacityDocument) -> String {
        guard let value = document.answer.value else { return "" }
        let isViewers = document.asked.quantity.isHarderWithMore
        let sign =
            switch document.answer.kind {
            case .atLeast: isViewers ? "≥ " : "≤ "
            case .below: isViewers ? "< " : "> "
            case .found, .wide, .unknown: ""
            }
        return sign + CapacityFacts.count(value) + (isViewers ? "" : " ms")
    }

    private static func figures(_ document: CapacityDocument) -> [Figure] {
        let answer = document.answer
        var figures: [Figure] = []
        if let half = answer.halfHeld {
            figures.append(
                Figure(
                    name: "Every second break holds",
                    value: CapacityFacts.count(half),
                    note: document.asked.quantity.unit
                )
            )
        }
        if let noise = answer.runNoisePercent {
            figures.append(Figure(name: "Differs from run to run", value: MetricText.percent(noise), note: ""))
        }
        if let noise = answer.breakNoisePercent {
            figures.append(Figure(name: "and from break to break", value: MetricText.percent(noise), note: ""))
        }
        if let peak = document.peak {
            figures.append(
                Figure(
                    name: "Pod requests, peak second",
                    value: CapacityFacts.count(peak.podRequestsPerSecond),
                    note: "with \(CapacityFacts.count(Double(peak.viewers))) viewers"
                )
            )
        }
        let breaks = TextLayout.counted(document.breaks.count, "break")
        figures.append(
            Figure(
                name: "Told by",
                value: breaks,
                note: [
                    TextLayout.counted(document.runs.count, "run"),
                    TimeText.length(seconds: document.search.spentSeconds),
                    document.search.shards.map { "\($0) shards" },
                ]
                .compactMap(\.self).joined(separator: ", ")
            )
        )
        return figures
    }

    private static func run(_ number: Int, _ run: CapacityRunResult) -> Run {
        let (least, most) = (run.sizes.min() ?? 0, run.sizes.max() ?? 0)
        let outcomes = JudgedBreak.Outcome.allCases.compactMap { outcome -> String? in
            let count = run.breaks.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(outcome.rawValue)"
        }
        return Run(
            number: String(number),
            kind: run.kind.rawValue,
            started: TimeText.instant(run.startedAtMicroseconds),
            took: TimeText.length(
                seconds: Double(run.endedAtMicroseconds &- run.startedAtMicroseconds) / 1_000_000
            ),
            sizes: least == most
                ? CapacityFacts.count(most) : "\(CapacityFacts.count(least)) to \(CapacityFacts.count(most))",
            outcomes: outcomes.isEmpty ? "–" : outcomes.joined(separator: ", "),
            result: run.result ?? "",
            ended: run.endedBy ?? ""
        )
    }

    private static func judged(_ judged: JudgedBreak, size: Double, of run: Int) -> Break {
        Break(
            run: String(run),
            size: CapacityFacts.count(size),
            watching: CapacityFacts.count(Double(judged.watching)),
            onTime: judged.onTimePercent.map(MetricText.percent) ?? "–",
            p99: judged.beginning?.p99Microseconds.map(TimeText.duration) ?? "–",
            served: judged.servedPerSecond.map(CapacityFacts.count) ?? "–",
            word: judged.outcome.rawValue,
            tone: judged.outcome.tone,
            reasons: judged.broken + judged.limits.map { "generator: \($0)" }
        )
    }

    private static func spacing(_ asked: CapacityQuestion) -> String {
        guard let watch = asked.watchSeconds else {
            return TimeText.length(seconds: Double(asked.spacingMilliseconds) / 1_000)
        }
        return "as the channel schedules them; \(TimeText.length(seconds: watch)) in a run at most"
    }

    private static func asked(_ document: CapacityDocument) -> [Asked] {
        let asked = document.asked
        let (unit, search) = (asked.quantity.unit, document.search)
        let count = CapacityFacts.count
        var rows = [
            Asked(name: "A break holds", value: asked.hold.joined(separator: ", ")),
            Asked(name: "Breaks that hold", value: MetricText.percent(asked.sharePercent)),
            Asked(name: "Ends within", value: MetricText.percent(asked.withinPercent)),
            Asked(
                name: "Tried",
                value: "\(count(asked.floor)) to \(count(asked.ceiling)) \(unit), from \(count(asked.from))"
            ),
        ]
        if let reason = asked.ceilingReason { rows.append(Asked(name: "Ceiling", value: reason)) }
        if let viewers = asked.viewers { rows.append(Asked(name: "Viewers", value: count(Double(viewers)))) }
        if let least = asked.atLeast { rows.append(Asked(name: "Wanted", value: "\(count(least)) \(unit)")) }
        let length = TimeText.length(seconds: asked.maximumSeconds)
        let labels = search.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        rows += [
            Asked(
                name: "At most",
                value: "\(TextLayout.counted(asked.maximumRuns, "run")) of \(asked.breaksPerRun) breaks, \(length)"
            ),
            Asked(name: "Between breaks", value: Self.spacing(asked)),
            Asked(name: "Between runs", value: TimeText.length(seconds: Double(asked.restMilliseconds) / 1_000)),
            Asked(name: "Profile digest", value: search.profileDigest),
            Asked(name: "Seed", value: String(search.seed)),
            Asked(name: "Machine", value: "\(search.host.cpuCount) × \(search.host.cpuModel)"),
        ]
        if !labels.isEmpty { rows.append(Asked(name: "Labels", value: labels.joined(separator: ", "))) }
        return rows
    }
}
