package import Recording
package import Rulebook
package import Thresholds

/// What all loops recorded, merged; the same whatever the order of the loops.
@dynamicMemberLookup
package struct RunTotals: Sendable {
    /// Viewer counters and what was left out are of the whole run, its warm-up included.
    let sums: RunSums
    /// In the order of their numbers; empty for a profile that names none.
    package let personaNames: [String]
    /// By start, then by key; the record of later breaks, if any, last.
    package let breaks: [BreakRecord]
    /// Breaks that began in the warm-up: listed, and in no sum.
    package let warmUpBreaks: [BreakRecord]
    /// By severity, code and break; includes the findings that only show across viewers.
    package let findings: [Finding]
    /// Told from the run's steps; empty while it goes on.
    package var outages: [OutageResult] = []
    /// Findings within these are left out of `findings.*`.
    package var allowedFindings = FindingAllowances()

    /// Merges what loops recorded from their beginning on, each in one interval.
    ///
    /// How far times of one break may be apart is in microseconds; nil: as usual.
    package init(merging loops: [LoopInterval], personaNames: [String] = [], announcementTolerance: Int64? = nil) {
        var interval = RunInterval(
            number: 0,
            startMicroseconds: 0,
            endMicroseconds: 0,
            wallMicroseconds: 0,
            health: HealthSample(wallMicroseconds: 0)
        )
        for (index, loop) in loops.enumerated() { interval.add(loop, index: index) }
        var breaks: [String: BreakRecord] = [:]
        var ledger = FindingLedger()
        var shutOuts: [ShutOut: UInt64] = [:]
        for loop in interval.changes {
            for record in loop.breaks { breaks[record.key] = breaks[record.key].map { $0.adding(record) } ?? record }
            ledger.add(FindingLedger(rows: loop.findings))
            for row in loop.shutOuts { shutOuts[row.stretch, default: 0] &+= row.viewers }
        }
        for key in breaks.keys { breaks[key]?.countShutOut(shutOuts, end: .max) }
        interval.sums.breakLateness.add(interval.warmUpBreakLateness)
        self.init(
            sums: interval.sums,
            personaNames: personaNames,
            breaks: Array(breaks.values),
            findings: ledger,
            announcementTolerance: announcementTolerance
        )
    }

    /// Sorts what was merged already, and derives what no viewer can see alone.
    ///
    /// Breaks come in any order, one for each key; those of the warm-up are not judged but give findings. How far times of
    /// one break may be apart is in microseconds; nil: as usual.
    package init(
        sums: RunSums,
        personaNames: [String] = [],
        breaks: [BreakRecord],
        findings ledger: FindingLedger,
        announcementTolerance: Int64? = nil,
        isOfWarmUp: (BreakRecord) -> Bool = { _ in false }
    ) {
        let sorted = breaks.sorted { $0.position < $1.position }
        self.sums = sums
        self.personaNames = personaNames
        self.breaks = sorted.filter { !isOfWarmUp($0) }
        warmUpBreaks = sorted.filter(isOfWarmUp)
        findings = Finding.all(
            ledger: ledger,
            breaks: sorted,
            joined: Int(clamping: sums.viewers.people),
            announcementTolerance: announcementTolerance ?? Finding.usualAnnouncementTolerance
        )
    }

    package subscript<Sum>(dynamicMember sum: KeyPath<RunSums, Sum>) -> Sum { sums[keyPath: sum] }

    /// From the first sight of each break to those of the other viewers, over all breaks; put together when asked for.
    package var breakDiscovery: SparseHistogram {
        breaks.reduce(into: SparseHistogram(digits: .three)) { $0.add($1.discovery) }
    }

    package func count(of counter: ViewerCounter) -> UInt64 { sums.viewers[counter] }

    package func latency(_ kind: RequestKind, _ metric: LatencyMetric) -> SparseHistogram {
        sums.requests.latency(kind, metric) ?? SparseHistogram(digits: sums.requests.digits)
    }

    /// One metric over several kinds together.
    package func latency(over kinds: [RequestKind], _ metric: LatencyMetric) -> SparseHistogram {
        if let only = kinds.first, kinds.count == 1 { return latency(only, metric) }
        return kinds.reduce(into: SparseHistogram(digits: sums.requests.digits)) { $0.add(latency($1, metric)) }
    }

    /// Counts by outcome code, without the zeros.
    package func outcomes(of kind: RequestKind) -> [String: UInt64] {
        sums.requests.outcomesByCode(of: kind)
    }

    package func bodyBytes(of kind: RequestKind) -> UInt64 { sums.requests.bodyBytes(kind) }
    package func newConnections(of kind: RequestKind) -> UInt64 { sums.requests.newConnections(kind) }

    /// Requests that were sent, by what carried them; the sum over carriers is the requests that were sent.
    package func carried(of kind: RequestKind, by carrier: Carrier) -> UInt64 {
        sums.requests.carried(kind, by: carrier)
    }

    /// How often a request was sent again, because a reused connection turned out to be closed.
    package func repeated(of kind: RequestKind) -> UInt64 { sums.requests.repeated(kind) }

    /// Answers whose end is the reader's clock, because the kernel has not stamped it.
    package func unstamped(of kind: RequestKind) -> UInt64 { sums.requests.unstamped(kind) }

    /// Answers that were larger than the socket's receive buffer.
    package func outgrown(of kind: RequestKind) -> UInt64 { sums.requests.outgrown(kind) }

    /// Finished requests, including those that failed or were never sent.
    package func requestCount(of kind: RequestKind) -> UInt64 { sums.requests.count(kind) { _ in true } }

    /// Requests that count against the target; see `Outcome.isError`.
    package func errorCount(of kind: RequestKind) -> UInt64 { sums.requests.count(kind) { $0.isError } }

    /// Requests the target answered with a status.
    package func answeredCount(of kind: RequestKind) -> UInt64 {
        sums.requests.count(kind) { if case .status = $0 { true } else { false } }
    }

    /// Requests without an answer that the target may have received all the same.
    package func unansweredCount(of kind: RequestKind) -> UInt64 {
        sums.requests.count(kind) { if case .failure(let failure) = $0 { !failure.neverReachedTarget } else { false } }
    }

    /// Durations outside the range of every distribution, over all kinds.
    package var latenciesAboveRange: UInt64 {
        sums.breakLateness.aboveRange &+ sums.requests.aboveRange
    }

    package var latenciesBelowZero: UInt64 {
        sums.breakLateness.belowZero &+ sums.requests.belowZero
    }
}

extension BreakRecord {
    fileprivate var position: (Int, Int64, String) { (isOverflow ? 1 : 0, startMicroseconds, key) }
}
