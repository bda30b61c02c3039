import AdServing
import Profile
import Results
import Rules
import Values
import Viewer

/// Viewers that should watch by the audience's plan, but cannot; confined to its loop.
final class ShutOutBook {
    /// The player gave up, or the viewer closed it because nothing was shown.
    private struct Absence {
        let since: Instant
        let cohort: Cohort
        let isClosed: Bool
    }

    /// Microseconds, for breaks that only other loops know.
    private static let kept: Int64 = 600_000_000

    private let plan: ViewerPlan
    private let recorder: LoopRecorder
    /// Keyed by viewer number.
    private var absences: [Int: Absence] = [:]
    private var computedUntil: WallTime

    init(_ plan: ViewerPlan, _ recorder: LoopRecorder) {
        (self.plan, self.recorder) = (plan, recorder)
        computedUntil = plan.timebase.wallStart
    }

    func follow(_ counter: ViewerCounter, _ viewer: ViewerSlot, now: Instant) {
        let machine = viewer.machine
        let number = machine.number
        switch counter {
        case .playersStopped where machine.hasWatched:
            let since = min(machine.channelLostSince ?? now, now)
            absences[number] = Absence(since: since, cohort: viewer.cohort, isClosed: false)
        case .abandoned:
            let since = absences[number]?.since ?? now
            absences[number] = Absence(since: since, cohort: viewer.cohort, isClosed: true)
        case .joined:
            // The viewer can still ask for later computed breaks itself.
            end(number, computedUntil: now &+ plan.leadNanoseconds, until: now &- 1_000)
        case .left where absences[number]?.isClosed == false: end(number, at: now)
        default: break
        }
    }

    func end(_ number: Int, at now: Instant) {
        let last = now &- plan.graceNanoseconds
        end(number, computedUntil: last, until: last)
    }

    /// Viewers that are joining record their absence themselves.
    func endAll(at now: Instant) {
        recorder.shutOuts.goOn([:])
        for number in Array(absences.keys) { end(number, at: now) }
    }

    private func end(_ number: Int, computedUntil: Instant, until: Instant) {
        guard let absence = absences.removeValue(forKey: number) else { return }
        note(absence.cohort, .playerGaveUp, from: absence.since, until: until)
        note(absence.cohort, .playerGaveUp, from: absence.since, until: computedUntil, [.atInstant])
    }

    private static let metByPlayhead: [BreakMeeting] = [.atPlayhead, .interstitial]

    /// The viewer could know of no break that its playhead would have met in this time.
    func note(
        _ cohort: Cohort,
        _ cause: BreakFailure,
        from: Instant,
        until: Instant,
        _ meetings: [BreakMeeting] = metByPlayhead
    ) {
        stretches(meetings, cohort, cause, from: from, until: until).forEach(recorder.shutOuts.add)
    }

    /// Without interstitials of a player that plays none.
    private func stretches(
        _ meetings: [BreakMeeting],
        _ cohort: Cohort,
        _ cause: BreakFailure,
        from: Instant,
        until: Instant? = nil
    ) -> some Sequence<ShutOut> {
        let playsInterstitials = plan.personas[Int(cohort.persona)].persona.interstitials.trigger != .never
        let timebase = plan.timebase
        let (from, until) = (timebase.wall(at: from).microseconds, until.map { timebase.wall(at: $0).microseconds })
        return meetings.lazy.filter { $0 != .interstitial || playsInterstitials }
            .map { ShutOut($0, cause, cohort, from: from, until: until) }
    }

    /// Not passed as a value: each second, the copy of each viewer's machine would retain all that it holds.
    private static func shutOut(_ machine: inout ViewerMachine, at now: Instant) -> (BreakFailure, Instant)? {
        machine.shutOut(at: now)
    }

    /// `noteBreak` records a computed break that began meanwhile: it may have no viewer left to record it.
    func tell(_ viewers: ContiguousArray<ViewerSlot>, at now: Instant, noteBreak: (ScheduledBreak) -> Void) {
        var open: [ShutOut: UInt64] = [:]
        for index in viewers.indices {
            let shutOut = Self.shutOut(&viewers[index].machine, at: now &- plan.graceNanoseconds)
            guard let (cause, since) = shutOut else { continue }
            let stretches = stretches(Self.metByPlayhead, viewers[index].cohort, cause, from: since)
            for stretch in stretches { open[stretch, default: 0] += 1 }
        }
        for absence in absences.values {
            let meetings = Self.metByPlayhead + [.atInstant]
            let stretches = stretches(meetings, absence.cohort, .playerGaveUp, from: absence.since)
            for stretch in stretches { open[stretch, default: 0] += 1 }
        }
        recorder.shutOuts.goOn(open)
        let wall = plan.timebase.wall(at: now)
        if !absences.isEmpty, !plan.calendar.countsFromClick {
            var last = computedUntil
            while let next = plan.calendar.nextBreak(after: last, clickedAt: last, isFirst: false), next.start <= wall {
                noteBreak(next)
                last = next.start
            }
        }
        computedUntil = wall
        recorder.forgetShutOuts(before: wall.microseconds, room: Self.kept)
    }
}
