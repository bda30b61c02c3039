/// Whether the generator's figures are valid evidence against the target.
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
    /// Outside the range of the distributions; any marks the run as suspect.
    package var latenciesAboveRange: UInt64
    package var latenciesBelowZero: UInt64
    package var suspect: Bool
    /// Whether a process waited too long for cores.
    package var limitedByMachine: Bool?
    package var generatorWaits: CoreWaitLog?
    /// nil if unknown, or without the embedded origin.
    package var originWaits: CoreWaitLog?

    init(log: HealthLog, totals: RunTotals, reasons: [String], blamesTarget: Bool) {
        (withinBudget, self.reasons) = (reasons.isEmpty, reasons)
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

/// Wall clock compared with the monotonic clock.
package struct ClockResult: Equatable, Codable, Sendable {
    package struct Step: Equatable, Codable, Sendable {
        /// End of the interval.
        package var atMilliseconds: Int64
        /// Positive if the wall clock moved forward.
        package var byMicroseconds: Int64
        package var shard: Int?
    }

    /// The first 100 steps.
    package var steps: [Step] = []
    package var stepCount: Int = 0
    /// Change of wall clock minus monotonic clock; with shards, the largest.
    package var driftMicroseconds: Int64 = 0
}

package struct JournalResult: Equatable, Codable, Sendable {
    /// nil if the file was removed after the result was written.
    package var path: String?
    /// On the disk before the end of the next interval, or soon after.
    package var intervalsKept: Int = 0
    /// Not on the disk by themselves; a later checkpoint contains them.
    package var intervalsLost: Int = 0
    package var bytes: Int64 = 0
    package var cpuMicroseconds: Int64 = 0
    package var error: String?
}
