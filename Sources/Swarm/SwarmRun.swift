package import AdServing
package import Audience
import BodyCoding
package import Destinations
package import EventLoop
import HLS
package import LoadProfile
package import Recording
import Rulebook
import Sockets
package import Time
import Transport

/// Clock and transport of a run.
package enum SwarmPlace {
    /// On event loops, whose requests go over sockets.
    case machine
    /// On a clock that jumps, which the run moves on whenever it sleeps, before a target in this process.
    case virtual(VirtualClock, any VirtualTarget, VirtualNetwork)

    fileprivate var clock: VirtualClock? {
        guard case .virtual(let clock, _, _) = self else { return nil }
        return clock
    }
}

/// One run: an audience spread over event loops, from the first join to the last answer; or one on a virtual clock.
///
/// Safe to use from any thread, in virtual time from one task at a time; what belongs to a loop is touched there only.
package final class SwarmRun: Sendable {
    private let loops: [any WorkLoop]
    /// Nil where time passes by itself.
    private let virtualClock: VirtualClock?
    private let crowds: [LoopBound<Crowd?>]
    private let end = EndOfRun()
    private let channelBreaks = ChannelBreaks()
    private let sessions: GivenSessions
    private let breakBook: BreakBook
    package var loopCount: Int { loops.count }

    /// When the first viewer joins.
    package let timebase: Timebase
    /// Viewers that are to join in this process, those apart that replace others.
    package let planned: Int
    /// How many of them are to watch over time; nil where all join and stay.
    package let course: AudienceCourse?

    /// Prepares loops, transports and viewers; the first viewer joins at `timebase.start`.
    ///
    /// - Parameters:
    ///   - plan: What to do.
    ///   - endpoints: Where requests go.
    ///   - authorisedHosts: The only hosts that load may go to.
    ///   - timebase: The start of the run on both clocks.
    ///   - place: Where its viewers live.
    ///   - stripe: Whose viewers.
    ///   - visits: All that join, in the order of time, in place of the plan's; nil: those.
    ///   - key: What the processes of the run have in common that have the other viewers; nil where there are none.
    ///   - observer: Watches every step, for a run with few viewers.
    /// - Throws: A harness failure: no more descriptors, or libcurl that cannot be set up.
    package init(
        _ plan: LoadPlan,
        endpoints: TargetEndpoints,
        authorisedHosts: AuthorisedHosts,
        timebase: Timebase,
        place: SwarmPlace = .machine,
        stripe: AudienceStripe = .whole,
        visits: [AudienceSchedule.Visit]? = nil,
        sharesSessionsAs key: String? = nil,
        observer: (any ViewerObserver)? = nil
    ) async throws {
        self.timebase = timebase
        let viewerPlan = ViewerPlan(plan, endpoints: endpoints, timebase: timebase)
        virtualClock = place.clock
        let audience = StripedAudience(plan, stripe, timebase, visits: visits, loops: place.clock == nil ? nil : 1)
        (planned, course) = (audience.planned, audience.course)
        let warmUp = plan.windows.warmUp ?? .zero
        let measuredFrom = warmUp > .zero ? (timebase.wallStart + warmUp).microseconds : .min
        let configuration = TransportConfiguration(plan.connection, permitting: authorisedHosts)
        let tls = virtualClock == nil && configuration.carriers == .auto ? try TLSContext(configuration) : nil
        let sessions = GivenSessions(sharedAs: key)
        let bodyBudget = BodyBudget(bytes: plan.generator.bodyMemoryBytes)
        var loops: [any WorkLoop] = []
        var crowds: [LoopBound<Crowd?>] = []
        do {
            for (index, joins) in audience.joins.enumerated() {
                let setup = CrowdSetup(
                    loadPlan: plan,
                    viewerPlan: viewerPlan,
                    endpoints: endpoints,
                    authorisedHosts: authorisedHosts,
                    joins: joins,
                    sessions: sessions,
                    firstReplacement: audience.firstReplacement(loop: index),
                    replacementStride: audience.replacementStride,
                    tls: tls,
                    bodyBudget: bodyBudget,
                    end: end,
                    channelBreaks: channelBreaks,
                    observer: observer,
                    measuredFromMicroseconds: measuredFrom
                )
                if case .virtual(let clock, let target, let network) = place {
                    loops.append(clock)
                    let crowd = VirtualTransport.crowd(setup, clock: clock, target, network)
                    crowds.append(LoopBound(crowd, loop: clock))
                } else {
                    let loop = try EventLoop(label: "podswarm.loop.\(index)", index: index, spin: plan.generator.spin)
                    loops.append(loop)
                    crowds.append(try await Self.start(setup, on: loop))
                }
            }
        } catch {
            await Self.close(crowds, loops)
            throw error
        }
        self.loops = loops
        self.crowds = crowds
        self.sessions = sessions
        breakBook = viewerPlan.breakBook
    }

    private static func start(_ setup: CrowdSetup, on loop: EventLoop) async throws -> LoopBound<Crowd?> {
        try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                do {
                    continuation.resume(returning: LoopBound(try Crowd(setup, loop: loop), loop: loop))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Has all viewers have a break that was called for.
    ///
    /// Loops are told one after another and each some viewers at a time, so that it should lie some time ahead.
    ///
    /// - Parameter scheduled: The break.
    package func call(_ scheduled: ScheduledBreak) {
        let planned = breakBook.call(scheduled)
        for crowd in crowds { Self.tell(planned, crowd, from: 0) }
    }

    private static func tell(_ planned: PlannedBreak, _ crowd: LoopBound<Crowd?>, from first: Int) {
        crowd.loop.execute {
            guard let next = crowd.value?.call(planned, from: first) else { return }
            tell(planned, crowd, from: next)
        }
    }

    /// Does work on the first loop at an instant, or at once if that is over.
    package func perform(at instant: Instant, _ work: @escaping @Sendable () -> Void) {
        guard let loop = loops.first else { return }
        loop.execute { loop.wake(TimedWork(work), at: instant, token: 0) }
    }

    private final class TimedWork: TimerHandler {
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }

        func timerFired(token: UInt64, deadline: Instant) { work() }
    }

    /// What happened since the last pulse, summed over the loops.
    package func pulse() async -> SwarmPulse {
        var sum = SwarmPulse()
        for crowd in crowds {
            sum.add(await crowd.read { $0?.pulse() ?? CrowdPulse() })
        }
        sum.harnessFailure = sum.harnessFailure ?? virtualClock?.defect
        return sum
    }

    /// Adds what all loops measured since the last interval, and gives their sets back to them.
    ///
    /// - Parameter interval: The interval that ends now.
    /// - Returns: The loops' state at its end.
    package func takeInterval(into interval: inout RunInterval) async -> SwarmPulse {
        var sum = SwarmPulse()
        for (index, crowd) in crowds.enumerated() {
            guard var part = await crowd.read({ $0?.takeInterval() }) else { continue }
            sum.add(part.pulse)
            interval.add(part.interval, index: index)
            guard let set = part.interval.takeClearedSet() else { continue }
            crowd.loop.execute { crowd.value?.recorder.giveBack(set) }
        }
        sum.harnessFailure = sum.harnessFailure ?? virtualClock?.defect
        interval.viewersByPhase = sum.viewersByPhase
        return sum
    }

    /// Everything measured so far, loop by loop, where no interval was ever taken.
    package func totals() async -> [LoopInterval] {
        var totals: [LoopInterval] = []
        for crowd in crowds {
            if let part = await crowd.read({ $0?.totals() }) {
                totals.append(part)
            }
        }
        return totals
    }

    /// Notes that the run is at its end, which loops learn at once; `stop` does the rest.
    package func noteEnd() { end.begin(at: now) }

    /// What its clock reads.
    package var now: Instant { virtualClock?.now ?? MonotonicClock.now() }

    /// What its clock and the wall clock read.
    package func reading() -> ClockReading {
        guard let virtualClock else { return ClockReading.now() }
        return ClockReading(monotonic: virtualClock.now, wall: timebase.wall(at: virtualClock.now).microseconds)
    }

    /// Returns at an instant, or sooner where the task is cancelled; in virtual time all happens meanwhile.
    package func sleep(until instant: Instant) async {
        if let virtualClock { return virtualClock.advance(to: instant) }
        let left = instant &- MonotonicClock.now()
        if left > 0 { try? await Task.sleep(for: .nanoseconds(left)) }
    }

    /// Nobody asks for anything any more; returns when every request in flight is answered or has timed out.
    ///
    /// That takes no longer than the greatest timeout of the plan, after which what is left is abandoned.
    package func stop() async {
        noteEnd()
        guard virtualClock == nil else { return stopInVirtualTime() }
        await withTaskGroup(of: Void.self) { group in
            for crowd in crowds {
                group.addTask { await Self.stop(crowd) }
            }
        }
    }

    private func stopInVirtualTime() {
        for crowd in crowds {
            var isEmpty = false
            crowd.value?.stop { isEmpty = true }
            // No further: timers of viewers who are gone would take the clock along.
            virtualClock?.run(until: .distantFuture) { !isEmpty }
        }
    }

    private static func stop(_ crowd: LoopBound<Crowd?>) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            crowd.loop.execute {
                guard let value = crowd.value else {
                    continuation.resume()
                    return
                }
                value.stop { continuation.resume() }
            }
        }
    }

    /// Requests that went out again besides the one that each sample stands for, by kind name.
    package func resends() async -> [String: Int] {
        var sum: [String: Int] = [:]
        for crowd in crowds {
            let part = await crowd.read { $0?.resends ?? [] }
            for kind in RequestKind.allCases where Int(kind.rawValue) < part.count {
                sum[kind.name, default: 0] += part[Int(kind.rawValue)]
            }
        }
        return sum
    }

    /// What is known of sessions, as digests: to be asked for before loops are closed.
    ///
    /// - Returns: As much as one process may say.
    package func sessionKnowledge() async -> SessionKnowledge {
        var strays: [String: StraySightings] = [:]
        for crowd in crowds {
            let seen: [RequestKind: StraySightings] = await crowd.read { $0?.recorder.strays ?? [:] }
            for part in seen {
                strays[part.key.name, default: StraySightings(room: StraySightings.roomOfProcess)].add(part.value)
            }
        }
        let strange = strays.values.reduce(into: Set()) { $0.formUnion($1.words) }
        let digests = sessions.digests(most: SessionSample.most, among: strange)
        // A session of this process's own that was given after it had been seen is no stranger.
        for kind in strays.keys { strays[kind]?.leaveOut(digests.met) }
        let kept = digests.kept.map { SessionSample.Entry(digest: $0.digest, viewer: $0.viewer) }
        return SessionKnowledge(given: SessionSample(given: digests.given, kept: kept), strays: strays)
    }

    /// Closes every connection and ends the loops; the run cannot be used afterwards.
    package func shutDown() async {
        await Self.close(crowds, loops)
    }

    private static func close(_ crowds: [LoopBound<Crowd?>], _ loops: [any WorkLoop]) async {
        for crowd in crowds {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                crowd.loop.execute {
                    guard let value = crowd.value else {
                        continuation.resume()
                        return
                    }
                    crowd.value = nil
                    // Viewers that still watch would answer each abandoned request with another.
                    value.stop {}
                    value.transport.shutDown { continuation.resume() }
                }
            }
        }
        for loop in loops {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                loop.shutDown { continuation.resume() }
            }
        }
    }
}
