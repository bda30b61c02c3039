import AdServing
import Profile
import Rules
import Values

/// Source of the viewer's own pods at computed instants (``BreakCalendar``).
struct ScheduleFeed: Sendable {
    private var last: PlannedBreak?
    /// When the viewer pressed play, from which the guide's rule counts; the distant past before.
    private var clickedAt = Instant.distantPast
    private var isFirst = true

    mutating func joined(_ breaks: inout BreakList, turn: inout Turn) {
        clickedAt = turn.now
        schedule(after: turn.now, &breaks, turn: &turn)
    }

    /// Marks the first break as used even if nothing comes of it: the guide's rule counts the first break from the click, and
    /// would name this one again.
    mutating func hadOne() { isFirst = false }

    mutating func ended(_ outcome: BreakOutcome, at instant: Instant, _ breaks: inout BreakList, turn: inout Turn) {
        passMissed(after: outcome, until: earliest(instant, turn), &breaks, turn: &turn)
        if !isFirst, turn.plan.calendar.countsFromClick { clickedAt = instant }
        schedule(after: instant, &breaks, turn: &turn)
    }

    /// Takes up a called break that precedes all remaining ones; any other is found in its turn.
    mutating func called(_ called: PlannedBreak, _ breaks: inout BreakList, turn: inout Turn) {
        let isBefore = last.map { called.scheduled.start < $0.scheduled.start } ?? false
        guard isBefore || !breaks.holds(.schedule), called.scheduled.start != last?.scheduled.start else { return }
        let planned = self.planned(called.scheduled, turn)
        if !isBefore { last = planned }
        // A loop that was delayed for longer than the lead has cost its viewers the break.
        guard called.scheduled.start > turn.plan.timebase.wall(at: turn.now) else {
            return breaks.pass(own: planned, .leftOut(.joinedLate), turn: &turn)
        }
        breaks.admit(own: planned, turn: &turn)
    }

    /// Earliest start: a break whose pod should have been requested by now can no longer be rehearsed.
    private func earliest(_ instant: Instant, _ turn: Turn) -> WallTime {
        turn.plan.timebase.wall(at: instant &+ turn.plan.leadNanoseconds)
    }

    private mutating func schedule(after instant: Instant, _ breaks: inout BreakList, turn: inout Turn) {
        guard !breaks.holds(.schedule) else { return }
        let earliest = earliest(instant, turn)
        let planned = turn.plan.breakBook.nextBreak(
            after: max(earliest, last?.scheduled.start ?? earliest),
            clickedAt: turn.plan.timebase.wall(at: clickedAt),
            isFirst: isFirst
        )
        guard let planned else { return }
        last = planned
        breaks.admit(own: planned, turn: &turn)
    }

    /// Records the breaks whose request came due while the last one was in progress.
    private func passMissed(
        after outcome: BreakOutcome,
        until earliest: WallTime,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        guard !isFirst, var seen = last?.scheduled.start else { return }
        for _ in 0..<Self.mostMissed {
            let missed = turn.plan.calendar.nextBreak(after: seen, clickedAt: seen, isFirst: false)
            guard let missed, missed.start <= earliest, missed.start > seen else { return }
            seen = missed.start
            breaks.pass(own: self.planned(missed, turn), outcome.ofMissed, turn: &turn)
        }
    }

    private func planned(_ scheduled: ScheduledBreak, _ turn: Turn) -> PlannedBreak {
        let clickedAt = turn.plan.timebase.wall(at: clickedAt)
        return turn.plan.breakBook.planned(scheduled, clickedAt: clickedAt, source: .schedule)
    }

    /// Bounds the loop over a schedule of any density; more than a run can bring while one pod is awaited.
    private static let mostMissed = 1000
}

extension BreakList {
    /// Adds a break whose pod the viewer will request; it waits for its turn behind earlier breaks.
    mutating func admit(own planned: PlannedBreak, turn: inout Turn) {
        let serial = takeSerial()
        let fetch = PodFetch(time: turn.fetchTime(of: planned.scheduled))
        insert(Break(planned, serial: serial, phase: .scheduled(.pod(fetch)), knownAt: turn.now))
        if let own, self[own].serial == serial { turn.act(.breakScheduled(planned)) }
        turn.count(.eventsScheduled)
    }

    mutating func pass(own planned: PlannedBreak, _ outcome: BreakOutcome, turn: inout Turn) {
        let serial = takeSerial()
        turn.act(.breakScheduled(planned))
        turn.count(.eventsScheduled)
        var passed = Break(planned, serial: serial, phase: .scheduled(.byTrigger), knownAt: turn.now)
        passed.conclude(outcome, turn: &turn)
        if let own { turn.act(.breakScheduled(self[own].planned)) }
    }
}

extension Turn {
    fileprivate mutating func fetchTime(of scheduled: ScheduledBreak) -> PodFetch.Time {
        switch plan.breaks.trigger {
        case .rendezvous: return .at(plan.timebase.instant(of: scheduled.start) &- plan.leadNanoseconds)
        case .playhead:
            let offset = (chance.unit() * 2 - 1) * Double(plan.jitterNanoseconds)
            return .afterPlayhead(Int64(offset.rounded()) &- plan.leadNanoseconds)
        }
    }
}
