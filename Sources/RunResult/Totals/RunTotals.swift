package import Recording
package import Rulebook
package import Thresholds

/// What all loops recorded, merged; the same whatever the order of the loops.
package struct RunTotals: Sendable {
    let requests: RequestSums
    private let counters: [UInt64]
    /// Viewers that came, by the number of their persona.
    package let personaViewers: [UInt64]
    /// In the order of their numbers; empty for a profile that names none.
    package let personaNames: [String]
    /// By start, then by key; the record of later breaks, if any, last.
    package let breaks: [BreakRecord]
    /// Breaks that began in the warm-up: listed, and in no sum.
    package let warmUpBreaks: [BreakRecord]
    /// Requests for a slot that found every record taken.
    package let breaksNotKept: UInt64
    /// By severity, code and break; includes the findings that only show across viewers.
    package let findings: [Finding]
    /// How late the late pods were, over all breaks.
    package let breakLateness: SparseHistogram
    /// The wall clock less the live edge of new playlists.
    package let liveEdgeAge: SparseHistogram
    /// How far playheads were behind the wall clock.
    package let liveLatency: SparseHistogram
    /// What each edge answered.
    package let edges: EdgeSums
    package let slowest: SlowestAnswers
    /// What the ad server warned of.
    package let warnings: ServerWarnings
    package let channelClock: ChannelClock
    /// Requests to hosts that are not authorised.
    package let leftOut: LeftOutLedger
    /// Told from the run's steps; empty while it goes on.
    package var outages: [OutageResult] = []
    /// Findings within these are left out of `findings.*`.
    package var allowedFindings = FindingAllowances()

    /// Merges loops and derives what no viewer can see alone.
    ///
    /// - Parameters:
    ///   - loops: One value per loop.
    ///   - personaNames: In the order of the personas' numbers.
    ///   - announcementTolerance: How far times of one break may be apart, in microseconds; nil: as usual.
    package init(merging loops: [LoopTotals], personaNames: [String] = [], announcementTolerance: Int64? = nil) {
        var sums = Accumulation()
        var counters = [UInt64](repeating: 0, count: ViewerCounter.allCases.count)
        var breaks: [String: BreakRecord] = [:]
        var ledger = FindingLedger()
        var personaViewers = [UInt64](repeating: 0, count: PersonaTallies.limit)
        for loop in loops {
            sums.add(loop)
            for index in counters.indices { counters[index] &+= loop.counters[index] }
            for index in personaViewers.indices { personaViewers[index] &+= loop.personaViewers[index] }
            for record in loop.breaks {
                breaks[record.key] = breaks[record.key].map { $0.adding(record) } ?? record
            }
            ledger.add(loop.findings)
        }
        let shutOuts = loops.reduce(into: [:]) { $0.merge($1.shutOuts, uniquingKeysWith: &+) }
        for key in breaks.keys { breaks[key]?.countShutOut(shutOuts, end: .max) }
        self.init(
            sums: sums,
            counters: counters,
            personaViewers: personaViewers,
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
        sums: Accumulation,
        counters: [UInt64],
        personaViewers: [UInt64],
        personaNames: [String] = [],
        breaks: [BreakRecord],
        findings ledger: FindingLedger,
        announcementTolerance: Int64? = nil,
        isOfWarmUp: (BreakRecord) -> Bool = { _ in false }
    ) {
        let sorted = breaks.sorted { $0.position < $1.position }
        requests = sums.requests
        self.counters = counters
        self.personaViewers = personaViewers
        self.personaNames = personaNames
        self.breaks = sorted.filter { !isOfWarmUp($0) }
        warmUpBreaks = sorted.filter(isOfWarmUp)
        breaksNotKept = sums.breaksNotKept
        breakLateness = sums.breakLateness
        liveEdgeAge = sums.liveEdgeAge
        liveLatency = sums.liveLatency
        edges = sums.edges
        slowest = sums.slowest
        warnings = sums.warnings
        channelClock = sums.channelClock
        leftOut = sums.leftOut
        findings = Finding.all(
            ledger: ledger,
            breaks: sorted,
            joined: Int(clamping: Self.people(counters)),
            announcementTolerance: announcementTolerance ?? Finding.usualAnnouncementTolerance
        )
    }

    /// From the first sight of each break to those of the other viewers, over all breaks; put together when asked for.
    package var breakDiscovery: SparseHistogram {
        breaks.reduce(into: SparseHistogram(digits: .three)) { $0.add($1.discovery) }
    }

    /// Who opened the application again is one viewer.
    private static func people(_ counters: [UInt64]) -> UInt64 {
        let joined = counters[Int(ViewerCounter.joined.rawValue)]
        return joined &- min(joined, counters[Int(ViewerCounter.reopened.rawValue)])
    }

    /// Viewers that came, each counted once.
    package var people: UInt64 { Self.people(counters) }

    package func count(of counter: ViewerCounter) -> UInt64 { counters[Int(counter.rawValue)] }

    package func latency(_ kind: RequestKind, _ metric: LatencyMetric) -> SparseHistogram {
        requests.latency(kind, metric) ?? SparseHistogram(digits: requests.digits)
    }

    /// One metric over several kinds together.
    package func latency(over kinds: [RequestKind], _ metric: LatencyMetric) -> SparseHistogram {
        if let only = kinds.first, kinds.count == 1 { return latency(only, metric) }
        return kinds.reduce(into: SparseHistogram(digits: requests.digits)) { $0.add(latency($1, metric)) }
    }

    /// Counts by outcome code, without the zeros.
    package func outcomes(of kind: RequestKind) -> [String: UInt64] {
        requests.outcomesByCode(of: kind)
    }

    package func bodyBytes(of kind: RequestKind) -> UInt64 { requests.bodyBytes(kind) }
    package func newConnections(of kind: RequestKind) -> UInt64 { requests.newConnections(kind) }

    /// Requests that were sent, by what carried them; the sum over carriers is the requests that were sent.
    package func carried(of kind: RequestKind, by carrier: Carrier) -> UInt64 { requests.carried(kind, by: carrier) }

    /// How often a request was sent again, because a reused connection turned out to be closed.
    package func repeated(of kind: RequestKind) -> UInt64 { requests.repeated(kind) }

    /// Answers whose end is the reader's clock, because the kernel has not stamped it.
    package func unstamped(of kind: RequestKind) -> UInt64 { requests.unstamped(kind) }

    /// Answers that were larger than the socket's receive buffer.
    package func outgrown(of kind: RequestKind) -> UInt64 { requests.outgrown(kind) }

    /// Finished requests, including those that failed or were never sent.
    package func requestCount(of kind: RequestKind) -> UInt64 { requests.count(kind) { _ in true } }

    /// Requests that count against the target; see `Outcome.isError`.
    package func errorCount(of kind: RequestKind) -> UInt64 { requests.count(kind) { $0.isError } }

    /// Requests the target answered with a status.
    package func answeredCount(of kind: RequestKind) -> UInt64 {
        requests.count(kind) { if case .status = $0 { true } else { false } }
    }

    /// Requests without an answer that the target may have received all the same.
    package func unansweredCount(of kind: RequestKind) -> UInt64 {
        requests.count(kind) { if case .failure(let failure) = $0 { !failure.neverReachedTarget } else { false } }
    }

    /// Durations outside the range of every distribution, over all kinds.
    package var latenciesAboveRange: UInt64 {
        breakLateness.aboveRange &+ requests.aboveRange
    }

    package var latenciesBelowZero: UInt64 {
        breakLateness.belowZero &+ requests.belowZero
    }
}

extension BreakRecord {
    fileprivate var position: (Int, Int64, String) { (isOverflow ? 1 : 0, startMicroseconds, key) }
}
