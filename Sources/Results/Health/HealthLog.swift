package import Recording
import Rules

/// Generator health over a run: worst values and bad seconds, judged on arrival.
///
/// Keeps no samples; its size does not depend on the length of the run.
package struct HealthLog: Equatable, Codable, Sendable {
    package private(set) var budget: GeneratorBudget
    /// Cores that the loops may use: the number of loops, limited to the number of cores.
    package private(set) var loopCores: Int
    package private(set) var descriptorLimit: Int

    package private(set) var seconds = 0
    package private(set) var secondsOverLoopDelay = 0
    package private(set) var secondsOverCPU = 0
    package private(set) var loopDelayMaximumMicroseconds: Int64 = 0
    package private(set) var cpuCoresMaximum = 0.0
    private var cpuCoresSum = 0.0
    package private(set) var residentBytesFirst: Int64 = 0
    package private(set) var residentBytesLast: Int64 = 0
    package private(set) var residentBytesMaximum: Int64 = 0
    package private(set) var openDescriptorsMaximum = 0
    package private(set) var lateStarts = 0
    package private(set) var droppedStarts = 0
    package private(set) var loadAverageMaximum = 0.0
    /// Nil if unknown for every second, and in journals of earlier versions.
    package private(set) var generatorWaits: CoreWaitLog?
    package private(set) var originWaits: CoreWaitLog?

    package init(budget: GeneratorBudget = .standard, loopCores: Int, descriptorLimit: Int) {
        self.budget = budget
        self.loopCores = max(1, loopCores)
        self.descriptorLimit = max(1, descriptorLimit)
    }

    package var cpuCoresMean: Double { seconds == 0 ? 0 : cpuCoresSum / Double(seconds) }

    /// Adds one sample, which covers one second or more.
    ///
    /// `isOfBreak` tells whether viewers were due for a break at that time or requested its pod.
    package mutating func add(_ sample: HealthSample, seconds covered: Int = 1, isOfBreak: Bool = false) {
        let covered = max(1, covered)
        if seconds == 0 { residentBytesFirst = sample.residentBytes }
        seconds &+= covered
        residentBytesLast = sample.residentBytes
        if sample.loopDelayMicroseconds > budget.loopDelayMicroseconds { secondsOverLoopDelay &+= covered }
        if sample.cpuCores > budget.cpuShare * Double(loopCores) { secondsOverCPU &+= covered }
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, sample.loopDelayMicroseconds)
        cpuCoresMaximum = max(cpuCoresMaximum, sample.cpuCores)
        cpuCoresSum += sample.cpuCores * Double(covered)
        residentBytesMaximum = max(residentBytesMaximum, sample.residentBytes)
        openDescriptorsMaximum = max(openDescriptorsMaximum, sample.openDescriptors)
        lateStarts &+= sample.lateStarts
        droppedStarts &+= sample.droppedStarts
        loadAverageMaximum = max(loadAverageMaximum, sample.loadAverage)
        generatorWaits = adding(sample.generatorWait, to: generatorWaits, seconds: covered, isOfBreak: isOfBreak)
        originWaits = adding(sample.originWait, to: originWaits, seconds: covered, isOfBreak: isOfBreak)
    }

    private func adding(_ wait: CoreWait?, to log: CoreWaitLog?, seconds: Int, isOfBreak: Bool) -> CoreWaitLog? {
        guard let wait else { return log }
        var log = log ?? CoreWaitLog()
        log.add(wait, seconds: seconds, isOfBreak: isOfBreak, limit: budget.coreWaitMicroseconds ?? .max)
        return log
    }

    package func adding(_ next: HealthLog) -> HealthLog {
        guard seconds > 0 else { return next }
        guard next.seconds > 0 else { return self }
        var sum = self
        sum.seconds &+= next.seconds
        sum.secondsOverLoopDelay &+= next.secondsOverLoopDelay
        sum.secondsOverCPU &+= next.secondsOverCPU
        sum.cpuCoresMaximum = max(cpuCoresMaximum, next.cpuCoresMaximum)
        sum.residentBytesLast = next.residentBytesLast
        sum.residentBytesMaximum = max(residentBytesMaximum, next.residentBytesMaximum)
        sum.openDescriptorsMaximum = max(openDescriptorsMaximum, next.openDescriptorsMaximum)
        sum.addSums(next, inParallel: false)
        return sum
    }

    /// Adds everything that does not depend on whether the other log is of the same time or a later one, and waits for a core.
    private mutating func addSums(_ other: HealthLog, inParallel: Bool) {
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, other.loopDelayMaximumMicroseconds)
        cpuCoresSum += other.cpuCoresSum
        lateStarts &+= other.lateStarts
        droppedStarts &+= other.droppedStarts
        loadAverageMaximum = max(loadAverageMaximum, other.loadAverageMaximum)
        generatorWaits = generatorWaits?.adding(other.generatorWaits, inParallel: inParallel) ?? other.generatorWaits
        originWaits = originWaits?.adding(other.originWaits, inParallel: inParallel) ?? other.originWaits
    }

    /// Health of two generators over the same time, on one machine or two.
    ///
    /// Seconds over the budget are those of the worse one, because it is unknown which seconds coincide. For display only: each
    /// generator is judged by itself.
    package func addingInParallel(_ other: HealthLog) -> HealthLog {
        var sum = self
        sum.budget.droppedStarts &+= other.budget.droppedStarts
        sum.budget.residentBytes &+= other.budget.residentBytes
        sum.loopCores &+= other.loopCores
        sum.descriptorLimit &+= other.descriptorLimit
        sum.seconds = max(seconds, other.seconds)
        sum.secondsOverLoopDelay = max(secondsOverLoopDelay, other.secondsOverLoopDelay)
        sum.secondsOverCPU = max(secondsOverCPU, other.secondsOverCPU)
        sum.cpuCoresMaximum += other.cpuCoresMaximum
        sum.residentBytesFirst &+= other.residentBytesFirst
        sum.residentBytesLast &+= other.residentBytesLast
        sum.residentBytesMaximum &+= other.residentBytesMaximum
        sum.openDescriptorsMaximum &+= other.openDescriptorsMaximum
        sum.addSums(other, inParallel: true)
        return sum
    }

    /// Judges the generator after the run, with every reason.
    ///
    /// `blamesTarget` tells whether the run would fail otherwise.
    package func verdict(for totals: RunTotals, blamesTarget: Bool) -> GeneratorVerdict {
        // A request that waited for a core was also late, so the machine comes first.
        let late =
            reasons(totals, .lateness, budget.latenessP99Microseconds) { "\($0.name) requests left \($1) late" }
            + secondsReasons()
        let handled =
            reasons(totals, .handling, budget.handlingP99Microseconds) { "\($0.name) answers were read \($1) late" }
            + handledLateReasons(totals)
        let reasons =
            machineReasons(blamesTarget: blamesTarget) + late + handled
            + (late.isEmpty ? [] : budget.portSearch.map { [$0] } ?? []) + resourceReasons()
        return reasons.isEmpty ? .withinBudget : .clientLimited(reasons: reasons)
    }

    /// Messages for each process that waited too long for a core; empty if none did or it is unknown.
    ///
    /// `blamesTarget` tells whether the run would fail otherwise.
    package func machineReasons(blamesTarget: Bool) -> [String] {
        let help = "stop what runs beside it, take fewer viewers or more cores"
        let origin = originWaits?.reason(
            process: "the embedded origin",
            advice: help + ", or put the origin on another machine",
            budget: budget,
            blamesTarget: blamesTarget
        )
        let own = generatorWaits?.reason(
            process: "podswarm itself",
            advice: help,
            budget: budget,
            blamesTarget: blamesTarget
        )
        return [origin, own].compactMap(\.self)
    }

    /// Messages for each request kind whose p99 of a delay caused by podswarm exceeds the limit.
    private func reasons(
        _ totals: RunTotals,
        _ metric: LatencyMetric,
        _ limit: Int64?,
        _ words: (RequestKind, _ time: String) -> String
    ) -> [String] {
        guard let limit else { return [] }
        return RequestKind.allCases.compactMap { kind in
            guard let p99 = totals.latency(kind, metric).microseconds(atPercentile: 99), p99 > limit else { return nil }
            return words(kind, MetricText.time(microseconds: Double(p99)))
                + " at p99 (allowed \(MetricText.time(microseconds: Double(limit))))"
        }
    }

    private func handledLateReasons(_ totals: RunTotals) -> [String] {
        let count = totals.count(of: .podsHandledLate)
        guard count > 0 else { return [] }
        return ["breaks whose pod or announcement came in time and was read too late by podswarm: \(count)"]
    }

    private func secondsReasons() -> [String] {
        let tolerated = budget.tolerated(budget.badSecondsShare, of: seconds)
        var reasons: [String] = []
        if secondsOverLoopDelay > tolerated {
            reasons.append(
                "event loops were delayed more than "
                    + MetricText.time(microseconds: Double(budget.loopDelayMicroseconds))
                    + " in \(secondsOverLoopDelay) of \(seconds) s (tolerated \(tolerated); worst "
                    + MetricText.time(microseconds: Double(loopDelayMaximumMicroseconds)) + ")"
            )
        }
        if secondsOverCPU > tolerated {
            reasons.append(
                "podswarm used more than \(MetricText.percent(budget.cpuShare * 100)) of its \(loopCores) core\(loopCores == 1 ? "" : "s")"
                    + " in \(secondsOverCPU) of \(seconds) s (tolerated \(tolerated))"
            )
        }
        return reasons
    }

    private func resourceReasons() -> [String] {
        var reasons: [String] = []
        if droppedStarts > budget.droppedStarts {
            reasons.append("\(droppedStarts) planned requests were never sent (allowed \(budget.droppedStarts))")
        }
        if Double(openDescriptorsMaximum) > budget.descriptorShare * Double(descriptorLimit) {
            reasons.append(
                "\(openDescriptorsMaximum) of \(descriptorLimit) descriptors were open"
                    + " (allowed \(MetricText.percent(budget.descriptorShare * 100)))"
            )
        }
        if budget.residentBytes > 0, residentBytesMaximum > budget.residentBytes {
            reasons.append(
                "memory reached \(residentBytesMaximum / 1_048_576) MiB"
                    + " (allowed \(budget.residentBytes / 1_048_576) MiB)"
            )
        }
        return reasons
    }
}
