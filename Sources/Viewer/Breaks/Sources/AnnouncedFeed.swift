import AdServing
import Rules
import Values

/// Source of the viewer's own pods that the live playlist announces, by any tag.
struct AnnouncedFeed: Sendable {
    private var last: PlannedBreak?
    /// Start of the last announced break, in milliseconds since the run's start; nil before the first playlist.
    private var newest: Int32?
    /// When the viewer pressed play; the guide's sample names pods by it.
    private var clickedAt = Instant.zero

    mutating func joined(_ turn: Turn) { clickedAt = turn.now }

    mutating func programmeChanged(
        _ shared: SharedPlaylist,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        let known = newest
        discover(shared.announced, turn: &turn)
        consider(shared.announced, newSince: known, at: turn.announcedAt, playback, &breaks, turn: &turn)
    }

    /// Looks for the next announced break.
    ///
    /// `instant` may lie ahead.
    mutating func ended(
        _ outcome: BreakOutcome,
        at instant: Instant,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        let announced = playback.latest?.announced ?? []
        consider(announced, newSince: Int32.max, after: outcome, at: instant, playback, &breaks, turn: &turn)
    }

    /// Takes up the first announced break ahead, unless the viewer has one.
    ///
    /// A break that has begun is recorded once: by when the viewer learned of it, or by the outcome of the break then in
    /// progress.
    private mutating func consider(
        _ announced: [ScheduledBreak],
        newSince known: Int32?,
        after outcome: BreakOutcome = .finished,
        at instant: Instant,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        guard !breaks.holds(.dateRange) else { return }
        for scheduled in announced where scheduled.start > (last?.scheduled.start ?? .distantPast) {
            guard let startAt = playback.playheadInstant(of: scheduled.start, turn) else { return }
            let planned = self.planned(scheduled, turn)
            last = planned
            if startAt > instant {
                breaks.admit(own: planned, turn: &turn)
                return
            }
            guard known.map({ sinceStart(scheduled, turn) > $0 }) ?? true,
                !breaks.indices.contains(where: { breaks[$0].isGoingOn })
            else {
                breaks.pass(own: planned, outcome.ofMissed, turn: &turn)
                continue
            }
            let passed = PassedBreak(startAt: startAt)
            let outcome = passed.outcome(playback, &turn)
            let isOver = startAt.later(by: scheduled.duration) <= instant
            guard outcome != .past, !isOver || outcome != .leftOut(.joinedLate) else { continue }
            breaks.pass(own: planned, outcome, turn: &turn)
            turn.noteAnnouncedLate(outcome, passed, of: planned)
        }
    }

    /// Notes the breaks that a playlist announces and the one before did not.
    ///
    /// Breaks of the first playlist say nothing of how news spread.
    private mutating func discover(_ announced: [ScheduledBreak], turn: inout Turn) {
        let latest = announced.last.map { sinceStart($0, turn) } ?? .min
        if let newest {
            guard latest > newest else { return }
            for scheduled in announced where sinceStart(scheduled, turn) > newest {
                turn.note(.breakDiscovered(at: turn.receivedAt), of: planned(scheduled, turn))
            }
        }
        newest = latest
    }

    /// Milliseconds from the run's start to a break's, clamped to 32 bits.
    private func sinceStart(_ scheduled: ScheduledBreak, _ turn: Turn) -> Int32 {
        Int32(clamping: scheduled.start.duration(since: turn.plan.timebase.wallStart).nanosecondsHeld / 1_000_000)
    }

    private func planned(_ scheduled: ScheduledBreak, _ turn: Turn) -> PlannedBreak {
        let clickedAt = turn.plan.timebase.wall(at: clickedAt)
        return turn.plan.breakBook.planned(scheduled, clickedAt: clickedAt, source: .dateRange)
    }
}
