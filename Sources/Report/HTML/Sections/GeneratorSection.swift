import Rulebook
import RunResult
import Thresholds

/// The generator's honesty: whether it sent when it had planned to, and what it cost the machine.
struct GeneratorSection {
    struct Row {
        var name: String
        var observed: String
        var budget: String
        var exceeded: Bool
    }

    var summary: String
    var reasons: [String]
    var hasReasons: Bool
    var rows: [Row]
    var generatorCharts: [SeriesSection.Chart]
    var clock: String
    var suspect: String
    var isSuspect: Bool

    init(_ document: ResultDocument) {
        let health = document.health
        summary =
            health.withinBudget
            ? "The generator stayed within its budget: what is late here is the target's."
            : health.limitedByMachine == true
                ? "The machine had too few cores to spare. The figures above may be the machine's."
                : "The generator exceeded its budget. The figures above may be its own."
        reasons = health.reasons
        hasReasons = !reasons.isEmpty
        rows = Self.delays(document) + Self.waits(document) + Self.rows(health)
        generatorCharts = Self.charts(document)
        clock = Self.clock(document.clock)
        let outside = health.latenciesAboveRange &+ health.latenciesBelowZero
        suspect = TextLayout.counted(outside, "duration") + " lay outside what histograms hold, and are in no figure."
        isSuspect = health.suspect
    }

    /// For each delay of podswarm's own, the request kind with the worst p99; the maximum where samples are too few.
    private static func delays(_ document: ResultDocument) -> [Row] {
        let budget = document.health.budget
        let delays: [(LatencyMetric, String, Int64?)] = [
            (.lateness, "Lateness of sending", budget.latenessP99Microseconds),
            (.handling, "Lateness of reading", budget.handlingP99Microseconds),
        ]
        return delays.compactMap { metric, name, budget in
            guard let budget, let (kind, latency) = document.worstP99(metric) else { return nil }
            let p99 = latency.p99Microseconds
            let hasEnough = latency.count >= Statistic.p99.samplesNeeded
            return Row(
                name: "\(name), \(hasEnough ? "p99" : "maximum") of \(kind.replacing("_", with: " "))",
                observed: hasEnough ? TimeText.duration(p99) : latency.sentence([.p99]),
                budget: TimeText.duration(budget),
                exceeded: p99 > budget
            )
        }
    }

    /// None for results of versions that did not look.
    private static func waits(_ document: ResultDocument) -> [Row] {
        let health = document.health
        guard let limit = health.budget.coreWaitMicroseconds else { return [] }
        let waits = [("podswarm", health.generatorWaits), ("the embedded origin", health.originWaits)]
        let rows = waits.compactMap { process, log in
            log.map { log in
                let tolerated = log.tolerated(by: health.budget)
                return Row(
                    name: "Longest that a thread of \(process) waited for a core in a second",
                    observed: "\(TimeText.duration(log.threadWaitedMaximumMicroseconds)), too long in"
                        + " \(TextLayout.grouped(log.secondsOver)) s, \(TextLayout.grouped(log.breakSecondsOver)) of them"
                        + " with breaks",
                    budget: "\(TimeText.duration(limit)), in all but \(tolerated.seconds) of"
                        + " \(TextLayout.grouped(log.seconds)) s and \(tolerated.breakSeconds) of"
                        + " \(TextLayout.grouped(log.breakSeconds)) s with breaks",
                    exceeded: log.isBeyond(health.budget, blamesTarget: document.blamesTarget)
                )
            }
        }
        let unknown = Row(
            name: "Longest that a thread waited for a core in a second",
            observed: "unknown: the kernel does not tell",
            budget: TimeText.duration(limit),
            exceeded: false
        )
        return rows.isEmpty ? [unknown] : rows
    }

    private static func rows(_ health: HealthResult) -> [Row] {
        let budget = health.budget
        let badSeconds = Int(Clamped.count((budget.badSecondsShare * Double(health.seconds)).rounded(.down)))
        let delay = TimeText.duration(budget.loopDelayMicroseconds)
        let descriptors = Double(health.descriptorLimit) * budget.descriptorShare
        let memory = budget.residentBytes
        return [
            Row(
                name: "Longest delay of a loop",
                observed: TimeText.duration(health.loopDelayMaximumMicroseconds),
                budget: "\(delay), in all but \(badSeconds) of \(TextLayout.grouped(health.seconds)) s",
                exceeded: health.secondsOverLoopDelay > badSeconds
            ),
            Row(
                name: "Processor, mean and most",
                observed: "\(MetricText.rounded(health.cpuCoresMean, places: 2)) and"
                    + " \(MetricText.rounded(health.cpuCoresMaximum, places: 2)) cores",
                budget:
                    "\(MetricText.percent(budget.cpuShare * 100)) of \(TextLayout.counted(health.loopCores, "core"))",
                exceeded: health.secondsOverCPU > badSeconds
            ),
            Row(
                name: "Memory, first, last and most",
                observed: [health.residentBytesFirst, health.residentBytesLast, health.residentBytesMaximum]
                    .map { TickText.bytes(Double($0)) }.joined(separator: ", "),
                budget: memory > 0 ? TickText.bytes(Double(memory)) : "none set",
                exceeded: memory > 0 && health.residentBytesMaximum > memory
            ),
            Row(
                name: "Open descriptors, most",
                observed: TextLayout.grouped(health.openDescriptorsMaximum),
                budget: TextLayout.grouped(Clamped.count(descriptors)),
                exceeded: Double(health.openDescriptorsMaximum) > descriptors
            ),
            Row(
                name: "Requests planned and never sent",
                observed: TextLayout.grouped(health.droppedStarts),
                budget: TextLayout.grouped(budget.droppedStarts),
                exceeded: health.droppedStarts > budget.droppedStarts
            ),
            Row(
                name: "Requests sent late",
                observed: TextLayout.grouped(health.lateStarts),
                budget: "",
                exceeded: false
            ),
            Row(
                name: "Load average of the machine, most",
                observed: MetricText.rounded(health.loadAverageMaximum, places: 2),
                budget: "",
                exceeded: false
            ),
        ]
    }

    private static func clock(_ clock: ClockResult?) -> String {
        guard let clock else { return "This version did not watch the wall clock." }
        let isSteady = clock.driftMicroseconds.magnitude < 1_000
        let drift =
            isSteady
            ? "It kept step with the monotonic clock."
            : "The wall clock moved \(TimeText.offset(clock.driftMicroseconds)) against the monotonic one over the run."
        guard clock.stepCount > 0 else { return "The wall clock was not set during the run. " + drift }
        let steps = clock.steps.prefix(5).map {
            "\(TimeText.offset($0.byMicroseconds)) at \(TimeText.elapsed(Double($0.atMilliseconds) / 1_000))"
        }
        return "The wall clock was set \(clock.stepCount == 1 ? "once" : "\(clock.stepCount) times"): "
            + steps.joined(separator: ", ") + (clock.stepCount > steps.count ? ", …" : "") + ". " + drift
    }

    private static func charts(_ document: ResultDocument) -> [SeriesSection.Chart] {
        let budget = document.health.budget
        let most = { (name: String, value: @escaping @Sendable (SeriesPoint) -> Double) in
            SeriesChart.Line(name: name, style: "c1") { points, _ in points.map(value).max() ?? 0 }
        }
        let time: @Sendable (Double) -> String = { MetricText.time(microseconds: $0) }
        let timeTick: @Sendable (Double) -> String = { TickText.duration(microseconds: $0) }
        let charts: [(String, SeriesChart)] = [
            (
                "Lateness of sending, most per step",
                SeriesChart(
                    name: "Latest sending of any request over the run",
                    lines: [most("lateness") { Double($0.latenessMaximumMicroseconds) }],
                    text: time,
                    tickText: timeTick,
                    limit: .init(value: Double(budget.latenessP99Microseconds), text: "allowed at p99")
                )
            ),
            (
                "Delay of loops, most per step",
                SeriesChart(
                    name: "Longest delay of a loop over the run",
                    lines: [most("loop delay") { Double($0.loopDelayMaximumMicroseconds) }],
                    text: time,
                    tickText: timeTick,
                    limit: .init(value: Double(budget.loopDelayMicroseconds), text: "allowed")
                )
            ),
            (
                "Processor, cores",
                SeriesChart(
                    name: "Processor cores used over the run",
                    lines: [most("cores") { $0.cpuCores }],
                    text: { MetricText.rounded($0, places: 2) },
                    tickText: TickText.count,
                    limit: .init(value: budget.cpuShare * Double(document.health.loopCores), text: "allowed")
                )
            ),
            (
                "Memory",
                SeriesChart(
                    name: "Resident memory over the run",
                    lines: [most("resident") { Double($0.residentBytes) }],
                    text: TickText.bytes,
                    tickText: TickText.bytes
                )
            ),
            (
                "Open descriptors",
                SeriesChart(
                    name: "Open descriptors over the run",
                    lines: [most("descriptors") { Double($0.openDescriptors) }],
                    text: { TextLayout.grouped(Clamped.integer($0)) },
                    tickText: TickText.count
                )
            ),
        ]
        return charts.compactMap { title, chart in
            chart.plot(document.series).map { .init(title: title, unit: "", chart: $0.markup()) }
        }
    }
}
