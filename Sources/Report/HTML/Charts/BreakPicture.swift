internal import Measurement

/// One break as a picture: pod requests per 100 ms above, viewers with their pod in hand below, on one axis of time.
struct BreakPicture {
    let entry: BreakResult
    /// Offsets of the personas' deadlines from the break's start, in milliseconds; nil where the result names none.
    let deadlines: BreakDeadlines

    private static let requestsHeight = 58.0
    private static let gap = 16.0
    private static let inHandHeight = 72.0

    /// Nil where nothing is known of the break's requests and pods.
    func plot() -> Plot? {
        let range = self.range
        guard let range else { return nil }
        let scale = LinearScale(range.lowerBound, range.upperBound)
        var plot = Plot(name: name, height: Self.requestsHeight + Self.gap + Self.inHandHeight)
        plot.horizontalTicks = Ticks.values(from: scale.lowest, to: scale.highest, atMost: 7).map {
            Tick(fraction: scale.fraction(of: $0), label: Self.offset($0))
        }
        drawDeadlines(in: &plot, on: scale)
        drawRequests(in: &plot, on: scale)
        drawInHand(in: &plot, on: scale)
        plot.readings = readings(on: scale)
        return plot
    }

    private var name: String {
        "Break at \(TimeText.clock(entry.startMicroseconds)): pod requests per"
            + " \(entry.burst.bucketMilliseconds) ms, and viewers with their pod in hand"
    }

    /// What is worth showing, in milliseconds from the break's start.
    private var range: ClosedRange<Double>? {
        let spans = [entry.burst.span, entry.inHand?.span].compactMap(\.self)
        let edges = [entry.firstInHand, entry.lastInHand].compactMap(\.self)
            .map { Double($0) / 1_000 }
        let playheads = personaLines.map(\.offset).filter { $0.magnitude <= 600_000 }
        let known = spans.flatMap { [$0.lowerBound, $0.upperBound] } + edges + playheads
        guard let first = known.min(), let last = known.max() else { return nil }
        let low = min(first, 0)
        var high = max(last, 0)
        if entry.lastPlayhead == nil, let grace = deadlines.grace, grace <= max(60_000, high * 2) {
            high = max(high, grace)
        }
        if high - low < 200 { high = low + 200 }
        let margin = (high - low) * 0.03
        return (low - margin)...(high + margin)
    }

    private func drawDeadlines(in plot: inout Plot, on scale: LinearScale) {
        let bottom = plot.height
        plot.marks.vertical(at: scale.fraction(of: 0), from: 0, to: bottom, "dl start")
        let grace = entry.lastPlayhead == nil ? deadlines.grace : nil
        let others = [(grace, "dl grace"), (deadlines.lead.map { -$0 }, "dl lead")]
        for (offset, style) in others {
            guard let offset, offset >= scale.lowest, offset <= scale.highest else { continue }
            plot.marks.vertical(at: scale.fraction(of: offset), from: 0, to: bottom, style)
        }
        drawPlayheads(in: &plot, on: scale)
    }

    /// A line for each persona; those that lie close together share one label.
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

    /// When the playheads of each persona reached the break on average, in milliseconds from its start.
    private var personaLines: [(number: Int, offset: Double)] {
        (entry.personas ?? []).enumerated().compactMap { index, persona in
            persona.playheadMeanMicroseconds.map { (index + 1, Double($0) / 1_000) }
        }
    }

    private func drawRequests(in plot: inout Plot, on scale: LinearScale) {
        let burst = entry.burst
        let most = Double(burst.counts.max() ?? 0)
        guard most > 0, let first = burst.firstBucketMilliseconds else { return }
        var path = VectorPath()
        let step = Double(burst.bucketMilliseconds)
        for (index, count) in burst.counts.enumerated() where count > 0 {
            let start = Double(first) + Double(index) * step
            let left = Plot.x(scale.fraction(of: start))
            let width = Plot.x(scale.fraction(of: start + step)) - left
            let height = max(1, Double(count) / most * Self.requestsHeight)
            let gap = min(2, width * 0.12)
            path.rectangle(x: left, y: Self.requestsHeight - height, width: width - gap, height: height)
        }
        plot.shapes.shape(path, "bars")
        plot.marks.horizontal(y: Self.requestsHeight, "ax")
        plot.marks.leftLabel(TextLayout.grouped(burst.counts.max() ?? 0), y: 9)
        plot.marks.leftLabel("requests", y: Self.requestsHeight)
    }

    private func drawInHand(in plot: inout Plot, on scale: LinearScale) {
        let due = Double(max(entry.due, 1))
        let ground = plot.height
        let place = { (viewers: Double) in ground - min(viewers / due, 1) * Self.inHandHeight }
        plot.marks.horizontal(y: place(due), "gr")
        plot.marks.leftLabel(TextLayout.grouped(max(entry.due, 1)), y: place(due) + 9)
        plot.marks.leftLabel("in hand", y: plot.height)
        guard let inHand = entry.inHand, let first = inHand.firstBucketMilliseconds else {
            drawInHandRange(in: &plot, on: scale)
            return
        }
        var held = Double(inHand.earlier)
        var curve = StepCurve(from: place(held))
        let step = Double(inHand.bucketMilliseconds)
        let last = deadlines.grace.map { $0 + (entry.lastPlayhead ?? 0) } ?? Double.infinity
        let deadline = Plot.x(scale.fraction(of: last))
        for (index, count) in inHand.counts.enumerated() where count > 0 {
            held += Double(count)
            curve.rise(to: place(held), at: Plot.x(scale.fraction(of: Double(first) + Double(index + 1) * step)))
        }
        plot.shapes.shape(curve.area(from: 0, to: deadline, ground: ground), "area")
        plot.shapes.shape(curve.line(from: 0, to: deadline), "curve")
        plot.shapes.shape(curve.area(from: deadline, to: Plot.width, ground: ground), "area late")
        plot.shapes.shape(curve.line(from: deadline, to: Plot.width), "curve late")
    }

    /// Older results know only when the first and the last viewer had its pod.
    private func drawInHandRange(in plot: inout Plot, on scale: LinearScale) {
        guard let first = entry.inHandFirstMicroseconds, let last = entry.inHandLastMicroseconds else { return }
        let left = scale.fraction(of: Double(first) / 1_000)
        let right = scale.fraction(of: Double(last) / 1_000)
        let y = plot.height - Self.inHandHeight / 2
        plot.marks.bar(from: left, to: right, y: y - 5, height: 10, "range")
        plot.marks.dot(at: left, y: y, radius: 3.5, "d1")
        plot.marks.dot(at: right, y: y, radius: 3.5, "d1")
    }

    private func readings(on scale: LinearScale) -> Readings {
        let step = Double(max(entry.burst.bucketMilliseconds, 1))
        let begin = (scale.lowest / step).rounded(.up)
        let places = Int(min(max(Clamped.count((scale.highest / step).rounded(.down) - begin), 1), 601))
        let stride = max(1, places / 60)
        var fractions: [Double] = []
        var headings: [String] = []
        var requests: [String] = []
        var held: [String] = []
        for index in Swift.stride(from: 0, to: places, by: stride) {
            let start = (begin + Double(index)) * step
            let end = start + step * Double(stride)
            fractions.append(scale.fraction(of: (start + end) / 2))
            headings.append("\(Self.offset(start)) to \(Self.offset(end))")
            requests.append(TextLayout.grouped(entry.burst.count(from: start, to: end)))
            if let inHand = entry.inHand {
                let viewers = inHand.count(before: end)
                let percent = entry.due == 0 ? 0 : Double(viewers) * 100 / Double(entry.due)
                held.append("\(TextLayout.grouped(viewers)) (\(MetricText.percent(min(percent, 100))))")
            }
        }
        var lines = [Readings.Line(name: "requests", style: "k-bars", values: requests)]
        if !held.isEmpty { lines.append(.init(name: "in hand", style: "k-curve", values: held)) }
        return Readings(fractions: fractions, headings: headings, lines: lines)
    }

    /// For example `+300 ms`, `-1.5 s`.
    private static func offset(_ milliseconds: Double) -> String {
        if milliseconds == 0 { return "0" }
        return (milliseconds > 0 ? "+" : "") + TickText.duration(microseconds: milliseconds * 1_000)
    }
}

/// A curve that rises in steps, of which a part can be drawn.
private struct StepCurve {
    private let begin: Double
    private var steps: [(x: Double, y: Double)] = []

    init(from begin: Double) {
        self.begin = begin
    }

    mutating func rise(to y: Double, at x: Double) {
        steps.append((x, y))
    }

    func line(from left: Double, to right: Double) -> VectorPath {
        var path = VectorPath()
        guard left < right else { return path }
        path.move(left, steps.last { $0.x <= left }?.y ?? begin)
        for step in steps where step.x > left && step.x <= right {
            path.horizontal(step.x)
            path.vertical(step.y)
        }
        path.horizontal(right)
        return path
    }

    func area(from left: Double, to right: Double, ground: Double) -> VectorPath {
        var path = line(from: left, to: right)
        guard !path.isEmpty else { return path }
        path.vertical(ground)
        path.horizontal(left)
        path.close()
        return path
    }
}

/// When a viewer's pod must be there, as the profile asked.
struct BreakDeadlines: Equatable, Sendable {
    /// How long before the break's start viewers may ask, in milliseconds.
    var lead: Double?
    /// How long after a viewer's playhead reached the break a pod is still in time, in milliseconds.
    var grace: Double?

    init(_ asked: [RunDescription.Asked]) {
        let requested = { (name: String) in asked.first { $0.name == name }?.requested }
        lead = requested("break_lead")
        grace = requested("break_grace")
    }
}

extension BreakResult {
    /// When the last playhead of all personas reached the break, in milliseconds from its start; nil where a result does not
    /// tell, and where playheads are at the live edge.
    var lastPlayhead: Double? {
        let last = (personas ?? []).compactMap(\.playheadLastMicroseconds).max()
        return last.flatMap { $0 == 0 ? nil : Double($0) / 1_000 }
    }
}

extension BurstResult {
    /// From the first step to the end of the last, in milliseconds from the break's start.
    var span: ClosedRange<Double>? {
        guard let first = firstBucketMilliseconds, !counts.isEmpty else { return nil }
        let length = Double(counts.count) * Double(max(bucketMilliseconds, 1))
        return Double(first)...(Double(first) + length)
    }

    /// What happened in the steps that begin in a half-open range of milliseconds.
    func count(from start: Double, to end: Double) -> UInt64 {
        guard let first = firstBucketMilliseconds else { return 0 }
        return counts.enumerated().reduce(0) { sum, step in
            let offset = Double(first) + Double(step.offset) * Double(bucketMilliseconds)
            return offset >= start && offset < end ? sum &+ UInt64(step.element) : sum
        }
    }

    /// What happened in all steps that begin earlier.
    func count(before end: Double) -> UInt64 {
        earlier &+ count(from: -Double.infinity, to: end)
    }
}
