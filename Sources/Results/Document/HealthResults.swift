/// Health of the generator: whether its figures are valid evidence against the target.
package struct HealthResult: Equatable, Codable, Sendable {
    package var withinBudget: Bool
    package var reasons: [String]
    package var budget: GeneratorBudget
    package var loopCores: Int
    package var descriptorLimit: Int
    package var seconds: Int
    package var secondsOverLoopDelay: Int
    package var secondsOverCPU: Int
    package var loopDelayMaximumMicroseconds: Int64
    package var cpuCoresMean: Double
    package var cpuCoresMaximum: Double
    package var residentBytesFirst: Int64
    package var residentBytesLast: Int64
    package var residentBytesMaximum: Int64
    package var openDescriptorsMaximum: Int
    package var lateStarts: Int
    package var droppedStarts: Int
    package var loadAverageMaximum: Double
    /// Durations outside the range of the distributions; any of them marks the run as suspect.
    package var latenciesAboveRange: UInt64
    package var latenciesBelowZero: UInt64
    package var suspect: Bool
    /// Whether the machine was the limit: a process waited too long for cores.
    package var limitedByMachine: Bool?
    /// Nil if unknown, and in results of earlier versions.
    package var generatorWaits: CoreWaitLog?
    /// Nil also if the target is not the embedded origin.
    package var originWaits: CoreWaitLog?

    init(log: HealthLog, totals: RunTotals, verdict: GeneratorVerdict, blamesTarget: Bool) {
        withinBudget = verdict == .withinBudget
        reasons = verdict.reasons
        budget = log.budget
        loopCores = log.loopCores
        descriptorLimit = log.descriptorLimit
        seconds = log.seconds
        secondsOverLoopDelay = log.secondsOverLoopDelay
        secondsOverCPU = log.secondsOverCPU
        loopDelayMaximumMicroseconds = log.loopDelayMaximumMicroseconds
        cpuCoresMean = log.cpuCoresMean
        cpuCoresMaximum = log.cpuCoresMaximum
        residentBytesFirst = log.residentBytesFirst
        residentBytesLast = log.residentBytesLast
        residentBytesMaximum = log.residentBytesMaximum
        openDescriptorsMaximum = log.openDescriptorsMaximum
        lateStarts = log.lateStarts
        droppedStarts = log.droppedStarts
        loadAverageMaximum = log.loadAverageMaximum
        latenciesAboveRange = totals.latenciesAboveRange
        latenciesBelowZero = totals.latenciesBelowZero
        suspect = latenciesAboveRange > 0 || latenciesBelowZero > 0
        generatorWaits = log.generatorWaits
        originWaits = log.originWaits
        let isKnown = generatorWaits != nil || originWaits != nil
        limitedByMachine = isKnown ? !log.machineReasons(blamesTarget: blamesTarget).isEmpty : nil
    }
}

/// Steps and drift of the wall clock during a run, compared with the monotonic clock.
package struct ClockResult: Equatable, Codable, Sendable {
    package struct Step: Equatable, Codable, Sendable {
        /// Offset of the interval's end from the start of the run.
        package var atMilliseconds: Int64
        /// Positive if the wall clock moved forward.
        package var byMicroseconds: Int64
        /// Nil for a run without shards.
        package var shard: Int?

        package init(atMilliseconds: Int64, byMicroseconds: Int64, shard: Int? = nil) {
            self.atMilliseconds = atMilliseconds
            self.byMicroseconds = byMicroseconds
            self.shard = shard
        }
    }

    /// The first 100 steps.
    package var steps: [Step] = []
    package var stepCount: Int = 0
    /// Change of wall clock minus monotonic clock from start to end of the run, by slewing and steps.
    ///
    /// For several shards, that of the shard with the largest drift.
    package var driftMicroseconds: Int64 = 0
}

package struct JournalResult: Equatable, Codable, Sendable {
    /// Nil if the file was removed after the result was written.
    package var path: String?
    /// Intervals on the disk before the end of the next one, or soon after.
    package var intervalsKept: Int = 0
    /// Intervals not on the disk by themselves; a later checkpoint contains them nevertheless.
    package var intervalsLost: Int = 0
    /// Over all files.
    package var bytes: Int64 = 0
    /// CPU time of the writing thread.
    package var cpuMicroseconds: Int64 = 0
    package var error: String?
}
