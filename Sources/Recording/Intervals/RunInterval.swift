import JSON

/// What one loop's breaks and findings became in one interval: each that changed, whole.
///
/// A record replaces the one of the same loop and key, so that a lost interval would cost counts and never double them.
package struct LoopChanges: Equatable, Codable, Sendable {
    package var loop: Int
    package var breaks: [BreakRecord]
    package var findings: [FindingLedger.Row]
    /// Stretches in which viewers were shut out.
    package var shutOuts: [ShutOut.Row]

    package init(
        loop: Int,
        breaks: [BreakRecord] = [],
        findings: [FindingLedger.Row] = [],
        shutOuts: [ShutOut.Row] = []
    ) {
        self.loop = loop
        self.breaks = breaks
        self.findings = findings
        self.shutOuts = shutOuts
    }

    var isEmpty: Bool { breaks.isEmpty && findings.isEmpty && shutOuts.isEmpty }
}

/// About one second of a run, over all loops: the step from which totals, windows and series are folded.
///
/// Lasts longer where the machine stood still: intervals follow one another without gaps, whatever happens.
package struct RunInterval: Equatable, Codable, Sendable {
    /// From 0, without gaps.
    package var number: Int
    /// Offsets from the start of the run on the monotonic clock.
    package var startMicroseconds: Int64
    package var endMicroseconds: Int64
    /// The wall clock at the end, since the Unix epoch.
    package var wallMicroseconds: Int64
    /// How late pods were, only for breaks that began in the measured part of the run.
    package var sums = RunSums()
    /// How late they were for breaks that began in the warm-up.
    package var warmUpBreakLateness = SparseHistogram()
    /// One for each loop where anything changed.
    package var changes: [LoopChanges] = []
    package var counts = IntervalCounts()
    package var health: HealthSample
    /// Viewers by phase at the end of the interval, in the order of a viewer's life.
    package var viewersByPhase: [Int]
    /// When the next break begins that viewers wait for, since the Unix epoch; nil where none is known.
    package var nextBreakMicroseconds: Int64?

    package init(
        number: Int,
        startMicroseconds: Int64,
        endMicroseconds: Int64,
        wallMicroseconds: Int64,
        health: HealthSample,
        viewersByPhase: [Int] = []
    ) {
        self.number = number
        self.startMicroseconds = startMicroseconds
        self.endMicroseconds = endMicroseconds
        self.wallMicroseconds = wallMicroseconds
        self.health = health
        self.viewersByPhase = viewersByPhase
    }

    package var durationMicroseconds: Int64 {
        endMicroseconds.subtractingReportingOverflow(startMicroseconds).partialValue
    }

    /// Adds what one loop measured in this interval.
    ///
    /// - Parameters:
    ///   - loop: The loop's interval.
    ///   - index: The loop's number, the same for the whole run.
    package mutating func add(_ loop: LoopInterval, index: Int) {
        sums.add(loop)
        if let rare = loop.set?.rare {
            sums.breakLateness.add(rare.breakLateness)
            warmUpBreakLateness.add(rare.warmUpBreakLateness)
        }
        counts = counts + loop.counts
        let changed = LoopChanges(loop: index, breaks: loop.breaks, findings: loop.findings, shutOuts: loop.shutOuts)
        if !changed.isEmpty { changes.append(changed) }
    }
}

extension RunInterval: CheckedWhenRead {
    package var problem: String? {
        number >= 0 && number < 1 << 48 && warmUpBreakLateness.digits == .three ? nil : "no interval of a run"
    }
}
