import Rules
import Values

/// Windows end with the interval nearest to each multiple of the length, which doubles at the limit.
struct WindowLog: Equatable, Codable, Sendable, CheckedWhenRead {
    static let limit = 288
    static let longest: Int64 = 1 << 40
    static let usualInterval: Int64 = 1_000

    private let warmUpMilliseconds: Int64
    var lengthMilliseconds: Int64
    private(set) var closed: [WindowResult] = []
    private(set) var open: OpenWindow?
    /// nil for one process, to which intervals may be added.
    var ofShards: [OpenWindow]?

    init(lengthMilliseconds: Int64, warmUpMilliseconds: Int64) {
        self.lengthMilliseconds = min(max(1, lengthMilliseconds), Self.longest)
        self.warmUpMilliseconds = min(max(0, warmUpMilliseconds), Self.longest)
    }

    func isOfWarmUp(_ interval: RunInterval) -> Bool { Self.middle(of: interval) < warmUpMilliseconds }

    private static func middle(of interval: RunInterval) -> Int64 {
        let middle = (interval.startMicroseconds / 2_000) &+ (interval.endMicroseconds / 2_000)
        return min(max(0, middle), longest)
    }

    /// `unlistedBreaks` are past the limit; their starts are not kept.
    mutating func add(_ interval: RunInterval, unlistedBreaks: PunctualityTally) {
        let middle = Self.middle(of: interval)
        let isWarmUp = middle < warmUpMilliseconds
        if let window = open, window.figures.isWarmUp != isWarmUp || middle >= end(of: window) {
            open = nil
            closed.append(window.result(isComplete: true))
            if closed.count >= Self.limit { join() }
        }
        // Closing may have joined windows and reopened the last one.
        let start = (open?.figures ?? closed.last)?.endMilliseconds ?? max(0, interval.startMicroseconds / 1_000)
        let next = OpenWindow(
            interval,
            unlistedBreaks: unlistedBreaks,
            startMilliseconds: start,
            placeMilliseconds: middle,
            isWarmUp: isWarmUp
        )
        if open?.append(next) == nil { open = next }
    }

    private func end(of window: OpenWindow) -> Int64 {
        let place = place(window)
        let end = (place.isMeasured ? warmUpMilliseconds : 0) &+ (place.index &+ 1) &* lengthMilliseconds
        return place.isMeasured ? end : min(end, warmUpMilliseconds)
    }

    private mutating func join() {
        let length = min(lengthMilliseconds &* 2, Self.longest)
        var joined = Self.sorted(regrouped(length))
        lengthMilliseconds = length
        // The last window may have room left.
        if let last = joined.last, !last.figures.isWarmUp,
            last.figures.endMilliseconds &+ Self.usualInterval / 2 < end(of: last)
        {
            open = joined.removeLast()
        }
        closed = joined.map { $0.result(isComplete: true) }
    }

    /// Oldest first; `breaks` are of all loops, in any order; a key may occur several times.
    func results(breaks: some Sequence<BreakRecord>, wallStartMicroseconds: Int64) -> [WindowResult] {
        var windows = ofShards.map(Self.results) ?? closed + Self.results([current].compactMap(\.self))
        guard !windows.isEmpty else { return [] }
        let starts = windows.map(\.startMilliseconds)
        var keys = [Set<String>](repeating: [], count: windows.count)
        // The overflow record was counted when it grew.
        for record in breaks where !record.isOverflow {
            let offset = record.startMicroseconds &- wallStartMicroseconds
            let index = max(0, starts.partitioningIndex { $0 > offset / 1_000 } - 1)
            // A break that is only announced, or began before the run, is due in the nearest window but begins in none.
            if offset >= 0, offset / 1_000 < windows[index].endMilliseconds { keys[index].insert(record.key) }
            windows[index].add(outcomesOf: record)
        }
        for (index, keys) in keys.enumerated() { windows[index].breaks = keys.count }
        return windows
    }

    var problem: String? {
        let isSound =
            closed.count < Self.limit && (1...Self.longest).contains(lengthMilliseconds)
            && (0...Self.longest).contains(warmUpMilliseconds)
            && closed.allSatisfy { (try? OpenWindow(reopening: $0)) != nil }
        return isSound ? nil : "no windows"
    }

    /// Adds windows by their place on the longer grid; no intervals may be added afterwards.
    mutating func addInParallel(_ other: WindowLog) {
        let length = max(lengthMilliseconds, other.lengthMilliseconds)
        var sum = regrouped(length)
        let added = other.regrouped(length)
        for place in sum.keys where added[place] == nil { sum[place]?.figures.isComplete = false }
        for (place, var theirs) in added where sum[place]?.addInParallel(theirs) == nil {
            theirs.figures.isComplete = false
            sum[place] = theirs
        }
        lengthMilliseconds = length
        ofShards = Self.sorted(sum)
        while let windows = ofShards, windows.count > Self.limit, lengthMilliseconds < Self.longest {
            lengthMilliseconds = min(lengthMilliseconds &* 2, Self.longest)
            ofShards = Self.sorted(regrouped(lengthMilliseconds))
        }
    }

    /// The warm-up has its own grid, which comes first.
    private struct Place: Hashable, Comparable {
        var isMeasured: Bool
        var index: Int64

        static func < (lhs: Place, rhs: Place) -> Bool {
            lhs.isMeasured == rhs.isMeasured ? lhs.index < rhs.index : rhs.isMeasured
        }
    }

    private static func sorted(_ windows: [Place: OpenWindow]) -> [OpenWindow] {
        windows.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The open window, complete once it has reached its end.
    private var current: OpenWindow? {
        var current = open
        if let open { current?.figures.isComplete = open.figures.endMilliseconds >= end(of: open) }
        return current
    }

    private var each: [OpenWindow] {
        // A journal with an unreadable window was rejected before.
        ofShards ?? closed.compactMap { try? OpenWindow(reopening: $0) } + [current].compactMap(\.self)
    }

    private func place(_ window: OpenWindow) -> Place {
        let isMeasured = !window.figures.isWarmUp
        let offset = window.placeMilliseconds &- (isMeasured ? warmUpMilliseconds : 0)
        return Place(isMeasured: isMeasured, index: min(max(0, offset), Self.longest) / lengthMilliseconds)
    }

    private func regrouped(_ length: Int64) -> [Place: OpenWindow] {
        var grid = self
        grid.lengthMilliseconds = length
        var grouped: [Place: OpenWindow] = [:]
        for next in each where grouped[grid.place(next)]?.append(next) == nil { grouped[grid.place(next)] = next }
        guard length > lengthMilliseconds else { return grouped }
        return grouped.mapValues { window in
            var window = window
            let isWhole = window.figures.endMilliseconds &+ Self.usualInterval / 2 >= grid.end(of: window)
            window.figures.isComplete = window.figures.isComplete && isWhole
            return window
        }
    }

    /// Closes gaps between consecutive windows.
    static func results(_ windows: [OpenWindow]) -> [WindowResult] {
        var end: Int64?
        return windows.map { window in
            var window = window
            if let end { window.figures.startMilliseconds = min(end, window.figures.endMilliseconds) }
            end = window.figures.endMilliseconds
            return window.result(isComplete: window.figures.isComplete)
        }
    }
}

/// Window with distributions that others can be added to.
struct OpenWindow: Equatable, Codable, Sendable, CheckedWhenRead {
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
        unlistedBreaks: PunctualityTally,
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
        figures.add(outcomesOf: unlistedBreaks)
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
    init(reopening closed: WindowResult) throws(FormError) {
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

    /// Distributions of other digits would not fit the exact extremes of those they are added to.
    var problem: String? {
        let durations = latencies.values.flatMap(\.values) + [liveEdgeAge]
        return durations.allSatisfy { $0.digits == .two } ? nil : "no window"
    }
}

extension WindowResult: Punctuality {
    fileprivate mutating func add(outcomesOf other: some Punctuality) {
        due &+= other.due
        onTime &+= other.onTime
        late &+= other.late
        failed &+= other.failed
    }

    fileprivate mutating func addInParallel(_ other: WindowResult) {
        startMilliseconds = min(startMilliseconds, other.startMilliseconds)
        endMilliseconds = max(endMilliseconds, other.endMilliseconds)
        isComplete = isComplete && other.isComplete
        requests.add(other.requests)
        add(outcomesOf: other)
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
