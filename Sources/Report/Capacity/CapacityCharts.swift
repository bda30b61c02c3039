import Results
import Rules

/// Charts of breaks by the varied quantity: viewers, or milliseconds.
struct CapacityCharts {
    struct Point {
        var size: Double
        var judged: JudgedBreak
    }

    private let document: CapacityDocument
    let points: [Point]

    init(_ document: CapacityDocument) {
        self.document = document
        let facts = CapacityFacts(document: document)
        points = document.runs.flatMap { run in
            run.breaks.map { Point(size: facts.size(of: $0, in: run), judged: $0) }
        }.filter { $0.size > 0 && $0.size.isFinite }.sorted { $0.size < $1.size }
    }

    private var unit: String { document.asked.quantity.unit }

    func breaks() -> Plot? {
        let shown = points.compactMap { point in point.judged.onTimePercent.map { (point, $0) } }
        guard let lowest = shown.map(\.1).min(), let across = sizes(of: shown.map(\.0)) else { return nil }
        let up = LinearScale(max(0, min(lowest - (100 - lowest) * 0.1, 98)), 100)
        var plot = Plot(name: "Viewers with their pod in time, by \(axisName)", height: 190, across: across, up: up)
        plot.horizontalTicks = Ticks.counts(on: across)
        plot.verticalTicks = Ticks.values(on: up, atMost: 6) { MetricText.number($0) + " %" }
        let answer = document.answer
        if let lower = answer.lower, let upper = answer.upper, lower < upper {
            plot.marks.bar(from: plot.place(lower), to: plot.place(upper), y: 0, height: plot.height, "range")
        }
        if let value = answer.value {
            plot.marks.vertical(at: plot.place(value), from: 0, to: plot.height, "dl start")
        }
        draw(shown, in: &plot) { group in
            let outcomes = JudgedBreak.Outcome.allCases.compactMap { outcome -> String? in
                let count = group.count { $0.judged.outcome == outcome }
                return count == 0 ? nil : "\(count) \(outcome.rawValue)"
            }
            let shares = group.compactMap(\.judged.onTimePercent)
            return [("", outcomes.joined(separator: ", ")), ("on time", Self.range(shares, MetricText.percent))]
        }
        return plot
    }

    /// 99th percentile of the break's first requests.
    func latency() -> Plot? {
        let shown = points.compactMap { point in
            point.judged.beginning?.p99Microseconds.map { (point, max(1, Double($0))) }
        }
        guard let fastest = shown.map(\.1).min(), let slowest = shown.map(\.1).max(),
            let across = sizes(of: shown.map(\.0))
        else { return nil }
        let up = LogScale(fastest / 1.4, slowest * 1.4)
        let name = "99th percentile of what begins the break, by \(axisName)"
        var plot = Plot(name: name, height: 170, across: across, up: up)
        plot.horizontalTicks = Ticks.counts(on: across)
        plot.verticalTicks = Ticks.durations(on: up)
        if let knee = document.knee, document.asked.quantity == .viewers {
            note("knee", at: knee.viewers, "dl grace", in: &plot)
            plot.marks.horizontal(y: plot.y(knee.p99Microseconds), "dl lead")
        }
        draw(shown, in: &plot) { group in
            let times = group.compactMap { $0.judged.beginning?.p99Microseconds }.map(Double.init)
            return [("p99", Self.range(times) { MetricText.time(microseconds: $0) })]
        }
        return plot
    }

    private var axisName: String { document.asked.quantity == .viewers ? "audience" : document.asked.quantity.rawValue }

    private func sizes(of points: [Point]) -> LogScale? {
        guard let least = points.first?.size, let most = points.last?.size else { return nil }
        let known = [document.answer.lower, document.answer.value, document.answer.upper].compactMap(\.self)
        // The ends of an interval may lie far from all tested sizes.
        let near = known.filter { $0 > least / 2 && $0 < most * 2 }
        return LogScale(min(least, near.min() ?? least) / 1.08, max(most, near.max() ?? most) * 1.08)
    }

    private func draw(
        _ shown: [(Point, Double)],
        in plot: inout Plot,
        _ texts: ([Point]) -> [(name: String, value: String)]
    ) {
        for (point, value) in shown {
            plot.marks.symbol(point.judged.outcome.look.symbol, at: plot.place(point.size), y: plot.y(value))
        }
        let groups = Dictionary(grouping: shown.map(\.0), by: \.size).sorted { $0.key < $1.key }
        let said = groups.map { texts($0.value) }
        let names = said.first.map { $0.map(\.name) } ?? []
        plot.readings = Readings(
            fractions: groups.map { plot.place($0.key) },
            headings: groups.map { "\(CapacityFacts.count($0.key)) \(unit)" },
            lines: names.indices.map { index in
                .init(names[index], said.map { $0.indices.contains(index) ? $0[index].value : "" })
            }
        )
    }

    private static func range(_ values: [Double], _ text: (Double) -> String) -> String {
        guard let least = values.min(), let most = values.max() else { return "" }
        return text(least) == text(most) ? text(least) : "\(text(least)) to \(text(most))"
    }

    private func note(_ word: String, at value: Double, _ style: String, in plot: inout Plot) {
        let fraction = plot.place(value)
        plot.marks.vertical(at: fraction, from: 0, to: plot.height, style)
        let isLeft = fraction > 0.8
        plot.marks.text(word, at: fraction + (isLeft ? -0.008 : 0.008), y: 10, isLeft ? "xl e" : "xl s")
    }
}

extension CapacityCharts {
    /// With the law and its projection.
    func service() -> Plot? {
        guard document.asked.quantity == .viewers else { return nil }
        let shown = points.compactMap { point in point.judged.servedPerSecond.map { (point, $0) } }
        guard let largest = shown.last?.0.size, let fastest = shown.map(\.1).max() else { return nil }
        let measured = document.projection?.measuredViewers ?? largest
        let end =
            document.law == nil ? largest : max(largest, min(document.projection?.viewers ?? largest, measured * 2))
        let across = LinearScale(0, end * 1.02)
        let law = document.law.map { law in { law.rate(at: $0) } }
        let reached = [fastest, document.projection?.servedPerSecond.value ?? 0] + (law.map { [$0(measured)] } ?? [])
        let up = LinearScale(0, (reached.max() ?? fastest) * 1.15)
        var plot = Plot(name: "Viewers served a second, by audience", height: 190, across: across, up: up)
        plot.horizontalTicks = Ticks.values(on: across, atMost: 7, TickText.count)
        plot.verticalTicks = Ticks.values(on: up, atMost: 5, TickText.count)
        if let law { draw(law, measured: measured, until: end, in: &plot) }
        if let projection = document.projection, document.law != nil, projection.viewers <= end {
            let rate = projection.servedPerSecond
            let (top, bottom) = (plot.y(rate.upper ?? up.highest), plot.y(rate.lower))
            plot.marks.vertical(at: plot.place(projection.viewers), from: top, to: bottom, "whisker plain")
        }
        draw(shown, in: &plot) { group in
            let rates = group.compactMap(\.judged.servedPerSecond)
            let fitted = law.map { [("law", CapacityFacts.count($0(group.first?.size ?? 0)))] } ?? []
            return [("served a second", Self.range(rates, CapacityFacts.count))] + fitted
        }
        return plot
    }

    private func draw(_ law: (Double) -> Double, measured: Double, until end: Double, in plot: inout Plot) {
        func line(from: Double, to: Double) -> [(value: Double, height: Double)?] {
            let steps = 80
            return (0...steps).map { step in
                let size = from + (to - from) * Double(step) / Double(steps)
                return (size, law(size))
            }
        }
        plot.curve(line(from: min(1, measured), to: measured), "c1")
        if end > measured {
            plot.curve(line(from: measured, to: end), "projected")
            note("projection, not measured", at: measured, "dl lead", in: &plot)
        }
    }
}

extension LawResult {
    func rate(at viewers: Double) -> Double {
        let others = max(0, viewers - 1)
        let rate = lambda * viewers / (1 + sigma * others + kappa * viewers * others)
        return rate.isFinite ? max(0, rate) : 0
    }
}

extension JudgedBreak.Outcome {
    var look: (symbol: Symbol, tone: Tone) {
        switch self {
        case .held: (.disc, .good)
        case .missed: (.cross, .bad)
        case .censored: (.diamond, .warn)
        }
    }
}
