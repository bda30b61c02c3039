package import AdServing
import Audit
import Dispatch
import HLS
package import Profile
package import Results
import Rules
import Synchronization
package import Transport
package import Values
package import Viewer

package enum SwarmPlace {
    case machine
    /// A clock that jumps whenever the run sleeps, with a target in this process.
    case virtual(VirtualClock, any VirtualTarget, VirtualNetwork)
}

/// One run over event loops or on a virtual clock.
///
/// Safe to use from any thread, in virtual time from one task at a time.
package final class SwarmRun: Sendable {
    private let virtualClock: VirtualClock?
    private let crowds: [LoopCrowd]
    private let setup: CrowdSetup
    private let patience = LoopPatience()
    private let greatestTimeout: Duration
    package var loopCount: Int { crowds.count }

    /// The first viewer joins at its start.
    package let timebase: Timebase
    /// In this process, without replacements.
    package let planned: Int
    /// Nil where all join and stay.
    package let course: AudienceCourse?

    /// `visits`, in the order of time, replace those of the plan; `key` is shared by the processes of a divided run.
    ///
    /// Throws a harness failure: no more descriptors, or an unusable libcurl.
    package init(
        _ plan: LoadPlan,
        endpoints: TargetEndpoints,
        authorisedHosts: AuthorisedHosts,
        timebase: Timebase,
        place: SwarmPlace = .machine,
        stripe: AudienceStripe = .whole,
        visits: [AudienceSchedule.Visit]? = nil,
        sharesSessionsAs key: String? = nil,
        exchanges: ExchangesAsked = ExchangesAsked(),
        observer: (any ViewerObserver)? = nil
    ) async throws {
        self.timebase = timebase
        virtualClock = if case .virtual(let clock, _, _) = place { clock } else { nil }
        let audience = StripedAudience(plan, stripe, timebase, visits: visits, loops: virtualClock == nil ? nil : 1)
        (planned, course) = (audience.planned, audience.course)
        let configuration = TransportConfiguration(plan.connection, permitting: authorisedHosts)
        let tls = virtualClock == nil && configuration.carriers == .auto ? try TLSContext(configuration) : nil
        var setup = CrowdSetup(
            loadPlan: plan,
            viewerPlan: ViewerPlan(plan, endpoints: endpoints, timebase: timebase),
            endpoints: endpoints,
            authorisedHosts: authorisedHosts,
            sessions: GivenSessions(sharedAs: key),
            replacementStride: audience.replacementStride,
            tls: tls,
            bodyBudget: BodyBudget(bytes: plan.generator.bodyMemoryBytes),
            observer: observer,
            exchanges: exchanges
        )
        self.setup = setup
        let limits = RequestLimits(setup.viewerPlan.personas, plan.connection.bodyLimits)
        greatestTimeout = .nanoseconds(limits.greatestTotal(otherwise: plan.connection.totalTimeout.nanosecondsHeld))
        var crowds: [LoopCrowd] = []
        do {
            for (index, visits) in audience.visits.enumerated() {
                (setup.visits, setup.firstReplacement) = (visits, audience.firstReplacement(loop: index))
                if case .virtual(let clock, let target, let network) = place {
                    let crowd = LoopCrowd(clock, patience)
                    crowds.append(crowd)
                    let transport = VirtualTransport(setup, clock, target, network)
                    crowd.value = Crowd(setup, clock: clock, transport: transport)
                } else {
                    let loop = try EventLoop(label: "podswarm.loop.\(index)", spin: plan.generator.spin)
                    let crowd = LoopCrowd(loop, patience)
                    crowds.append(crowd)
                    try await crowd.begin(setup, on: loop)
                }
            }
        } catch {
            await Self.close(crowds)
            throw error
        }
        self.crowds = crowds
    }

    /// Informs viewers some at a time: the break should lie some time ahead.
    package func call(_ scheduled: ScheduledBreak) {
        let planned = setup.viewerPlan.breakBook.call(scheduled)
        for crowd in crowds { Self.tell(planned, crowd, from: 0) }
    }

    private static func tell(_ planned: PlannedBreak, _ crowd: LoopCrowd, from first: Int) {
        crowd.loop.execute {
            guard let next = crowd.value?.call(planned, from: first) else { return }
            tell(planned, crowd, from: next)
        }
    }

    /// On the first loop; at once if the instant is past.
    package func perform(at instant: Instant, _ work: @escaping @Sendable () -> Void) {
        guard let loop = crowds.first?.loop else { return }
        loop.execute { loop.wake(TimedWork(work), at: instant, token: 0) }
    }

    private final class TimedWork: TimerHandler {
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        func timerFired(token: UInt64, deadline: Instant) { work() }
    }

    /// Counts since the last pulse, summed over the loops.
    package func pulse() async -> SwarmPulse {
        var sum = SwarmPulse()
        for part in await each({ $0.pulse() }) { sum.add(part) }
        sum.harnessFailure = sum.harnessFailure ?? defect
        return sum
    }

    /// Adds all loops' measurements since the last interval, and returns their sets to them.
    package func takeInterval(into interval: inout RunInterval) async -> SwarmPulse {
        var sum = SwarmPulse()
        for (index, crowd) in crowds.enumerated() {
            guard var part = await crowd.read({ $0.takeInterval() }) else { continue }
            sum.add(part.pulse)
            interval.add(part.interval, index: index)
            guard let set = part.interval.takeClearedSet() else { continue }
            crowd.loop.execute { crowd.value?.recorder.giveBack(set) }
        }
        sum.harnessFailure = sum.harnessFailure ?? defect
        interval.viewersByPhase = sum.viewersByPhase
        return sum
    }

    /// Measurements by loop, for a run without intervals.
    package func totals() async -> [LoopInterval] { await each { $0.totals() } }

    /// Leaves out loops that are closed or silent.
    private func each<Part: Sendable>(_ read: @escaping @Sendable (Crowd) -> Part) async -> [Part] {
        var parts: [Part] = []
        for crowd in crowds { if let part = await crowd.read(read) { parts.append(part) } }
        return parts
    }

    private var defect: String? {
        patience.silentLoop.map { "\($0) did not answer, and what it knew is missing" } ?? virtualClock?.defect
    }

    /// Returns, once the run has been over for longer than all requests take, with all waits for loops ended; sooner if the
    /// task is cancelled.
    ///
    /// Naps are counted: a machine that stops podswarm stops them, too.
    package func endWaits(_ isOver: @Sendable () -> Bool) async {
        guard virtualClock == nil else { return }
        var left = (greatestTimeout + Self.margin) / Self.nap
        while left > 0 {
            guard (try? await Task.sleep(for: Self.nap)) != nil else { return }
            guard setup.end.beganAt != nil || isOver() else { continue }
            noteEnd()
            left -= 1
        }
        endWaits()
    }

    func endWaits() { patience.end() }

    private static let nap = Duration.milliseconds(100)
    /// For a loop that is late.
    private static let margin = Duration.seconds(3)

    /// Loops see the end at once; `stop` does the rest.
    package func noteEnd() { setup.end.begin(at: now) }

    package var now: Instant { virtualClock?.now ?? MonotonicClock.now() }

    package func reading() -> ClockReading {
        guard let virtualClock else { return ClockReading.now() }
        return ClockReading(monotonic: virtualClock.now, wall: timebase.wall(at: virtualClock.now).microseconds)
    }

    /// Sooner if the task is cancelled; in virtual time all events happen meanwhile.
    package func sleep(until instant: Instant) async {
        if let virtualClock { return virtualClock.advance(to: instant) }
        let left = instant &- MonotonicClock.now()
        if left > 0 { try? await Task.sleep(for: .nanoseconds(left)) }
    }

    /// Returns once open requests are answered or have reached the plan's greatest timeout, or waits have ended.
    package func stop() async {
        noteEnd()
        guard let virtualClock else {
            return await withTaskGroup(of: Void.self) { group in
                for crowd in crowds { group.addTask { await crowd.wait { $0.stop($1) } } }
            }
        }
        for crowd in crowds {
            var isEmpty = false
            crowd.value?.stop { isEmpty = true }
            // Timers of viewers that have left would move the clock.
            virtualClock.run(until: .distantFuture) { !isEmpty }
        }
    }

    /// Counts by kind name, without one request for each sample.
    package func resends() async -> [String: Int] {
        var sum: [String: Int] = [:]
        for part in await each({ $0.resends }) {
            for kind in RequestKind.allCases { sum[kind.name, default: 0] += part[Int(kind.rawValue)] }
        }
        return sum
    }

    /// Up to the limit of one process; call it before loops are closed.
    package func sessionKnowledge() async -> SessionKnowledge {
        var strays: [String: StraySightings] = [:]
        for (kind, seen) in await each({ $0.recorder.strays }).joined() {
            strays[kind.name, default: StraySightings(room: StraySightings.roomOfProcess)].add(seen)
        }
        let strange = strays.values.reduce(into: Set()) { $0.formUnion($1.words) }
        let digests = setup.sessions.digests(most: SessionSample.most, among: strange)
        // Not foreign: this process saw the session before it was given.
        for kind in strays.keys { strays[kind]?.leaveOut(digests.met) }
        return SessionKnowledge(given: SessionSample(given: digests.given, kept: digests.kept), strays: strays)
    }

    /// The run cannot be used afterwards.
    package func shutDown() async {
        noteEnd()
        await Self.close(crowds)
    }

    private static func close(_ crowds: [LoopCrowd]) async {
        for crowd in crowds {
            await crowd.wait { value, done in
                crowd.value = nil
                // Viewers that still watch would answer each abandoned request with another.
                value.stop {}
                value.transport.shutDown(done)
            }
        }
        for crowd in crowds { await crowd.end() }
    }
}

/// State of a run, or of one of its loops.
package struct SwarmPulse: Sendable {
    package var counts = IntervalCounts()
    /// In the order of `ViewerMachine.Phase.allCases`.
    package var viewersByPhase = [Int](repeating: 0, count: ViewerMachine.Phase.allCases.count)
    /// Since the last pulse.
    package var maximumTimerDelayNanoseconds: Int64 = 0
    /// Since the start of the run.
    package var lateStarts = 0
    package var droppedStarts = 0
    /// The earliest break that a viewer waits for.
    package var nextBreakStart: WallTime?
    package var harnessFailure: String?

    package init() {}

    mutating func add(_ part: SwarmPulse) {
        counts.add(part.counts)
        for index in viewersByPhase.indices { viewersByPhase[index] += part.viewersByPhase[index] }
        maximumTimerDelayNanoseconds = max(maximumTimerDelayNanoseconds, part.maximumTimerDelayNanoseconds)
        lateStarts += part.lateStarts
        droppedStarts += part.droppedStarts
        harnessFailure = harnessFailure ?? part.harnessFailure
        nextBreakStart = [nextBreakStart, part.nextBreakStart].compactMap(\.self).min()
    }

    /// No break goes on or is near, so that work of a millisecond delays no request of a break; true also where none is known.
    ///
    /// `podRequests` counts since the last pulse.
    package func isQuiet(at now: WallTime, podRequests: UInt64) -> Bool {
        let isNear = nextBreakStart.map { $0 < now + .seconds(5) } ?? false
        return !isNear && podRequests == 0 && viewers(.inBreak) == 0
    }

    package func viewers(_ phase: ViewerMachine.Phase) -> Int { viewersByPhase[Int(phase.rawValue)] }
}

extension Crowd {
    func totals() -> LoopInterval {
        bookBodies()
        return recorder.whole()
    }

    /// Since the last interval; walks the viewers once.
    func takeInterval() -> (pulse: SwarmPulse, interval: LoopInterval) {
        bookBodies()
        if !isStopping {
            countUnlisted(at: clock.now)
            shutOut.tell(viewers, at: clock.now) { _ = auditor.context.slot(of: $0, from: .schedule) }
        }
        var pulse = state()
        let interval = recorder.takeInterval()
        pulse.counts = interval.counts
        return (pulse, interval)
    }

    private func bookBodies() {
        recorder.count(.bodiesParsed, by: UInt64(auditor.library.parsed - bookedBodies.parsed))
        recorder.count(.bodiesReused, by: UInt64(auditor.library.recognised - bookedBodies.recognised))
        bookedBodies = (auditor.library.parsed, auditor.library.recognised)
    }

    /// Since the last pulse; walks the viewers once.
    func pulse() -> SwarmPulse {
        var pulse = state()
        pulse.counts = recorder.pulse()
        return pulse
    }

    private func state() -> SwarmPulse {
        var pulse = SwarmPulse()
        // A copy of each slot would retain and release all that it refers to.
        for index in viewers.indices {
            pulse.viewersByPhase[Int(viewers[index].machine.phase.rawValue)] += 1
            if let start = viewers[index].machine.nextBreakStart, start < (pulse.nextBreakStart ?? .distantFuture) {
                pulse.nextBreakStart = start
            }
        }
        pulse.maximumTimerDelayNanoseconds = clock.takeLongestTimerDelay()
        pulse.lateStarts = lateStarts
        pulse.droppedStarts = droppedStarts
        pulse.harnessFailure = harnessFailure
        return pulse
    }
}

/// Makes the viewers of a loop reachable from other threads.
///
/// `@unchecked Sendable`: each access checks that it is on the loop.
final class LoopCrowd: @unchecked Sendable {
    let loop: any LoopClock
    private let patience: LoopPatience
    private var confined: Crowd?

    init(_ loop: any LoopClock, _ patience: LoopPatience) { (self.loop, self.patience) = (loop, patience) }

    /// nil before it is made, and once it is shut down.
    var value: Crowd? {
        get {
            loop.assertOnLoop()
            return confined
        }
        set {
            loop.assertOnLoop()
            confined = newValue
        }
    }

    func begin(_ setup: CrowdSetup, on loop: EventLoop) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            loop.execute { continuation.resume(with: Result { self.value = try Crowd(setup, loop: loop) }) }
        }
    }

    /// Returns once the work has called its second argument, or patience has ended.
    func wait(_ work: @escaping @Sendable (Crowd, _ done: @escaping () -> Void) -> Void) async {
        await patience.wait { done in
            self.loop.execute { if let value = self.value { work(value, done) } else { done() } }
        }
    }

    /// nil where patience ended before the loop began the work, which is then left out.
    func read<Result: Sendable>(_ body: @escaping @Sendable (Crowd) -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            let wait = patience.begin {
                self.patience.note(silent: self.loop.label)
                continuation.resume(returning: nil)
            }
            loop.execute { if self.patience.claim(wait) { continuation.resume(returning: self.value.map(body)) } }
        }
    }

    func end() async { await patience.wait { self.loop.shutDown($0) } }
}

/// Ends the waits for loops that hold a run beyond its time; safe to use from any thread.
final class LoopPatience: Sendable {
    private struct State {
        var isOver = false
        var begun = 0
        var open: [Int: @Sendable () -> Void] = [:]
        var silentLoop: String?
    }

    private let state = Mutex(State())

    /// Time of an idle loop to answer after the end.
    private static let grace = DispatchTimeInterval.milliseconds(200)

    var silentLoop: String? { state.withLock { $0.silentLoop } }

    /// The first counts.
    func note(silent loop: String) { state.withLock { $0.silentLoop = $0.silentLoop ?? loop } }

    /// Returns the number of a wait, which ends by `claim` or by a call of `giveUp`.
    func begin(_ giveUp: @escaping @Sendable () -> Void) -> Int {
        let (number, isOver) = state.withLock { state in
            state.begun += 1
            state.open[state.begun] = giveUp
            return (state.begun, state.isOver)
        }
        if isOver {
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) {
                if self.claim(number) { giveUp() }
            }
        }
        return number
    }

    /// Returns once the work has called its argument, or patience has ended.
    func wait(_ work: (_ done: @escaping @Sendable () -> Void) -> Void) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let number = begin { continuation.resume() }
            work { if self.claim(number) { continuation.resume() } }
        }
    }

    /// False where the wait has ended.
    func claim(_ number: Int) -> Bool { state.withLock { $0.open.removeValue(forKey: number) != nil } }

    func end() {
        let open = state.withLock { state in
            defer { state.open = [:] }
            state.isOver = true
            return state.open
        }
        for giveUp in open.values { giveUp() }
    }
}
