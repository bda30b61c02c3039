import AdServing
import Comparison
import Foundation
import HLS
import Profile
import Report
import Results
import Rules
import Swarm
import Transport
import Values
import Viewer

/// Samples a run once a second.
struct RunMonitor {
    private(set) var collector: RunCollector
    private(set) var harnessFailure: String?
    private(set) var ownFailure: String?
    private let plan: LoadPlan
    private let swarm: SwarmRun
    private let output: RunOutput
    private let requests: RunRequests
    private let journal: RunJournalWriter
    /// Receive intervals that are in the journal.
    private let sinks: [any IntervalSink]
    private let live: LiveServer?
    private let time: ShardTimekeeper?
    private let abortRules: [ThresholdRule]
    private var recent: RecentStretch
    private var toldLeftOut: Set<LeftOutLedger.Key> = []
    private var hasToldChannelClock = false
    private let calendar: BreakCalendar
    private let clock: RunClock
    private var usage: ProcessUsage
    private var usageTakenAt: Instant
    private var sampledAt: ClockReading
    private var lateStarts = 0
    private var droppedStarts = 0
    private var memory: HeapMemory
    private let target: RunTarget
    private var generatorWaits: CoreWaitMeter
    private var originWaits: CoreWaitMeter

    init(
        _ settings: CollectorSettings,
        of session: RunSession,
        target: RunTarget,
        swarm: SwarmRun,
        requests: RunRequests,
        journal: RunJournalWriter,
        sinks: [any IntervalSink],
        live: LiveServer? = nil,
        time: ShardTimekeeper? = nil
    ) {
        let clock = session.clock
        (self.clock, output) = (clock, session.output)
        collector = RunCollector(settings)
        let plan = target.plan
        (self.plan, self.target, self.swarm, self.requests, self.journal) = (plan, target, swarm, requests, journal)
        (self.sinks, self.live, self.time) = (sinks, live, time)
        calendar = BreakCalendar(plan.breaks, runStart: swarm.timebase.wallStart)
        abortRules = plan.abort
        recent = RecentStretch(length: max(plan.abortAfter, .milliseconds(settings.windowMilliseconds)))
        memory = HeapMemory(windowMilliseconds: settings.windowMilliseconds)
        (usage, usageTakenAt) = (clock.usage(), swarm.now)
        generatorWaits = CoreWaitMeter(clock.threads())
        originWaits = CoreWaitMeter(target.originProcess.flatMap { clock.threads(of: $0) })
        sampledAt = ClockReading(monotonic: swarm.timebase.start, wall: swarm.timebase.wallStart.microseconds)
    }

    mutating func watch() async -> RunEnd {
        let start = swarm.timebase.start
        let end = start &+ plan.duration.nanosecondsHeld
        var next = min(start &+ Self.second, end)
        while true {
            await sleep(until: next)
            if requests.end != nil || swarm.now >= end { swarm.noteEnd() }
            if let requested = requests.end { return requested }
            await sample()
            if let ownFailure { return .ownPartFailed(ownFailure) }
            let now = sampledAt.monotonic
            if harnessFailure != nil { return .aborted("a defect of podswarm") }
            if now >= end { return .completed }
            if now &- start >= plan.abortAfter.nanosecondsHeld, let reason = abortReason() {
                output.note("The run ends early, by abort.when: \(reason).")
                return .aborted(reason)
            }
            // After a stall, the interval that just ended covers all of it.
            next = min(start &+ ((now &- start) / Self.second + 1) &* Self.second, end)
        }
    }

    private static let second: Int64 = 1_000_000_000
    private static let nap: Int64 = 100_000_000

    /// Short naps notice an interruption or the end of the embedded origin at once.
    private mutating func sleep(until instant: Instant) async {
        while requests.end == nil, ownFailure == nil {
            ownFailure = target.originFailure
            carryOutWishes()
            let now = swarm.now
            guard now < instant else { return }
            await swarm.sleep(until: min(instant, now.later(by: Self.nap)))
        }
    }

    private func carryOutWishes() {
        let wishes = requests.takeWishes()
        if wishes.contains(.rotation) {
            journal.rotate()
            for case let lines as IntervalLines in sinks { lines.rotate() }
        }
        if wishes.contains(.snapshot) {
            let now = RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds)
            output.snapshot(collector.document(now, isOver: false, drift: DriftJudge.verdicts))
        }
    }

    mutating func note(clock: ShardClock) { collector.note(clock: clock) }

    /// Viewers whose outcome is unknown because a part of podswarm failed.
    mutating func leaveOutUnresolved() { collector.leaveOutUnresolved() }

    /// Nothing before the start, nor after a part of podswarm failed: its effects could not be told from the target's.
    mutating func sample() async {
        let start = swarm.timebase.start
        var interval = RunInterval(number: collector.intervals)
        interval.startMicroseconds = collector.endMicroseconds
        let pulse = await swarm.takeInterval(into: &interval)
        let now = time?.reading() ?? swarm.reading()
        ownFailure = ownFailure ?? target.originFailure
        guard ownFailure == nil, now.monotonic > start else { return }
        interval.endMicroseconds = (now.monotonic &- start) / 1_000
        interval.wallMicroseconds = now.wall
        interval.health = health(pulse, now: now)
        let wall = swarm.timebase.wall(at: now.monotonic)
        // Relative to this machine's clock, which may have stepped.
        interval.nextBreakMicroseconds = nextBreak(pulse, now: wall).map {
            now.wall &+ ($0.microseconds &- wall.microseconds)
        }
        sampledAt = now
        harnessFailure = harnessFailure ?? pulse.harnessFailure
        let steps = collector.wallClock.stepCount
        collector.fold(interval)
        if collector.wallClock.stepCount > steps, let step = collector.wallClock.steps.last { note(step) }
        if !abortRules.isEmpty { recent.add(interval) }
        let tell = sinks.map { $0.telling(interval, of: collector) }
        journal.append(interval, checkpoint: collector) { isKept in
            for tell in tell { tell(isKept) }
        }
        tellLeftOut(interval.sums.leftOut)
        tellChannelClock(interval)
        show(interval)
        giveMemoryBack(after: interval, pulse)
    }

    /// Away from breaks where possible, so that no request of one waits for it.
    private mutating func giveMemoryBack(after interval: RunInterval, _ pulse: SwarmPulse) {
        let now = swarm.timebase.wall(at: sampledAt.monotonic)
        let isQuiet = pulse.isQuiet(at: now, podRequests: interval.counts.podRequests)
        guard memory.isDue(endMicroseconds: interval.endMicroseconds, isQuiet: isQuiet) else { return }
        clock.giveMemoryBack()
    }

    private mutating func health(_ pulse: SwarmPulse, now: ClockReading) -> HealthSample {
        let usage = clock.usage()
        // The first interval began before the run and includes its preparation.
        let elapsed = max(Double(now.monotonic &- usageTakenAt) / 1000, 1)
        defer {
            self.usage = usage
            usageTakenAt = now.monotonic
            lateStarts = pulse.lateStarts
            droppedStarts = pulse.droppedStarts
        }
        var sample = HealthSample(wallMicroseconds: now.wall)
        sample.loopDelayMicroseconds = pulse.maximumTimerDelayNanoseconds / 1000
        sample.cpuCores = Double(usage.cpuMicroseconds &- self.usage.cpuMicroseconds) / elapsed
        sample.residentBytes = Int64(usage.residentBytes)
        sample.openDescriptors = usage.openDescriptors
        sample.lateStarts = pulse.lateStarts - lateStarts
        sample.droppedStarts = pulse.droppedStarts - droppedStarts
        sample.loadAverage = clock.loadAverage()
        sample.generatorWait = generatorWaits.look(at: clock.threads(), elapsedMicroseconds: Int64(elapsed))
        sample.originWait = originWaits.look(
            at: target.originProcess.flatMap { clock.threads(of: $0) },
            elapsedMicroseconds: Int64(elapsed)
        )
        return sample
    }

    private func abortReason() -> String? {
        // Effects of a stalled loop do not stop a target's run.
        let allowed = plan.generator.maximumLoopDelay.nanosecondsHeld / 1_000
        guard recent.whole.loopDelayMicroseconds <= allowed else { return nil }
        // Counts are from the start of the run, warm-up included; shares and times are recent ones.
        lazy var whole = collector.wholeTotals
        lazy var lately = collector.totals(of: recent)
        let results = abortRules.map { $0.evaluate($0.unit == .count ? whole : lately) }
        // Missing samples do not stop a run.
        return results.first { $0.passed && $0.observed != nil }?.text
    }
}

extension RunMonitor {
    /// Once for each host.
    private mutating func tellLeftOut(_ leftOut: LeftOutLedger) {
        for (key, requests) in leftOut.rows.sorted(by: { $0.key < $1.key })
        where toldLeftOut.count < LeftOutLedger.limit && toldLeftOut.insert(key).inserted {
            output.note(LeftOutText.news(LeftOutResult.Host(key, requests: requests)))
        }
    }

    private func note(_ step: ClockResult.Step) {
        let way = step.byMicroseconds < 0 ? "back" : "forward"
        let length = Duration.microseconds(Int64(clamping: step.byMicroseconds.magnitude)).text
        output.note("This machine's wall clock was put \(way) by \(length). The run goes by the monotonic clock.")
    }

    private func show(_ interval: RunInterval) {
        guard clock.showsProgress, output.showsProgress || live != nil else { return }
        let progress = Report.Progress(of: [interval], sum: collector, phases: ViewerMachine.Phase.words)
        if output.showsProgress { output.progress(progress) }
        live?.publish(progress, of: collector)
    }

    /// Offset of the channel's dates from this machine's clock, once.
    private mutating func tellChannelClock(_ interval: RunInterval) {
        guard !hasToldChannelClock, interval.endMicroseconds >= Self.channelClockAfter else { return }
        hasToldChannelClock = true
        guard let offset = collector.channelClock.offset, offset.magnitude >= Self.channelClockTold else { return }
        output.note(ChannelClockText.sentence(offset))
    }

    /// Microseconds; by then enough viewers have loaded a playlist.
    private static let channelClockAfter: Int64 = 10_000_000
    /// Microseconds; a smaller offset is not reported during the run.
    private static let channelClockTold: UInt64 = 1_000_000

    /// The break that viewers wait for, else the calendar's next.
    private func nextBreak(_ pulse: SwarmPulse, now: WallTime) -> WallTime? {
        let next =
            pulse.nextBreakStart
            ?? calendar.nextBreak(after: now, clickedAt: now, isFirst: false)?.start
        return next.flatMap { $0 < swarm.timebase.wallStart + plan.duration ? $0 : nil }
    }
}

extension RunMonitor {
    /// A journal without an end looks like that of a killed run.
    func ending(_ end: RunEnd, _ lastWords: LastWords?) -> RunEnding {
        var ending = RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds)
        ending.interrupted = end == .interrupted
        if case .aborted(let condition) = end { ending.abortedBy = condition }
        (ending.defect, ending.ownFailure, ending.lastWords) = (harnessFailure, ownFailure, lastWords)
        return ending
    }
}
