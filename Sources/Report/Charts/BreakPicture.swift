import Results
import Rules

/// Chart of one break: pod requests above, viewers with their pod below.
///
/// The axis ends with the last event: a burst that was answered in 90 ms fills it.
struct BreakPicture {
    let entry: BreakResult
    let run: RunDescription

    private static let requestsHeight = 58.0
    private static let gap = 16.0
    private static let inHandHeight = 72.0
    /// About two pixels for each step on a card.
    private static let stepLimit = 150.0
    /// A deadline further away than this multiple of everything else would compress the chart.
    private static let deadlineReach = 4.0
    private static let leastMilliseconds = 20.0
    private static let readingLimit = 60.0

    func plot() -> Plot? {
        guard let range else { return nil }
        let scale = LinearScale(range.lowerBound, range.upperBound)
        var plot = Plot(name: name, height: Self.requestsHeight + Self.gap + Self.inHandHeight)
        plot.horizontalTicks = Ticks.values(on: scale, atMost: 7, Self.offset)
        drawDeadlines(in: &plot, on: scale)
        drawRequests(in: &plot, on: scale)
        drawInHand(in: &plot, on: scale)
        plot.readings = readings(on: scale)
        return plot
    }

    private var name: String {
        "Break at \(TimeText.clock(entry.startMicroseconds)): pod requests, and viewers with their pod in hand"
    }

    private var range: ClosedRange<Double>? {
        let steps = [entry.burst.steps, entry.inHand?.steps].compactMap(\.self).flatMap { [$0.first, $0.last] }
        let edges = [entry.firstInHand, entry.lastInHand].compactMap(\.self).map { Double($0) / 1_000 }
        let playheads = personaLines.map(\.offset).filter { $0.magnitude <= 600_000 }
        let known = steps.compactMap(\.self).flatMap { [$0.start, $0.end] } + edges + playheads
        guard let first = known.min(), let last = known.max() else { return nil }
        let low = min(first, 0)
        var high = max(last, 0)
        if high - low < Self.leastMilliseconds { high = low + Self.leastMilliseconds }
        if entry.lastPlayhead == nil, let grace, grace <= (high - low) * Self.deadlineReach { high = max(high, grace) }
        let margin = (high - low) * 0.03
        return (low - margin)...(high + margin)
    }

    /// nil where the stream brings the pod: each viewer has until it plays the ads.
    private var grace: Double? { entry.comesWithStream ? nil : run.breakGrace }

    private func drawDeadlines(in plot: inout Plot, on scale: LinearScale) {
        let bottom = plot.height
        plot.marks.vertical(at: scale.fraction(of: 0), from: 0, to: bottom, "dl start")
        let others = [(entry.lastPlayhead == nil ? grace : nil, "dl grace"), (run.breakLead.map { -$0 }, "dl lead")]
        for (offset, style) in others {
            guard let offset, offset >= scale.lowest, offset <= scale.highest else { continue }
            plot.marks.vertical(at: scale.fraction(of: offset), from: 0, to: bottom, style)
        }
        drawPlayheads(in: &plot, on: scale)
    }

    /// A line for each persona; close lines share one label.
    private func drawPlayheads(in plot: inout Plot, on scale: LinearScale) {
        var labels: [(first: Double, last: Double, numbers: [Int])] = []
        for (number, offset) in personaLines.sorted(by: { ($0.offset, $0.number) < ($1.offset, $1.number) }) {
            guard offset >= scale.lowest, offset <= scale.highest else { continue }
            let fraction = scale.fraction(of: offset)
            plot.marks.vertical(at: fraction, from: 0, to: plot.height, "dl pers")
            if let group = labels.last, fraction - group.last < 0.04 {
                labels[labels.count - 1] = (group.first, fraction, group.numbers + [number])
            } else {
                labels.append((fraction, fraction, [number]))
            }
        }
        for label in labels {
            let text = label.numbers.sorted().map(String.init).joined(separator: ", ")
            let isNearEnd = label.last > 0.85
            let place = isNearEnd ? label.first - 0.008 : label.last + 0.008
            plot.marks.text(text, at: place, y: 9, isNearEnd ? "pers e" : "pers")
        }
    }

    /// Mean arrival of each persona's playheads, in milliseconds from the break's start.
    private var personaLines: [(number: Int, offset: Double)] {
        (entry.personas ?? []).enumerated().compactMap { index, persona in
            persona.playheadMeanMicroseconds.map { (index + 1, Double($0) / 1_000) }
        }
    }

    private func drawRequests(in plot: inout Plot, on scale: LinearScale) {
        let burst = BurstBars(entry.burst, over: scale.highest - scale.lowest, atMost: Self.stepLimit)
        guard burst.highest > 0 else { return }
        plot.shapes.shape(.bars(burst.bars, on: scale, height: Self.requestsHeight), "bars")
        plot.marks.horizontal(y: Self.requestsHeight, "ax")
        plot.marks.leftLabel(TextLayout.grouped(burst.highest), y: 9)
        // At the edge, where no line of a deadline crosses it; a longer text would begin left of the chart.
        plot.marks.leftLabel("requests", y: Self.requestsHeight - 11)
        plot.marks.leftLabel("/ \(TickText.duration(microseconds: burst.step * 1_000))", y: Self.requestsHeight)
    }

    private func drawInHand(in plot: inout Plot, on scale: LinearScale) {
        let due = Double(max(entry.due, 1))
        let ground = plot.height
        let place = { (viewers: Double) in ground - min(viewers / due, 1) * Self.inHandHeight }
        plot.marks.horizontal(y: place(due), "gr")
        plot.marks.leftLabel(TextLayout.grouped(max(entry.due, 1)), y: place(due) + 9)
        plot.marks.leftLabel("in hand", y: plot.height)
        guard let inHand = entry.inHand, inHand.firstBucketMilliseconds != nil else { return }
        var held = Double(inHand.earlier)
        var curve: [(x: Double, y: Double)] = []
        let last = grace.map { $0 + (entry.lastPlayhead ?? 0) } ?? Double.infinity
        let deadline = Plot.x(scale.fraction(of: last))
        let steps = BurstBars(inHand, over: scale.highest - scale.lowest, atMost: Self.stepLimit)
        for bar in steps.bars {
            held += Double(bar.count)
            curve.append((Plot.x(scale.fraction(of: bar.end)), place(held)))
        }
        let begin = place(Double(inHand.earlier))
        for (left, right, style) in [(0.0, deadline, ""), (deadline, Plot.width, " late")] {
            let line = VectorPath.steps(curve, after: begin, from: left, to: right)
            var area = line
            area.stand(on: ground, from: left)
            plot.shapes.shape(area, "area" + style)
            plot.shapes.shape(line, "curve" + style)
        }
    }

    private func readings(on scale: LinearScale) -> Readings {
        let step = BurstBars(entry.burst, over: scale.highest - scale.lowest, atMost: Self.readingLimit).step
        let begin = (scale.lowest / step).rounded(.up)
        let places = Int(min(max(Clamped.count((scale.highest / step).rounded(.down) - begin), 1), 61))
        let spans = (0..<places).map { index in
            (start: (begin + Double(index)) * step, end: (begin + Double(index)) * step + step)
        }
        let requests = spans.map { TextLayout.grouped(entry.burst.count(from: $0.start, to: $0.end)) }
        let held = entry.inHand.map { inHand in
            spans.map { span in
                let viewers = inHand.count(before: span.end)
                let percent = entry.due == 0 ? 0 : Double(viewers) * 100 / Double(entry.due)
                return "\(TextLayout.grouped(viewers)) (\(MetricText.percent(min(percent, 100))))"
            }
        }
        let lines: [Readings.Line?] = [("requests", "k-bars", requests), held.map { ("in hand", "k-curve", $0) }]
        return Readings(
            fractions: spans.map { scale.fraction(of: ($0.start + $0.end) / 2) },
            headings: spans.map { "\(Self.offset($0.start)) to \(Self.offset($0.end))" },
            lines: lines.compactMap(\.self)
        )
    }

    /// For example `+300 ms`, `-1.5 s`.
    private static func offset(_ milliseconds: Double) -> String {
        if milliseconds == 0 { return "0" }
        return (milliseconds > 0 ? "+" : "") + TickText.duration(microseconds: milliseconds * 1_000)
    }
}

extension RunDescription {
    /// Earliest request before a break's start, in milliseconds.
    var breakLead: Double? { requested("break_lead") }

    /// Milliseconds after a viewer's playhead reaches the break in which a pod is still in time.
    var breakGrace: Double? { requested("break_grace") }

    func requested(_ name: String) -> Double? { asked.first { $0.name == name }?.requested }

    var seconds: Double { Double(endedAtMicroseconds &- startedAtMicroseconds) / 1_000_000 }
}

extension BreakResult {
    /// First viewer with its pod, from the break's start; only those in time in results without more detail.
    var firstInHand: Int64? { inHand?.firstMicroseconds ?? inHandFirstMicroseconds }

    /// Last viewer with its pod, late ones included if the result has them.
    var lastInHand: Int64? { inHand?.lastMicroseconds ?? inHandLastMicroseconds }

    var inHandSpan: String? {
        firstInHand.flatMap { first in lastInHand.map { TimeText.offset(first) + " to " + TimeText.offset($0) } }
    }

    var failedCount: UInt64 { failed.values.reduce(unresolved, &+) }

    /// Viewers had the pod without a request.
    var comesWithStream: Bool { burst.firstBucketMilliseconds == nil && onTime &+ late > 0 }

    /// Milliseconds from the break's start; nil for older results, and for playheads at the live edge.
    var lastPlayhead: Double? {
        let last = (personas ?? []).compactMap(\.playheadLastMicroseconds).max()
        return last.flatMap { $0 == 0 ? nil : Double($0) / 1_000 }
    }

    /// Viewers without a pod in time or late, by reason.
    var failures: [String: UInt64] { failed.merging(["unresolved": unresolved], uniquingKeysWith: &+) }

    /// From the first pod request to the last; the bound is that of the shards' clocks.
    var spread: String? {
        let bound = spreadBoundMicroseconds.map { " ±" + TimeText.duration($0) } ?? ""
        return burst.firstMicroseconds.flatMap { first in
            burst.lastMicroseconds.map { TimeText.duration($0 &- first) + bound }
        }
    }
}

struct BurstBars {
    typealias Bar = (start: Double, end: Double, count: UInt64)

    /// Milliseconds; a whole number of the result's own steps.
    let step: Double
    /// Without empty ones.
    let bars: [Bar]

    /// Joins the result's steps if the axis would have more than `limit`.
    init(_ burst: BurstResult, over milliseconds: Double, atMost limit: Double) {
        let own = Double(max(burst.bucketMilliseconds, 1))
        let step =
            [1, 2, 5, 10, 20, 50, 100, 200, 500].map { $0 * own }.first { milliseconds / $0 <= limit } ?? 1_000 * own
        var bars: [Bar] = []
        for bar in burst.steps where bar.count > 0 {
            let start = (bar.start / step).rounded(.down) * step
            if let last = bars.last, last.start == start {
                bars[bars.count - 1].count &+= bar.count
            } else {
                bars.append((start, start + step, bar.count))
            }
        }
        (self.step, self.bars) = (step, bars)
    }

    var highest: UInt64 { bars.reduce(0) { max($0, $1.count) } }
}

extension VectorPath {
    /// Each count above 0 is visible.
    static func bars(_ bars: [BurstBars.Bar], on scale: LinearScale, height: Double) -> VectorPath {
        let most = Double(bars.map(\.count).max() ?? 0)
        return bars.reduce(into: VectorPath()) { path, bar in
            let left = Plot.x(scale.fraction(of: bar.start))
            let width = Plot.x(scale.fraction(of: bar.end)) - left
            let tall = max(1, Double(bar.count) / most * height)
            path.rectangle(x: left, y: height - tall, width: width - min(2, width * 0.12), height: tall)
        }
    }
}

extension BurstResult {
    /// Milliseconds from the break's start.
    var steps: some BidirectionalCollection<BurstBars.Bar> {
        let (first, length) = (Double(firstBucketMilliseconds ?? 0), Double(max(bucketMilliseconds, 1)))
        return (firstBucketMilliseconds == nil ? 0..<0 : counts.indices).lazy.map { index -> BurstBars.Bar in
            let start = first + Double(index) * length
            return (start, start + length, UInt64(counts[index]))
        }
    }

    func count(from start: Double, to end: Double) -> UInt64 {
        steps.reduce(0) { $1.start >= start && $1.start < end ? $0 &+ $1.count : $0 }
    }

    func count(before end: Double) -> UInt64 { earlier &+ count(from: -Double.infinity, to: end) }
}

/// Viewers by the time since the first one saw the break.
struct DiscoveryStrip {
    let entry: BreakResult
    let discovery: DiscoveryResult

    private static let height = 30.0
    /// A shorter axis would make one instant look like a spread.
    private static let leastMilliseconds = 500.0

    func plot() -> Plot? {
        let step = Double(min(max(discovery.bucketMilliseconds, 1), 60_000))
        let counts = discovery.counts.prefix(6_000)
        let most = Double(counts.max() ?? 0)
        guard most > 0 else { return nil }
        let scale = LinearScale(0, max(Double(counts.count) * step * 1.03, Self.leastMilliseconds))
        var plot = Plot(name: name, height: Self.height)
        plot.style = "news"
        plot.horizontalTicks = Ticks.values(on: scale, atMost: 6) {
            $0 == 0 ? "first" : "+" + TickText.duration(microseconds: $0 * 1_000)
        }
        let bars = counts.enumerated().filter { $0.element > 0 }.map { index, count in
            (start: Double(index) * step, end: Double(index + 1) * step, count: UInt64(count))
        }
        plot.shapes.shape(.bars(bars, on: scale, height: Self.height), "bars")
        plot.marks.leftLabel(TextLayout.grouped(counts.max() ?? 0), y: 9)
        plot.marks.leftLabel("saw it", y: Self.height)
        plot.readings = readings(Array(counts), step: step, on: scale)
        return plot
    }

    var text: String {
        let until = { (microseconds: Int64?) in microseconds.map(TimeText.duration) ?? "more than a minute" }
        return "Known to half of \(TextLayout.counted(discovery.viewers, "viewer"))"
            + " \(until(discovery.p50Microseconds)) after the first,"
            + " to 99% \(until(discovery.p99Microseconds)), to the last"
            + " \(TimeText.duration(discovery.maximumMicroseconds))."
    }

    private var name: String {
        "Break at \(TimeText.clock(entry.startMicroseconds)): viewers that saw it announced, per"
            + " \(discovery.bucketMilliseconds) ms from the first of all"
    }

    private func readings(_ counts: [UInt32], step: Double, on scale: LinearScale) -> Readings {
        let length = max(1, counts.count / 60)
        let groups = stride(from: 0, to: counts.count, by: length).map { $0..<min($0 + length, counts.count) }
        let spans = groups.map { (start: Double($0.lowerBound) * step, end: Double($0.upperBound) * step) }
        let text = { (milliseconds: Double) in "+" + TickText.duration(microseconds: milliseconds * 1_000) }
        let sums = groups.map { counts[$0].reduce(UInt64(0)) { $0 &+ UInt64($1) } }
        return Readings(
            fractions: spans.map { scale.fraction(of: ($0.start + $0.end) / 2) },
            headings: spans.map { "\(text($0.start)) to \(text($0.end))" },
            lines: [("saw it announced", "k-bars", sums.map { TextLayout.grouped($0) })]
        )
    }
}

struct BreakOverview {
    /// In the order of time.
    let breaks: [BreakResult]
    let run: RunDescription

    /// Nil with fewer than two breaks with viewers.
    func plot() -> Plot? {
        let breaks = breaks.filter { $0.due > 0 }
        guard breaks.count > 1 else { return nil }
        let time = LinearScale(0, max(run.seconds, 1))
        let offsets = breaks.flatMap { [$0.firstInHand, $0.lastInHand] }.compactMap(\.self)
        let low = min(Double(offsets.min() ?? 0) / 1_000, 0)
        var high = max(Double(offsets.max() ?? 0) / 1_000, 100)
        if let grace = run.breakGrace, grace <= high * 4 { high = max(high, grace) }
        let scale = LinearScale(low, high * 1.08)
        let name = "Each break: when the first and the last viewer had its pod, from its start"
        var plot = Plot(name: name, height: 120, across: time, up: scale)
        plot.horizontalTicks = Ticks.elapsed(seconds: time.highest)
        plot.verticalTicks = Ticks.values(on: scale, atMost: 5) { TickText.duration(microseconds: $0 * 1_000) }
        let isAtEdge = !breaks.contains { $0.lastPlayhead != nil }
        if isAtEdge, !breaks.allSatisfy(\.comesWithStream), let grace = run.breakGrace, grace <= scale.highest {
            plot.marks.horizontal(y: plot.y(grace), "dl grace")
        }
        if low < 0 { plot.marks.horizontal(y: plot.y(0), "dl start") }
        draw(breaks, in: &plot)
        plot.readings = readings(breaks, in: plot)
        return plot
    }

    private func second(of entry: BreakResult) -> Double {
        Double(entry.startMicroseconds &- run.startedAtMicroseconds) / 1_000_000
    }

    private func draw(_ breaks: [BreakResult], in plot: inout Plot) {
        let width = min(max(Plot.width / Double(breaks.count) * 0.45, 1.4), 14)
        var (punctual, failing, misses) = (VectorPath(), VectorPath(), VectorPath())
        for entry in breaks {
            let x = Plot.x(plot.place(second(of: entry))) - width / 2
            let isPunctual = entry.onTime >= entry.due
            if let first = entry.firstInHand, let last = entry.lastInHand {
                let top = plot.y(Double(last) / 1_000)
                let bottom = plot.y(Double(first) / 1_000)
                let height = max(bottom - top, 2)
                if isPunctual {
                    punctual.rectangle(x: x, y: top, width: width, height: height)
                } else {
                    failing.rectangle(x: x, y: top, width: width, height: height)
                }
            }
            if !isPunctual { misses.rectangle(x: x - 1, y: -6, width: width + 2, height: 4) }
        }
        plot.shapes.shape(punctual, "bars")
        plot.shapes.shape(failing, "bad")
        plot.shapes.shape(misses, "bad")
    }

    private func readings(_ breaks: [BreakResult], in plot: Plot) -> Readings {
        let onTime = breaks.map {
            "\($0.onTimePercent.map(MetricText.percent) ?? "-") of \(TextLayout.grouped($0.due))"
        }
        return Readings(
            fractions: breaks.map { plot.place(second(of: $0)) },
            headings: breaks.map { "break at \(TimeText.clock($0.startMicroseconds))" },
            lines: [
                ("on time", "", onTime),
                ("in hand", "k-bars", breaks.map { $0.inHandSpan ?? "" }),
                ("late", "", breaks.map { TextLayout.grouped($0.late) }),
                ("failed", "", breaks.map { TextLayout.grouped($0.failedCount) }),
            ]
        )
    }
}
