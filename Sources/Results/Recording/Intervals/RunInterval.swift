import Values

/// Changed records with their whole state: a lost interval never doubles counts.
package struct LoopChanges: Equatable, Codable, Sendable {
    /// Identifies the loop for the whole run.
    package var loop = 0
    package var breaks: [BreakRecord] = []
    package var findings: [FindingLedger.Key: FindingEntry] = [:]
    /// Zero viewers mean that the period is over or known better.
    package var shutOuts: [ShutOut: UInt64] = [:]
    /// Kept since the last interval only.
    var exchanges = ExchangeLedger()
}

/// About one second of a run; longer if the machine stood still, without gaps.
package struct RunInterval: Equatable, Codable, Sendable, CheckedWhenRead {
    /// From 0, without gaps.
    package var number: Int
    /// From the start of the run on the monotonic clock.
    package var startMicroseconds: Int64 = 0
    package var endMicroseconds: Int64 = 0
    /// At the end, since the Unix epoch.
    package var wallMicroseconds: Int64 = 0
    /// Pod lateness is only of the measured part.
    package var sums = RunSums()
    package var warmUpBreakLateness = SparseHistogram()
    package var changes: [LoopChanges] = []
    package var counts = IntervalCounts()
    package var health = HealthSample(wallMicroseconds: 0)
    /// At the end, in the order of a viewer's life.
    package var viewersByPhase: [Int] = []
    /// Since the Unix epoch; nil if no break is awaited.
    package var nextBreakMicroseconds: Int64?

    package init(number: Int) { self.number = number }

    package var durationMicroseconds: Int64 { endMicroseconds &- startMicroseconds }

    package mutating func add(_ loop: LoopInterval, index: Int) {
        sums.add(loop)
        if let set = loop.set {
            sums.breakLateness.add(set.breakLateness)
            warmUpBreakLateness.add(set.warmUpBreakLateness)
        }
        counts.add(loop.counts)
        guard loop.changes != LoopChanges() else { return }
        changes.append(loop.changes)
        changes[changes.count - 1].loop = index
    }

    package var problem: String? {
        number >= 0 && number < 1 << 48 && warmUpBreakLateness.digits == .three ? nil : "no interval of a run"
    }
}

package struct HealthSample: Equatable, Codable, Sendable {
    /// End of the second, since the Unix epoch.
    package var wallMicroseconds: Int64
    package var loopDelayMicroseconds: Int64 = 0
    /// 1.0 is one core fully used.
    package var cpuCores: Double = 0
    package var residentBytes: Int64 = 0
    package var openDescriptors: Int = 0
    package var lateStarts: Int = 0
    package var droppedStarts: Int = 0
    package var loadAverage: Double = 0
    /// nil if unknown, and in journals of earlier versions.
    package var generatorWait: CoreWait?
    package var originWait: CoreWait?
}

extension HealthSample {
    package init(wallMicroseconds: Int64) { self.wallMicroseconds = wallMicroseconds }
}

/// A longer interval has means per second; a shorter one counts as a whole second.
package struct CoreWait: Equatable, Codable, Sendable {
    package var ranMicroseconds: Int64
    /// 1,000,000 is one thread that waited all the time.
    package var waitedMicroseconds: Int64
    package var threadWaitedMicroseconds: Int64

    package init(ranMicroseconds: Int64, waitedMicroseconds: Int64, threadWaitedMicroseconds: Int64) {
        (self.ranMicroseconds, self.waitedMicroseconds) = (ranMicroseconds, waitedMicroseconds)
        self.threadWaitedMicroseconds = threadWaitedMicroseconds
    }
}
