import Rules
import Values

/// Worst values and bad seconds, judged on arrival: the size does not depend on the length of the run.
package struct HealthResult: Equatable, Codable, Sendable {
    package var withinBudget = true
    package var reasons: [String] = []
    package var budget: GeneratorBudget
    package var loopCores: Int
    package var descriptorLimit: Int
    package var seconds = 0
    package var secondsOverLoopDelay = 0
    package var secondsOverCPU = 0
    package var loopDelayMaximumMicroseconds: Int64 = 0
    package var cpuCoresMean = 0.0
    package var cpuCoresMaximum = 0.0
    package var residentBytesFirst: Int64 = 0
    package var residentBytesLast: Int64 = 0
    package var residentBytesMaximum: Int64 = 0
    package var openDescriptorsMaximum = 0
    package var lateStarts = 0
    package var droppedStarts = 0
    package var loadAverageMaximum = 0.0
    package var latenciesAboveRange: UInt64 = 0
    package var latenciesBelowZero: UInt64 = 0
    package var suspect = false
    package var limitedByMachine: Bool?
    package var generatorWaits: CoreWaitLog?
    package var originWaits: CoreWaitLog?

    package init(budget: GeneratorBudget = .standard, loopCores: Int, descriptorLimit: Int) {
        self.budget = budget
        self.loopCores = max(1, loopCores)
        self.descriptorLimit = max(1, descriptorLimit)
    }

    func judged(_ totals: RunTotals, reasons: [String], blamesTarget: Bool) -> HealthResult {
        var judged = self
        (judged.withinBudget, judged.reasons) = (reasons.isEmpty, reasons)
        judged.latenciesAboveRange = totals.latenciesAboveRange
        judged.latenciesBelowZero = totals.latenciesBelowZero
        judged.suspect = judged.latenciesAboveRange > 0 || judged.latenciesBelowZero > 0
        let isKnown = generatorWaits != nil || originWaits != nil
        judged.limitedByMachine = isKnown ? !machineReasons(blamesTarget: blamesTarget).isEmpty : nil
        return judged
    }

    /// `isOfBreak`: viewers were due for a break or requested its pod.
    package mutating func add(_ sample: HealthSample, seconds covered: Int = 1, isOfBreak: Bool = false) {
        let covered = max(1, covered)
        if seconds == 0 { residentBytesFirst = sample.residentBytes }
        let earlier = cpuCoresMean * Double(seconds)
        seconds &+= covered
        cpuCoresMean = (earlier + sample.cpuCores * Double(covered)) / Double(max(1, seconds))
        residentBytesLast = sample.residentBytes
        if sample.loopDelayMicroseconds > budget.loopDelayMicroseconds { secondsOverLoopDelay &+= covered }
        if sample.cpuCores > budget.cpuShare * Double(loopCores) { secondsOverCPU &+= covered }
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, sample.loopDelayMicroseconds)
        cpuCoresMaximum = max(cpuCoresMaximum, sample.cpuCores)
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

    /// For display only: each generator is judged by itself, and it is unknown which bad seconds coincide.
    package mutating func addInParallel(_ other: HealthResult) {
        let cores = cpuCoresMean * Double(seconds) + other.cpuCoresMean * Double(other.seconds)
        budget.droppedStarts &+= other.budget.droppedStarts
        budget.residentBytes &+= other.budget.residentBytes
        loopCores &+= other.loopCores
        descriptorLimit &+= other.descriptorLimit
        seconds = max(seconds, other.seconds)
        secondsOverLoopDelay = max(secondsOverLoopDelay, other.secondsOverLoopDelay)
        secondsOverCPU = max(secondsOverCPU, other.secondsOverCPU)
        loopDelayMaximumMicroseconds = max(loopDelayMaximumMicroseconds, other.loopDelayMaximumMicroseconds)
        cpuCoresMaximum += other.cpuCoresMaximum
        cpuCoresMean = seconds == 0 ? 0 : cores / Double(seconds)
        residentBytesFirst &+= other.residentBytesFirst
        residentBytesLast &+= other.residentBytesLast
        residentBytesMaximum &+= other.residentBytesMaximum
        openDescriptorsMaximum &+= other.openDescriptorsMaximum
        lateStarts &+= other.lateStarts
        droppedStarts &+= other.droppedStarts
        loadAverageMaximum = max(loadAverageMaximum, other.loadAverageMaximum)
        generatorWaits.add(other.generatorWaits)
        originWaits.add(other.originWaits)
    }

    /// Reasons why the generator was its own limit; `blamesTarget` tells whether the run would fail otherwise.
    package func limits(for totals: RunTotals, blamesTarget: Bool) -> [String] {
        // A request that waited for a core was also late, so the machine comes first.
        let late =
            reasons(totals, .lateness, budget.latenessP99Microseconds) { "\($0.name) requests left \($1) late" }
            + secondsReasons()
        let podsLate = totals.count(of: .podsHandledLate)
        let unread = "breaks whose pod or announcement came in time and was read too late by podswarm: \(podsLate)"
        let handled =
            reasons(totals, .handling, budget.handlingP99Microseconds) { "\($0.name) answers were read \($1) late" }
            + (podsLate == 0 ? [] : [unread])
        return machineReasons(blamesTarget: blamesTarget) + late + handled
            + (late.isEmpty ? [] : budget.portSearch.map { [$0] } ?? []) + resourceReasons()
    }

    package func machineReasons(blamesTarget: Bool) -> [String] {
        let help = "stop what runs beside it, take fewer viewers or more cores"
        let elsewhere = help + ", or put the origin on another machine"
        return [
            originWaits?.reason("the embedded origin", advice: elsewhere, budget, blamesTarget: blamesTarget),
            generatorWaits?.reason("podswarm itself", advice: help, budget, blamesTarget: blamesTarget),
        ].compactMap(\.self)
    }

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

    private func secondsReasons() -> [String] {
        let tolerated = budget.tolerated(budget.badSecondsShare, of: seconds)
        let allowed = MetricText.time(microseconds: Double(budget.loopDelayMicroseconds))
        let worst = MetricText.time(microseconds: Double(loopDelayMaximumMicroseconds))
        let delay =
            "event loops were delayed more than \(allowed) in \(secondsOverLoopDelay) of \(seconds) s"
            + " (tolerated \(tolerated); worst \(worst))"
        let processor =
            "podswarm used more than \(MetricText.percent(budget.cpuShare * 100)) of its "
            + "\(GroupedDigits.counted(loopCores, "core")) in \(secondsOverCPU) of \(seconds) s (tolerated \(tolerated))"
        return [secondsOverLoopDelay > tolerated ? delay : nil, secondsOverCPU > tolerated ? processor : nil]
            .compactMap(\.self)
    }

    private func resourceReasons() -> [String] {
        let starts =
            "\(GroupedDigits.counted(droppedStarts, "request")) never sent or read (allowed \(budget.droppedStarts))"
        let descriptors =
            "\(openDescriptorsMaximum) of \(descriptorLimit) descriptors were open"
            + " (allowed \(MetricText.percent(budget.descriptorShare * 100)))"
        let memory =
            "memory reached \(residentBytesMaximum / 1_048_576) MiB (allowed \(budget.residentBytes / 1_048_576) MiB)"
        return [
            droppedStarts > budget.droppedStarts ? starts : nil,
            Double(openDescriptorsMaximum) > budget.descriptorShare * Double(descriptorLimit) ? descriptors : nil,
            budget.residentBytes > 0 && residentBytesMaximum > budget.residentBytes ? memory : nil,
        ].compactMap(\.self)
    }
}

package struct CoreWaitLog: Summable, Equatable, Codable, Sendable {
    package private(set) var seconds = 0
    package private(set) var secondsOver = 0
    package private(set) var breakSeconds = 0
    package private(set) var breakSecondsOver = 0
    package private(set) var ranMicroseconds: Int64 = 0
    package private(set) var waitedMicroseconds: Int64 = 0
    package private(set) var threadWaitedMaximumMicroseconds: Int64 = 0

    mutating func add(_ wait: CoreWait, seconds covered: Int, isOfBreak: Bool, limit: Int64) {
        let isOver = wait.threadWaitedMicroseconds > limit
        seconds &+= covered
        if isOver { secondsOver &+= covered }
        if isOfBreak { breakSeconds &+= covered }
        if isOfBreak, isOver { breakSecondsOver &+= covered }
        ranMicroseconds &+= max(0, wait.ranMicroseconds) &* Int64(covered)
        waitedMicroseconds &+= max(0, wait.waitedMicroseconds) &* Int64(covered)
        threadWaitedMaximumMicroseconds = max(threadWaitedMaximumMicroseconds, wait.threadWaitedMicroseconds)
    }

    /// Adds another process over the same time.
    package mutating func add(_ other: CoreWaitLog) {
        seconds = max(seconds, other.seconds)
        secondsOver = max(secondsOver, other.secondsOver)
        breakSeconds = max(breakSeconds, other.breakSeconds)
        breakSecondsOver = max(breakSecondsOver, other.breakSecondsOver)
        ranMicroseconds &+= other.ranMicroseconds
        waitedMicroseconds &+= other.waitedMicroseconds
        threadWaitedMaximumMicroseconds = max(threadWaitedMaximumMicroseconds, other.threadWaitedMaximumMicroseconds)
    }

    private enum CodingKeys: String, CodingKey {
        case seconds, secondsOver, breakSecondsOver
        case ranMicroseconds, waitedMicroseconds, threadWaitedMaximumMicroseconds
        case breakSeconds = "break_seconds"
    }

    package func tolerated(by budget: GeneratorBudget) -> (seconds: Int, breakSeconds: Int) {
        (
            budget.tolerated(budget.badSecondsShare, of: seconds),
            budget.tolerated(budget.badBreakSecondsShare ?? 1, of: breakSeconds)
        )
    }

    /// A few bad seconds with breaks matter only if the run would fail otherwise (`blamesTarget`).
    package func isBeyond(_ budget: GeneratorBudget, blamesTarget: Bool) -> Bool {
        guard budget.coreWaitMicroseconds != nil else { return false }
        let tolerated = tolerated(by: budget)
        return secondsOver > tolerated.seconds || blamesTarget && breakSecondsOver > tolerated.breakSeconds
    }

    func reason(_ process: String, advice: String, _ budget: GeneratorBudget, blamesTarget: Bool) -> String? {
        guard let limit = budget.coreWaitMicroseconds, isBeyond(budget, blamesTarget: blamesTarget) else { return nil }
        let tolerated = tolerated(by: budget)
        let worst = MetricText.time(microseconds: Double(threadWaitedMaximumMicroseconds))
        let all = MetricText.time(microseconds: Double(waitedMicroseconds))
        return "the machine was the limit: \(process) waited for a core for more than"
            + " \(MetricText.time(microseconds: Double(limit))) of a second in \(secondsOver) of \(seconds) s"
            + " (tolerated \(tolerated.seconds)), in \(breakSecondsOver) of \(breakSeconds) s with breaks"
            + " (tolerated \(tolerated.breakSeconds)); worst \(worst), all threads \(all) in all; \(advice)"
    }
}

/// Limits in the shape of Hyperfoil's watchdogs (processor and jitter) and Nighthawk's share of planned requests sent.
package struct GeneratorBudget: Equatable, Codable, Sendable {
    package var latenessP99Microseconds: Int64 = 250_000
    package var loopDelayMicroseconds: Int64 = 250_000
    package var handlingP99Microseconds: Int64? = 500_000
    package var cpuShare: Double = 0.95
    package var badSecondsShare: Double = 0.05
    package var droppedStarts: Int = 0
    /// A request without a descriptor is a dropped start.
    package var descriptorShare: Double = 1
    package var residentBytes: Int64 = 0
    package var coreWaitMicroseconds: Int64? = 400_000
    package var badBreakSecondsShare: Double? = 0.25
    package var portSearch: String?

    package static let standard = GeneratorBudget()

    /// Invalid values of a file are clamped.
    func tolerated(_ share: Double, of seconds: Int) -> Int {
        let share = share.isFinite ? min(max(share, 0), 1) : 0
        return Int((share * Double(min(max(0, seconds), 1 << 48))).rounded(.down))
    }
}
