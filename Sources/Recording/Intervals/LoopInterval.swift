import Rulebook

/// What one loop measured since its last interval, as a value that may cross to the collector.
package struct LoopInterval: Sendable {
    /// Goes back to the loop, cleared, once it was read; nil when it has.
    private(set) var set: RecorderSet?
    let counters: [UInt64]
    let personaViewers: [UInt64]
    let breaks: [BreakRecord]
    let breaksNotKept: UInt64
    let findings: [FindingLedger.Row]
    let shutOuts: [ShutOut.Row]
    /// By slot, from 1 on.
    let edges: [Edge]
    let slowest: [SlowAnswer]
    let warnings: ServerWarnings
    let leftOut: LeftOutLedger
    package let counts: IntervalCounts

    init(
        set: RecorderSet,
        counters: [UInt64],
        personaViewers: [UInt64],
        breaks: [BreakRecord],
        breaksNotKept: UInt64,
        findings: [FindingLedger.Row],
        shutOuts: [ShutOut.Row],
        edges: [Edge],
        slowest: [SlowAnswer],
        warnings: ServerWarnings,
        leftOut: LeftOutLedger,
        counts: IntervalCounts
    ) {
        self.set = set
        self.counters = counters
        self.personaViewers = personaViewers
        self.breaks = breaks
        self.breaksNotKept = breaksNotKept
        self.findings = findings
        self.shutOuts = shutOuts
        self.edges = edges
        self.slowest = slowest
        self.warnings = warnings
        self.leftOut = leftOut
        self.counts = counts
    }

    /// Empties the set for the loop to fill again; the interval has no distributions afterwards.
    package mutating func takeClearedSet() -> RecorderSet? {
        guard var taken = set.take() else { return nil }
        taken.clear()
        return taken
    }
}

extension RunInterval {
    /// Adds what one loop measured in this interval.
    ///
    /// - Parameters:
    ///   - loop: The loop's interval.
    ///   - index: The loop's number, the same for the whole run.
    package mutating func add(_ loop: LoopInterval, index: Int) {
        if let set = loop.set {
            requests.add(set.requests)
            breakLateness.add(set.rare.breakLateness)
            warmUpBreakLateness.add(set.rare.warmUpBreakLateness)
            liveEdgeAge.add(set.rare.liveEdgeAge)
            liveLatency.add(set.rare.liveLatency)
            channelClock.add(set.rare.channelClock)
            edges.add(set.edges, of: loop.edges)
        }
        for answer in loop.slowest { slowest.add(answer) }
        warnings.add(loop.warnings)
        leftOut.add(loop.leftOut)
        for counter in ViewerCounter.allCases where loop.counters[Int(counter.rawValue)] > 0 {
            viewers[counter, default: 0] &+= loop.counters[Int(counter.rawValue)]
        }
        for (persona, count) in loop.personaViewers.enumerated() where count > 0 {
            personaViewers[persona] &+= count
        }
        breaksNotKept &+= loop.breaksNotKept
        counts = counts + loop.counts
        let changed = LoopChanges(
            loop: index,
            breaks: loop.breaks,
            findings: loop.findings,
            shutOuts: loop.shutOuts
        )
        if !changed.isEmpty { changes.append(changed) }
    }
}
