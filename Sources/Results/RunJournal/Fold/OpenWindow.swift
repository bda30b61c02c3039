import Rules

struct OpenWindow: Equatable, Codable, Sendable {
    private struct Kind: Equatable, Codable, Sendable {
        var count: UInt64 = 0
        var errors: UInt64 = 0
        var lateness = CompactHistogram()
        var service = CompactHistogram()
        var response = CompactHistogram()

        mutating func add(_ other: Kind) {
            count &+= other.count
            errors &+= other.errors
            lateness.add(other.lateness)
            service.add(other.service)
            response.add(other.response)
        }
    }

    let isWarmUp: Bool
    /// Place on the grid; the window may begin slightly before or after it.
    let placeMilliseconds: Int64
    private(set) var startMilliseconds: Int64
    private(set) var endMilliseconds: Int64
    private var kinds = [Kind](repeating: Kind(), count: RequestKind.allCases.count)
    private var viewers: [String: UInt64] = [:]
    private var findings: UInt64 = 0
    private var activeViewers: Int64 = 0
    private var liveEdgeAge = CompactHistogram()
    private var residentBytes: ClosedRange<Int64>?
    private var openDescriptors: ClosedRange<Int>?
    var cpuCoreMilliseconds = 0.0
    private var loopDelayMaximumMicroseconds: Int64 = 0
    private var droppedStarts = 0
    private var unlistedBreaks = BreakSums()

    init(startMilliseconds: Int64, placeMilliseconds: Int64, isWarmUp: Bool) {
        self.startMilliseconds = startMilliseconds
        self.placeMilliseconds = placeMilliseconds
        self.isWarmUp = isWarmUp
        endMilliseconds = startMilliseconds
    }

    mutating func add(_ interval: RunInterval, unlistedBreaks: BreakSums) {
        self.unlistedBreaks.add(unlistedBreaks)
        for (kind, tally) in interval.sums.requests.tallies() {
            kinds[Int(kind.rawValue)].count &+= tally.count
            kinds[Int(kind.rawValue)].errors &+= tally.errors
        }
        for kind in RequestKind.allCases {
            let index = Int(kind.rawValue)
            if let lateness = interval.sums.requests.latency(kind, .lateness) { kinds[index].lateness.add(lateness) }
            if let service = interval.sums.requests.latency(kind, .service) { kinds[index].service.add(service) }
            if let response = interval.sums.requests.latency(kind, .response) { kinds[index].response.add(response) }
        }
        viewers.merge(interval.sums.viewers.byName, uniquingKeysWith: &+)
        findings &+= interval.counts.findings
        activeViewers = interval.counts.activeViewers
        liveEdgeAge.add(interval.sums.liveEdgeAge)
        let health = interval.health
        take(
            resident: health.residentBytes...health.residentBytes,
            open: health.openDescriptors...health.openDescriptors
        )
        let before = endMilliseconds
        endMilliseconds = max(endMilliseconds, interval.endMicroseconds / 1_000)
        cpuCoreMilliseconds += health.cpuCores * Double(endMilliseconds &- before)
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, health.loopDelayMicroseconds)
        droppedStarts &+= health.droppedStarts
    }

    private mutating func take(resident: ClosedRange<Int64>, open: ClosedRange<Int>) {
        residentBytes =
            residentBytes.map { min($0.lowerBound, resident.lowerBound)...max($0.upperBound, resident.upperBound) }
            ?? resident
        openDescriptors =
            openDescriptors.map { min($0.lowerBound, open.lowerBound)...max($0.upperBound, open.upperBound) } ?? open
    }
}

extension OpenWindow {
    /// Adds the same window of another process.
    mutating func addInParallel(_ other: OpenWindow) {
        for index in kinds.indices { kinds[index].add(other.kinds[index]) }
        viewers.merge(other.viewers, uniquingKeysWith: &+)
        findings &+= other.findings
        activeViewers &+= other.activeViewers
        liveEdgeAge.add(other.liveEdgeAge)
        residentBytes = [residentBytes, other.residentBytes].compactMap(\.self).sum()
        openDescriptors = [openDescriptors, other.openDescriptors].compactMap(\.self).sum()
        cpuCoreMilliseconds += other.cpuCoreMilliseconds
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, other.loopDelayMaximumMicroseconds)
        droppedStarts &+= other.droppedStarts
        unlistedBreaks.add(other.unlistedBreaks)
        startMilliseconds = min(startMilliseconds, other.startMilliseconds)
        endMilliseconds = max(endMilliseconds, other.endMilliseconds)
    }

    /// Adds the next window of the same process.
    mutating func append(_ next: OpenWindow) {
        let active = next.activeViewers
        let (resident, open) = (residentBytes, openDescriptors)
        addInParallel(next)
        activeViewers = active
        (residentBytes, openDescriptors) = (next.residentBytes ?? resident, next.openDescriptors ?? open)
        if let resident, let open { take(resident: resident, open: open) }
    }

    /// The start moves to the end of the previous window.
    mutating func begin(at milliseconds: Int64) { startMilliseconds = min(milliseconds, endMilliseconds) }

    /// Outcomes of listed breaks are filled in later.
    func result(isComplete: Bool) -> WindowResult {
        WindowResult(
            startMilliseconds: startMilliseconds,
            endMilliseconds: endMilliseconds,
            isWarmUp: isWarmUp,
            isComplete: isComplete,
            requests: RequestKind.allCases.reduce(into: [:]) { requests, kind in
                let counted = kinds[Int(kind.rawValue)]
                guard counted.count > 0 else { return }
                requests[kind.name] = .init(
                    count: counted.count,
                    errors: counted.errors,
                    lateness: LatencyResult(counted.lateness),
                    service: LatencyResult(counted.service),
                    response: LatencyResult(counted.response)
                )
            },
            due: unlistedBreaks.due,
            onTime: unlistedBreaks.onTime,
            late: unlistedBreaks.late,
            failed: unlistedBreaks.failed,
            viewers: viewers,
            findings: findings,
            activeViewers: activeViewers,
            liveEdgeAge: LatencyResult(liveEdgeAge),
            residentBytesMinimum: residentBytes?.lowerBound ?? 0,
            residentBytesMaximum: residentBytes?.upperBound ?? 0,
            openDescriptorsMinimum: openDescriptors?.lowerBound ?? 0,
            openDescriptorsMaximum: openDescriptors?.upperBound ?? 0,
            cpuCoresMean: cpuCoreMilliseconds / Double(max(1, endMilliseconds &- startMilliseconds)),
            loopDelayMaximumMicroseconds: loopDelayMaximumMicroseconds,
            droppedStarts: droppedStarts
        )
    }

    /// Reopens a closed window at its middle.
    init(reopening closed: WindowResult) throws(HdrDecodingError) {
        self.init(
            startMilliseconds: closed.startMilliseconds,
            placeMilliseconds: closed.startMilliseconds / 2 &+ closed.endMilliseconds / 2,
            isWarmUp: closed.isWarmUp
        )
        for kind in RequestKind.allCases {
            guard let requests = closed.requests[kind.name] else { continue }
            let index = Int(kind.rawValue)
            kinds[index].count = requests.count
            kinds[index].errors = requests.errors
            if let lateness = requests.lateness { kinds[index].lateness.add(try lateness.decoded()) }
            if let service = requests.service { kinds[index].service.add(try service.decoded()) }
            if let response = requests.response { kinds[index].response.add(try response.decoded()) }
        }
        viewers = closed.viewers
        findings = closed.findings
        activeViewers = closed.activeViewers
        if let age = closed.liveEdgeAge { liveEdgeAge.add(try age.decoded()) }
        take(
            resident: closed.residentBytesMinimum...max(closed.residentBytesMinimum, closed.residentBytesMaximum),
            open: closed.openDescriptorsMinimum...max(closed.openDescriptorsMinimum, closed.openDescriptorsMaximum)
        )
        cpuCoreMilliseconds = closed.cpuCoresMean * Double(closed.endMilliseconds &- closed.startMilliseconds)
        endMilliseconds = max(endMilliseconds, closed.endMilliseconds)
        loopDelayMaximumMicroseconds = max(0, closed.loopDelayMaximumMicroseconds)
        droppedStarts = closed.droppedStarts
        unlistedBreaks.due = closed.due
        unlistedBreaks.onTime = closed.onTime
        unlistedBreaks.late = closed.late
        unlistedBreaks.failed = closed.failed
    }
}

extension Array {
    fileprivate func sum<Bound: FixedWidthInteger>() -> ClosedRange<Bound>? where Element == ClosedRange<Bound> {
        guard let first else { return nil }
        return dropFirst().reduce(first) { sum, next in
            let lower = sum.lowerBound &+ next.lowerBound
            return lower...Swift.max(lower, sum.upperBound &+ next.upperBound)
        }
    }
}
