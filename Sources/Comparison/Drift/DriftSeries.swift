package import Results
import Rules

package struct DriftSeries: Equatable, Sendable {
    var name: String
    var quantity: DriftQuantity
    /// Middle of each window, since the start of the run.
    var hours: [Double]
    var values: [Double]
    /// Normal increase over the run.
    var expectedRise: Double

    /// A percentile of fewer requests is not meaningful.
    static let leastSamplesForMedian: UInt64 = 10
    static let leastSamplesForTail: UInt64 = 100
    /// In longer series, neighbouring windows are combined: the number of slopes grows with the square.
    static let lengthLimit = 300

    init(
        _ name: String,
        _ quantity: DriftQuantity,
        of windows: [WindowResult],
        expectedRise: Double = 0,
        value: (WindowResult) -> Double?
    ) {
        self.name = name
        self.quantity = quantity
        self.expectedRise = expectedRise
        hours = []
        values = []
        for window in windows {
            guard let value = value(window), value.isFinite else { continue }
            let middle = Double(window.startMilliseconds) / 2 + Double(window.endMilliseconds) / 2
            hours.append(middle / 3_600_000)
            values.append(value)
        }
        condense()
    }

    private mutating func condense() {
        let step = (values.count + Self.lengthLimit - 1) / Self.lengthLimit
        guard step > 1 else { return }
        let groups = stride(from: 0, to: values.count, by: step).map { $0..<min($0 + step, values.count) }
        hours = groups.map { hours[$0].reduce(0, +) / Double($0.count) }
        values = groups.compactMap { OrderStatistics.median(Array(values[$0])) }
    }

    var median: Double? { OrderStatistics.median(values) }

    /// Every series with at least one figure, in a fixed order.
    ///
    /// `windows` exclude warm-up and incomplete ones; `expectedMemoryRise` is the normal increase of the generator's memory in
    /// bytes.
    static func all(of windows: [WindowResult], expectedMemoryRise: Double) -> [DriftSeries] {
        figures.map { figure in
            let rise = figure.quantity == .memory ? expectedMemoryRise : 0
            return DriftSeries(figure.name, figure.quantity, of: windows, expectedRise: rise) { window in
                figure.isMeaningful(window) ? figure.value(window) : nil
            }
        }.filter { !$0.values.isEmpty }
    }

    /// The value of a series in one window, however few samples it has; nil for an unknown series.
    package static func value(of series: String, in window: WindowResult) -> Double? {
        figures.first { $0.name == series }?.value(window)
    }

    private struct Figure: Sendable {
        var name: String
        var quantity: DriftQuantity
        var isMeaningful: @Sendable (WindowResult) -> Bool = { _ in true }
        var value: @Sendable (WindowResult) -> Double?
    }

    private static let figures: [Figure] = {
        // The response time of blocking requests is a wait by design and shows no slowdown.
        let requests = RequestKind.allCases.flatMap { kind -> [Figure] in
            let (name, response) = (
                kind.name, { @Sendable (window: WindowResult) in window.requests[kind.name]?.response }
            )
            let errors = Figure(name: "\(name).errors", quantity: .errors) { window in
                window.requests[name].flatMap { percent(of: $0.errors, in: $0.count) }
            }
            guard !kind.isHeldBack else { return [errors] }
            return [
                p50("\(name).response", .medianResponse, response), p99("\(name).response", .tailResponse, response),
                errors,
            ]
        }
        return requests + service + generator
    }()

    private static let service: [Figure] = [
        Figure(name: "breaks.on_time", quantity: .fill) { percent(of: $0.onTime, in: $0.due) },
        Figure(name: "pods.filled", quantity: .fill) { window in
            percent(of: window.viewers["pod_filled_ms"] ?? 0, in: window.viewers["pod_asked_ms"] ?? 0)
        },
        p50("live_edge_age", .freshness) { $0.liveEdgeAge }, p99("live_edge_age", .freshness) { $0.liveEdgeAge },
        Figure(name: "findings", quantity: .findings) { Double($0.findings) },
    ]

    /// Memory and descriptors use the minimum of each window: temporary use is given back, a leak is not.
    private static let generator: [Figure] =
        [RequestKind.playlist, .podManifest, .assetList].map { kind in
            p99("\(kind.name).lateness", .lateness) { $0.requests[kind.name]?.lateness }
        } + [
            Figure(name: "generator.resident_bytes", quantity: .memory) { window in
                window.residentBytesMinimum > 0 ? Double(window.residentBytesMinimum) : nil
            },
            Figure(name: "generator.open_descriptors", quantity: .descriptors) { window in
                window.openDescriptorsMinimum > 0 ? Double(window.openDescriptorsMinimum) : nil
            },
            Figure(name: "generator.loop_delay", quantity: .loopDelay) { Double($0.loopDelayMaximumMicroseconds) },
        ]

    private static func p50(
        _ name: String,
        _ quantity: DriftQuantity,
        _ latency: @escaping @Sendable (WindowResult) -> LatencyResult?
    ) -> Figure {
        Figure(name: name + ".p50", quantity: quantity) {
            latency($0)?.count ?? 0 >= leastSamplesForMedian
        } value: {
            latency($0).map { Double($0.p50Microseconds) }
        }
    }

    private static func p99(
        _ name: String,
        _ quantity: DriftQuantity,
        _ latency: @escaping @Sendable (WindowResult) -> LatencyResult?
    ) -> Figure {
        Figure(name: name + ".p99", quantity: quantity) {
            latency($0)?.count ?? 0 >= leastSamplesForTail
        } value: {
            latency($0).map { Double($0.p99Microseconds) }
        }
    }

    private static func percent(of part: UInt64, in whole: UInt64) -> Double? {
        whole == 0 ? nil : Double(part) * 100 / Double(whole)
    }
}
