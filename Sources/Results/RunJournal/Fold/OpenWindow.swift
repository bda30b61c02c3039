import Rules
import Values

/// Window with distributions that others can be added to.
struct OpenWindow: Equatable, Codable, Sendable {
    /// Without distributions and the mean of the CPU.
    var figures: WindowResult
    /// Place on the grid; the window may begin slightly before or after it.
    let placeMilliseconds: Int64
    /// Keyed by name of a metric.
    private var latencies: [RequestKind: [String: SparseHistogram]] = [:]
    private var liveEdgeAge = SparseHistogram(digits: .two)
    private var cpuCoreMilliseconds: Double

    private static var metrics: [(LatencyMetric, WritableKeyPath<WindowResult.Requests, LatencyResult?>)] {
        [(.lateness, \.lateness), (.service, \.service), (.response, \.response)]
    }

    init(
        _ interval: RunInterval,
        unlistedBreaks: BreakSums,
        startMilliseconds: Int64,
        placeMilliseconds: Int64,
        isWarmUp: Bool
    ) {
        let health = interval.health
        figures = WindowResult(
            startMilliseconds: startMilliseconds,
            endMilliseconds: max(startMilliseconds, interval.endMicroseconds / 1_000),
            isWarmUp: isWarmUp,
            viewers: interval.sums.viewers.byName,
            findings: interval.counts.findings,
            activeViewers: interval.counts.activeViewers,
            residentBytesMinimum: health.residentBytes,
            residentBytesMaximum: health.residentBytes,
            openDescriptorsMinimum: health.openDescriptors,
            openDescriptorsMaximum: health.openDescriptors,
            loopDelayMaximumMicroseconds: max(0, health.loopDelayMicroseconds),
            droppedStarts: health.droppedStarts
        )
        figures.addOutcomes(of: unlistedBreaks)
        self.placeMilliseconds = placeMilliseconds
        cpuCoreMilliseconds = health.cpuCores * Double(figures.endMilliseconds &- startMilliseconds)
        for (kind, tally) in interval.sums.requests.tallies() {
            figures.requests[kind.name] = .init(count: tally.count, errors: tally.errors)
        }
        for kind in RequestKind.allCases {
            for (metric, _) in Self.metrics { add(interval.sums.requests.latency(kind, metric), kind, metric) }
        }
        liveEdgeAge.add(interval.sums.liveEdgeAge)
    }

    private mutating func add(_ durations: SparseHistogram?, _ kind: RequestKind, _ metric: LatencyMetric) {
        guard let durations else { return }
        latencies[kind, default: [:]][metric.name, default: SparseHistogram(digits: .two)].add(durations)
    }
}

extension OpenWindow {
    /// Adds the same window of another process.
    mutating func addInParallel(_ other: OpenWindow) {
        figures.addInParallel(other.figures)
        latencies.add(other.latencies)
        liveEdgeAge.add(other.liveEdgeAge)
        cpuCoreMilliseconds += other.cpuCoreMilliseconds
    }

    /// Adds the next window of the same process.
    mutating func append(_ next: OpenWindow) {
        let (own, theirs) = (figures, next.figures)
        addInParallel(next)
        figures.activeViewers = theirs.activeViewers
        figures.residentBytesMinimum = min(own.residentBytesMinimum, theirs.residentBytesMinimum)
        figures.residentBytesMaximum = max(own.residentBytesMaximum, theirs.residentBytesMaximum)
        figures.openDescriptorsMinimum = min(own.openDescriptorsMinimum, theirs.openDescriptorsMinimum)
        figures.openDescriptorsMaximum = max(own.openDescriptorsMaximum, theirs.openDescriptorsMaximum)
    }

    /// The start moves to the end of the previous window.
    mutating func begin(at milliseconds: Int64) {
        figures.startMilliseconds = min(milliseconds, figures.endMilliseconds)
    }

    /// Outcomes of listed breaks are filled in later.
    func result(isComplete: Bool) -> WindowResult {
        var result = figures
        result.isComplete = isComplete
        for (kind, latencies) in latencies {
            for (metric, path) in Self.metrics {
                result.requests[kind.name]?[keyPath: path] = latencies[metric.name].flatMap { LatencyResult($0) }
            }
        }
        result.liveEdgeAge = LatencyResult(liveEdgeAge)
        result.cpuCoresMean = cpuCoreMilliseconds / Double(max(1, result.endMilliseconds &- result.startMilliseconds))
        return result
    }

    /// Reopens a closed window at its middle.
    init(reopening closed: WindowResult) throws(HdrDecodingError) {
        figures = closed
        placeMilliseconds = closed.startMilliseconds / 2 &+ closed.endMilliseconds / 2
        cpuCoreMilliseconds = closed.cpuCoresMean * Double(closed.endMilliseconds &- closed.startMilliseconds)
        for kind in RequestKind.allCases {
            for (metric, path) in Self.metrics {
                try add(closed.requests[kind.name]?[keyPath: path]?.decoded(), kind, metric)
            }
        }
        if let age = closed.liveEdgeAge { liveEdgeAge.add(try age.decoded()) }
        // Not to be kept twice.
        figures.requests = closed.requests.mapValues { .init(count: $0.count, errors: $0.errors) }
        figures.liveEdgeAge = nil
    }
}

extension OpenWindow: CheckedWhenRead {
    /// Distributions of other digits would not fit the exact extremes of those they are added to.
    var problem: String? {
        let durations = latencies.values.flatMap(\.values) + [liveEdgeAge]
        return durations.allSatisfy { $0.digits == .two } ? nil : "no window"
    }
}

extension WindowResult {
    fileprivate mutating func addInParallel(_ other: WindowResult) {
        startMilliseconds = min(startMilliseconds, other.startMilliseconds)
        endMilliseconds = max(endMilliseconds, other.endMilliseconds)
        isComplete = isComplete && other.isComplete
        requests.add(other.requests)
        addOutcomes(of: other)
        viewers.merge(other.viewers, uniquingKeysWith: &+)
        findings &+= other.findings
        activeViewers &+= other.activeViewers
        residentBytesMinimum &+= other.residentBytesMinimum
        residentBytesMaximum &+= other.residentBytesMaximum
        openDescriptorsMinimum &+= other.openDescriptorsMinimum
        openDescriptorsMaximum &+= other.openDescriptorsMaximum
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, other.loopDelayMaximumMicroseconds)
        droppedStarts &+= other.droppedStarts
    }
}

extension WindowResult.Requests: Summable {
    package mutating func add(_ other: WindowResult.Requests) {
        count &+= other.count
        errors &+= other.errors
    }
}
