package import Results
import Rules

package struct DriftSeries: Equatable, Sendable {
    var name: String
    var quantity: DriftQuantity
    /// Middle of each window, since the start of the run.
    var hours: [Double]
    var values: [Double]
    var expectedRise: Double

    /// A percentile of fewer requests is not meaningful.
    static let leastSamplesForMedian: UInt64 = 10
    static let leastSamplesForTail: UInt64 = 100
    /// Longer series combine neighbouring windows: the number of slopes grows with the square.
    static let lengthLimit = 300

    init(
        _ name: String,
        _ quantity: DriftQuantity,
        of windows: [WindowResult],
        expectedRise: Double = 0,
        value: (WindowResult) -> Double?
    ) {
        (self.name, self.quantity, self.expectedRise) = (name, quantity, expectedRise)
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
        hours = stride(from: 0, to: values.count, by: step).map { start in
            let group = hours[start..<min(start + step, hours.count)]
            return group.reduce(0, +) / Double(group.count)
        }
        values = OrderStatistics.medians(values, ofEach: step)
    }

    var median: Double? { OrderStatistics.median(values) }

    /// In a fixed order; `windows` exclude warm-up and incomplete ones; `expectedMemoryRise` is in bytes.
    static func all(of windows: [WindowResult], expectedMemoryRise: Double) -> [DriftSeries] {
        figures.map { figure in
            let rise = figure.quantity == .memory ? expectedMemoryRise : 0
            return DriftSeries(figure.name, figure.quantity, of: windows, expectedRise: rise) { window in
                figure.isMeaningful(window) ? figure.value(window) : nil
            }
        }.filter { !$0.values.isEmpty }
    }

    /// However few samples the window has; nil for an unknown series.
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
        // Blocking requests wait by design.
        let requests = RequestKind.allCases.flatMap { kind -> [Figure] in
            let (name, response) = (
                kind.name, { @Sendable (window: WindowResult) in window.requests[kind.name]?.response }
            )
            let errors = Figure(name: "\(name).errors", quantity: .errors) { window in
                window.requests[name].flatMap { percent(of: $0.errors, in: $0.count) }
            }
            guard !kind.isHeldBack else { return [errors] }
            return [
                latency("\(name).response", .p50, .medianResponse, response),
                latency("\(name).response", .p99, .tailResponse, response), errors,
            ]
        }
        return requests + service + generator
    }()

    private static let service: [Figure] = [
        Figure(name: "breaks.on_time", quantity: .fill) { percent(of: $0.onTime, in: $0.due) },
        Figure(name: "pods.filled", quantity: .fill) { window in
            percent(of: window.viewers["pod_filled_ms"] ?? 0, in: window.viewers["pod_asked_ms"] ?? 0)
        },
        latency("live_edge_age", .p50, .freshness) { $0.liveEdgeAge },
        latency("live_edge_age", .p99, .freshness) { $0.liveEdgeAge },
        Figure(name: "findings", quantity: .findings) { Double($0.findings) },
    ]

    /// Minima of memory and descriptors: temporary use is given back, a leak is not.
    private static let generator: [Figure] =
        [RequestKind.playlist, .podManifest, .assetList].map { kind in
            latency("\(kind.name).lateness", .p99, .lateness) { $0.requests[kind.name]?.lateness }
        } + [
            Figure(name: "generator.resident_bytes", quantity: .memory) { window in
                window.residentBytesMinimum > 0 ? Double(window.residentBytesMinimum) : nil
            },
            Figure(name: "generator.open_descriptors", quantity: .descriptors) { window in
                window.openDescriptorsMinimum > 0 ? Double(window.openDescriptorsMinimum) : nil
            },
            Figure(name: "generator.loop_delay", quantity: .loopDelay) { Double($0.loopDelayMaximumMicroseconds) },
        ]

    private static func latency(
        _ name: String,
        _ statistic: Statistic,
        _ quantity: DriftQuantity,
        _ latency: @escaping @Sendable (WindowResult) -> LatencyResult?
    ) -> Figure {
        Figure(name: "\(name).\(statistic.rawValue)", quantity: quantity) {
            latency($0)?.count ?? 0 >= (statistic == .p50 ? leastSamplesForMedian : leastSamplesForTail)
        } value: {
            latency($0).map { Double(statistic == .p50 ? $0.p50Microseconds : $0.p99Microseconds) }
        }
    }

    private static func percent(of part: UInt64, in whole: UInt64) -> Double? {
        whole == 0 ? nil : Double(part) * 100 / Double(whole)
    }
}

/// Unit, worse direction and least relevant change of a series.
///
/// The least change applies to the whole run: one rule fits twenty minutes and a night. Shares of latencies exceed two buckets
/// of a window's histogram, 1 % wide at most.
struct DriftQuantity: Equatable, Sendable {
    enum Unit: String, Sendable {
        case microseconds = "us"
        case percent
        case bytes
        case count
    }

    var unit: Unit
    var subject: DriftResult.Subject
    var higherIsWorse = true
    /// Zero if only the floor counts.
    var leastShare: Double
    var leastChange: Double

    static let medianResponse = DriftQuantity(
        unit: .microseconds,
        subject: .target,
        leastShare: 0.05,
        leastChange: 1_000
    )
    static let tailResponse = DriftQuantity(unit: .microseconds, subject: .target, leastShare: 0.1, leastChange: 1_000)
    /// Percentage points of requests.
    static let errors = DriftQuantity(unit: .percent, subject: .target, leastShare: 0, leastChange: 0.1)
    /// Percentage points of viewers due, or of the requested time.
    static let fill = DriftQuantity(
        unit: .percent,
        subject: .target,
        higherIsWorse: false,
        leastShare: 0,
        leastChange: 0.5
    )
    /// The age swings by a segment with the phase of the polls.
    static let freshness = DriftQuantity(unit: .microseconds, subject: .target, leastShare: 0.05, leastChange: 100_000)
    static let findings = DriftQuantity(unit: .count, subject: .target, leastShare: 0, leastChange: 1)
    static let memory = DriftQuantity(unit: .bytes, subject: .generator, leastShare: 0.05, leastChange: 4 * 1_048_576)
    static let descriptors = DriftQuantity(unit: .count, subject: .generator, leastShare: 0.05, leastChange: 16)
    static let lateness = DriftQuantity(unit: .microseconds, subject: .generator, leastShare: 0.1, leastChange: 1_000)
    /// The longest delay of a window swings more than any percentile.
    static let loopDelay = DriftQuantity(unit: .microseconds, subject: .generator, leastShare: 0.5, leastChange: 5_000)

    func leastEffect(median: Double) -> Double { max(leastChange, leastShare * median.magnitude) }
}

/// Normal growth of a generator's memory: figures kept for the result, in a night above the least relevant change.
///
/// Sizes were measured with 2,000 viewers and rounded up.
enum KeptFigures {
    /// Figures of one loop, without sets of viewers.
    static let bytesPerBreak = 15.0 * 1_024
    static let viewerSetsPerBreak = 6.0
    /// A bit for every viewer ever created, in sets that grow by doubling.
    static let bitsPerViewer = 2.0
    static let bytesPerWindow = 28.0 * 1_024
    /// While the series has a step for each second.
    static let bytesPerSecond = 160.0
    /// Buckets that whole-run distributions add after the first window.
    static let bytesOfSums = 1.0 * 1_048_576

    /// Bytes kept over the judged windows; 0 for results of versions that did not count the breaks of a window.
    ///
    /// `windows` are all of a run, oldest first; those not judged count with their viewers only.
    static func growth(over windows: [WindowResult], loops: Int) -> Double {
        let judged = windows.filter(\.isJudged)
        guard let first = judged.first, let last = judged.last, judged.allSatisfy({ $0.breaks != nil }) else {
            return 0
        }
        let start = Double(first.startMilliseconds) / 1_000
        let seconds = min(Double(last.endMilliseconds) / 1_000, Double(TimeSeries.standardLimit)) - start
        var bytes = bytesOfSums + max(0, seconds) * bytesPerSecond
        var viewers = 0.0
        for window in windows {
            viewers += Double(window.viewers["joined"] ?? 0)
            guard window.isJudged else { continue }
            let perBreak = (bytesPerBreak + viewerSetsPerBreak * bitsPerViewer * viewers / 8) * Double(max(0, loops))
            bytes += Double(max(0, window.breaks ?? 0)) * perBreak + bytesPerWindow
        }
        return bytes
    }
}

extension WindowResult {
    var isJudged: Bool { isComplete && !isWarmUp }
}
