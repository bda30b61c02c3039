package import Rules

@dynamicMemberLookup
package struct RunTotals: Sendable {
    /// Viewer counters and requests not sent cover the whole run, warm-up included.
    let sums: RunSums
    package let personaNames: [String]
    /// Sorted by start, then key; the overflow record is last.
    package let breaks: [BreakRecord]
    /// Listed, and in no sum.
    package let warmUpBreaks: [BreakRecord]
    /// Sorted by severity, code and break; includes findings across viewers.
    package let findings: [Finding]
    /// Derived from the run's steps; empty during the run.
    package var outages: [OutageResult] = []
    /// Excluded from `findings.*`.
    package var allowedFindings = FindingAllowances()
    package var vendors: [Vendor]?
    package var reportedNames: [ReportedName]?
    package var exchanges = ExchangeLedger()

    /// `announcementTolerance` is in microseconds; nil means the default.
    package init(merging loops: [LoopInterval], personaNames: [String] = [], announcementTolerance: Int64? = nil) {
        var interval = RunInterval(number: 0)
        for (index, loop) in loops.enumerated() { interval.add(loop, index: index) }
        let ledgers = interval.changes.map { changes in
            var ledger = LoopLedger()
            ledger.replace(changes)
            return ledger
        }
        interval.sums.breakLateness.add(interval.warmUpBreakLateness)
        self.init(
            sums: interval.sums,
            personaNames: personaNames,
            breaks: Array(ledgers.breaks(until: .max).values),
            findings: ledgers.findings,
            announcementTolerance: announcementTolerance
        )
        for changes in interval.changes { exchanges.add(changes.exchanges) }
    }

    /// `breaks` come in any order, one for each key; without a ledger no finding is listed.
    package init(
        sums: RunSums,
        personaNames: [String] = [],
        breaks: [BreakRecord],
        findings ledger: FindingLedger?,
        announcementTolerance: Int64? = nil,
        isOfWarmUp: (BreakRecord) -> Bool = { _ in false }
    ) {
        let sorted = breaks.sorted { $0.position < $1.position }
        (self.sums, self.personaNames) = (sums, personaNames)
        self.breaks = sorted.filter { !isOfWarmUp($0) }
        warmUpBreaks = sorted.filter(isOfWarmUp)
        let tolerance = announcementTolerance ?? Finding.usualAnnouncementTolerance
        let joined = Int(clamping: sums.viewers.people)
        findings =
            ledger.map { Finding.all(ledger: $0, breaks: sorted, joined: joined, tolerance: tolerance) } ?? []
    }

    package subscript<Sum>(dynamicMember sum: KeyPath<RunSums, Sum>) -> Sum { sums[keyPath: sum] }

    /// Computed on each access.
    package var breakDiscovery: SparseHistogram {
        breaks.reduce(into: SparseHistogram(digits: .three)) { $0.add($1.discovery) }
    }

    package var breakFirstPicture: SparseHistogram {
        breaks.reduce(into: SparseHistogram(digits: .two)) { $0.add($1.firstPicture) }
    }

    package func count(of counter: ViewerCounter) -> UInt64 { sums.viewers[counter] }

    package func latency(_ kind: RequestKind, _ metric: LatencyMetric) -> SparseHistogram {
        sums.requests.latency(kind, metric) ?? SparseHistogram()
    }

    package func latency(over kinds: [RequestKind], _ metric: LatencyMetric) -> SparseHistogram {
        if let only = kinds.first, kinds.count == 1 { return latency(only, metric) }
        return kinds.reduce(into: SparseHistogram()) { $0.add(latency($1, metric)) }
    }

    /// Finished requests, including those that failed or were never sent.
    package func requestCount(of kind: RequestKind) -> UInt64 { sums.requests.count(kind) { _ in true } }

    package func errorCount(of kind: RequestKind) -> UInt64 { sums.requests.count(kind) { $0.isError } }

    package func answeredCount(of kind: RequestKind) -> UInt64 {
        sums.requests.count(kind) { if case .status = $0 { true } else { false } }
    }

    /// The target may have received these requests.
    package func unansweredCount(of kind: RequestKind) -> UInt64 {
        sums.requests.count(kind) { if case .failure(let failure) = $0 { !failure.neverReachedTarget } else { false } }
    }

    package var latenciesAboveRange: UInt64 { sums.breakLateness.aboveRange &+ sums.requests.aboveRange }

    package var latenciesBelowZero: UInt64 { sums.breakLateness.belowZero &+ sums.requests.belowZero }
}

extension BreakRecord {
    fileprivate var position: (Int, Int64, String) { (isOverflow ? 1 : 0, startMicroseconds, key) }
}
