import Results
import Rules

struct DriftSeries: Equatable, Sendable {
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
        values = groups.map { Self.median(Array(values[$0])) }
    }

    var median: Double? { values.isEmpty ? nil : Self.median(values) }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// Every series with at least one figure, in a fixed order.
    ///
    /// `windows` exclude warm-up and incomplete ones; `expectedMemoryRise` is the normal increase of the generator's memory in
    /// bytes.
    static func all(of windows: [WindowResult], expectedMemoryRise: Double) -> [DriftSeries] {
        // The response time of blocking requests is a wait by design and shows no slowdown.
        let requests = RequestKind.allCases.flatMap { kind in
            (kind.isHeldBack ? [] : responses(of: kind.name, in: windows)) + [errors(of: kind.name, in: windows)]
        }
        let series = requests + service(in: windows) + generator(in: windows, expectedMemoryRise: expectedMemoryRise)
        return series.filter { !$0.values.isEmpty }
    }

    private static func responses(of kind: String, in windows: [WindowResult]) -> [DriftSeries] {
        [
            DriftSeries("\(kind).response.p50", .medianResponse, of: windows) { window in
                p50(window.requests[kind]?.response)
            },
            DriftSeries("\(kind).response.p99", .tailResponse, of: windows) { window in
                p99(window.requests[kind]?.response)
            },
        ]
    }

    private static func errors(of kind: String, in windows: [WindowResult]) -> DriftSeries {
        DriftSeries("\(kind).errors", .errors, of: windows) { window in
            window.requests[kind].flatMap { percent(of: $0.errors, in: $0.count) }
        }
    }

    private static func service(in windows: [WindowResult]) -> [DriftSeries] {
        [
            DriftSeries("breaks.on_time", .fill, of: windows) { percent(of: $0.onTime, in: $0.due) },
            DriftSeries("pods.filled", .fill, of: windows) { window in
                percent(of: window.viewers["pod_filled_ms"] ?? 0, in: window.viewers["pod_asked_ms"] ?? 0)
            },
            DriftSeries("live_edge_age.p50", .freshness, of: windows) { p50($0.liveEdgeAge) },
            DriftSeries("live_edge_age.p99", .freshness, of: windows) { p99($0.liveEdgeAge) },
            DriftSeries("findings", .findings, of: windows) { Double($0.findings) },
        ]
    }

    /// Memory and descriptors use the minimum of each window: temporary use is given back, a leak is not.
    private static func generator(in windows: [WindowResult], expectedMemoryRise: Double) -> [DriftSeries] {
        let timed: [RequestKind] = [.playlist, .podManifest, .assetList]
        return timed.map { kind in
            DriftSeries("\(kind.name).lateness.p99", .lateness, of: windows) { window in
                p99(window.requests[kind.name]?.lateness)
            }
        } + [
            DriftSeries(
                "generator.resident_bytes",
                .memory,
                of: windows,
                expectedRise: expectedMemoryRise
            ) { window in
                window.residentBytesMinimum > 0 ? Double(window.residentBytesMinimum) : nil
            },
            DriftSeries("generator.open_descriptors", .descriptors, of: windows) { window in
                window.openDescriptorsMinimum > 0 ? Double(window.openDescriptorsMinimum) : nil
            },
            DriftSeries("generator.loop_delay", .loopDelay, of: windows) {
                Double($0.loopDelayMaximumMicroseconds)
            },
        ]
    }

    private static func p50(_ latency: LatencyResult?) -> Double? {
        guard let latency, latency.count >= leastSamplesForMedian else { return nil }
        return Double(latency.p50Microseconds)
    }

    private static func p99(_ latency: LatencyResult?) -> Double? {
        guard let latency, latency.count >= leastSamplesForTail else { return nil }
        return Double(latency.p99Microseconds)
    }

    private static func percent(of part: UInt64, in whole: UInt64) -> Double? {
        whole == 0 ? nil : Double(part) * 100 / Double(whole)
    }
}
