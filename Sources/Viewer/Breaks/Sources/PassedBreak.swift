import AdServing
import Audience
import Breaks
import Rulebook
import Time

/// A break that a viewer learns of when its playhead is past the start.
struct PassedBreak {
    /// When the playhead reached the start.
    let startAt: Instant

    /// Whether the viewer was shut out meanwhile, so that the break counts as lost for that.
    func isOfShutOut(_ turn: Turn) -> Bool {
        turn.begins && startAt >= turn.dueSince && startAt <= turn.now &- turn.plan.graceNanoseconds
    }

    /// Whether the playlist had come before the start, and was read so soon after it that the viewer can take the break up.
    func isInTime(_ turn: Turn) -> Bool { startAt > turn.announcedAt }

    /// The break's outcome for the viewer.
    ///
    /// Only a viewer that began to watch after the start joined late. One that was watching has lost the break, unless
    /// podswarm itself was too late to read of it.
    func outcome(_ playback: PlaybackPart, _ turn: inout Turn) -> BreakOutcome {
        if isOfShutOut(turn) { return .past }
        if turn.begins || startAt < turn.joinedAt { return .leftOut(.joinedLate) }
        guard startAt <= turn.receivedAt else {
            turn.count(.podsHandledLate)
            return .past
        }
        return .failed(playback.video.hasRecovered ? .noPlaylist : .announcedTooLate)
    }
}

extension Turn {
    /// When the playlist in hand came, unless it was read so late that a break that has begun since is of no use any more.
    var announcedAt: Instant { handling <= plan.handlingNanoseconds ? receivedAt : now }

    /// Says how late a break was announced, where that lost it.
    mutating func noteAnnouncedLate(_ outcome: BreakOutcome, _ passed: PassedBreak, of planned: PlannedBreak) {
        guard outcome == .failed(.announcedTooLate) else { return }
        let tenths = max(now &- passed.startAt, 0) / 100_000_000
        note(
            .finding(
                .breakAnnouncedLate,
                expected: "the break in the playlist before the playhead is at its start",
                observed: "first listed \(tenths / 10).\(tenths % 10) s after that"
            ),
            of: planned
        )
    }
}
