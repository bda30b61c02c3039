import AdServing
import EventLoop
import Foundation
import HLS
import LoadProfile
import Measurement
import Report
import Swarm
import Synchronization

/// Asks a run to end before its time; from any thread, the first request counts.
final class StopRequest: Sendable {
    private let end = Mutex<RunEnd?>(nil)

    func request(_ end: RunEnd) {
        self.end.withLock { $0 = $0 ?? end }
    }

    var requested: RunEnd? { self.end.withLock { $0 } }
}

/// Looks at a run once a second: health, progress, abort conditions.
struct RunMonitor {
    private(set) var health: HealthLog
    private(set) var series = TimeSeries()
    private(set) var harnessFailure: String?
    private let plan: LoadPlan
    private let swarm: SwarmRun
    private let output: RunOutput
    private let stop: StopRequest
    private let abortRules: [ThresholdRule]
    private let calendar: BreakCalendar
    private var usage = ProcessUsage.now()
    private var sampledAt = MonotonicClock.now()
    private var lateStarts = 0
    private var droppedStarts = 0
    private var requests: UInt64 = 0
    private var errors: UInt64 = 0
    private var findings: UInt64 = 0

    init(_ plan: LoadPlan, swarm: SwarmRun, output: RunOutput, stop: StopRequest) {
        let budget = GeneratorBudget(
            latenessP99Microseconds: plan.generator.maximumLateness.nanosecondsHeld / 1000,
            loopDelayMicroseconds: plan.generator.maximumLoopDelay.nanosecondsHeld / 1000,
            residentBytes: Int64(plan.generator.maximumResidentBytes)
        )
        self.plan = plan
        self.swarm = swarm
        self.output = output
        self.stop = stop
        self.calendar = BreakCalendar(plan.breaks, runStart: swarm.timebase.wallStart)
        self.abortRules = plan.abort.rules
        self.health = HealthLog(
            budget: budget,
            loopCores: min(swarm.loopCount, ProcessInfo.processInfo.activeProcessorCount),
            descriptorLimit: Preflight.Limits.ofThisMachine().hardDescriptors
        )
    }

    /// Returns when the duration is over or somebody asked for the end.
    mutating func watch() async -> RunEnd {
        let start = self.swarm.timebase.monotonicStart
        let end = start &+ self.plan.duration.nanosecondsHeld
        var second: Int64 = 0
        while true {
            let next = min(start &+ second * 1_000_000_000, end)
            await Self.sleep(until: next, unless: self.stop)
            if let requested = self.stop.requested {
                return requested
            }
            await self.sample()
            if self.harnessFailure != nil {
                return .aborted("a defect of podswarm")
            }
            if next >= end {
                return .completed
            }
            if next &- start >= self.plan.abortAfter.nanosecondsHeld, let reason = await self.abortReason() {
                return .aborted(reason)
            }
            second += 1
        }
    }

    /// Short naps, so that an interruption is noticed at once.
    private static func sleep(until instant: Int64, unless stop: StopRequest) async {
        while stop.requested == nil {
            let left = instant &- MonotonicClock.now()
            guard left > 0 else { return }
            try? await Task.sleep(for: .nanoseconds(min(left, 100_000_000)))
        }
    }

    /// Takes in what happened since the last sample.
    mutating func sample() async {
        let pulse = await self.swarm.pulse()
        let now = MonotonicClock.now()
        let usage = ProcessUsage.now()
        let elapsed = max(Double(now &- self.sampledAt) / 1000, 1)
        let sample = HealthSample(
            wallMicroseconds: MonotonicClock.wallMicroseconds(),
            loopDelayMicroseconds: pulse.maximumTimerDelayNanoseconds / 1000,
            cpuCores: Double(usage.cpuMicroseconds &- self.usage.cpuMicroseconds) / elapsed,
            residentBytes: Int64(usage.residentBytes),
            openDescriptors: usage.openDescriptors,
            lateStarts: pulse.lateStarts - self.lateStarts,
            droppedStarts: pulse.droppedStarts - self.droppedStarts,
            loadAverage: Self.loadAverage()
        )
        self.usage = usage
        self.sampledAt = now
        self.lateStarts = pulse.lateStarts
        self.droppedStarts = pulse.droppedStarts
        self.harnessFailure = self.harnessFailure ?? pulse.harnessFailure
        self.health.add(sample)
        let offset = now &- self.swarm.timebase.monotonicStart
        let begun = offset / 1_000_000 - Int64(elapsed / 1000)
        self.series.append(pulse.counts, health: sample, offsetMilliseconds: max(begun, 0))
        self.show(pulse, sample: sample, elapsedMicroseconds: elapsed, offset: offset)
    }

    private func abortReason() async -> String? {
        guard !self.abortRules.isEmpty else { return nil }
        let totals = RunTotals(merging: await self.swarm.totals())
        // "No samples yet" is no reason to stop.
        return self.abortRules.map { $0.evaluate(totals) }.first { $0.passed && $0.observed != nil }?.text
    }

    private mutating func show(_ pulse: SwarmPulse, sample: HealthSample, elapsedMicroseconds: Double, offset: Int64) {
        guard self.output.showsProgress else { return }
        self.requests &+= pulse.counts.requests
        self.errors &+= pulse.counts.errors
        self.findings &+= pulse.counts.findings
        self.output.progress(
            Report.Progress(
                profile: self.plan.name,
                elapsedSeconds: max(Int(offset / 1_000_000_000), 0),
                secondsLeft: max(Int((self.plan.duration.nanosecondsHeld &- offset) / 1_000_000_000), 0),
                viewers: ViewerMachine.Phase.allCases.map { .init(name: $0.words, count: pulse.viewers($0)) },
                requestsPerSecond: Double(pulse.counts.requests) * 1e6 / elapsedMicroseconds,
                requests: self.requests,
                errors: self.errors,
                findings: self.findings,
                secondsToNextBreak: self.nextBreak(pulse, now: sample.wallMicroseconds).map {
                    max(Int(($0.microseconds &- sample.wallMicroseconds) / 1_000_000), 0)
                },
                lastBreak: pulse.latestBreak.map {
                    .init(key: $0.key, due: $0.due, onTimePercent: Double($0.onTime) * 100 / Double(max($0.due, 1)))
                }
            )
        )
    }

    /// The break that viewers wait for, or where all are in one, the next of the calendar before the run's end.
    private func nextBreak(_ pulse: SwarmPulse, now microseconds: Int64) -> WallTime? {
        let now = WallTime(microseconds: microseconds)
        let next =
            pulse.nextBreakStart
            ?? self.calendar.nextBreak(after: now, clickedAt: now, isFirst: false)?.start
        return next.flatMap { $0 < self.swarm.timebase.wallStart + self.plan.duration ? $0 : nil }
    }

    private static func loadAverage() -> Double {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : 0
    }
}

extension ViewerMachine.Phase {
    /// How the live view names it.
    fileprivate var words: String {
        switch self {
        case .waiting: "waiting"
        case .joining: "joining"
        case .watching: "watching"
        case .inBreak: "in a break"
        case .leaving: "leaving"
        case .gone: "gone"
        }
    }
}
