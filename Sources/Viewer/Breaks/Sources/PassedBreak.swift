import AdServing
import Rules
import Values

/// A break that a viewer learns of after its playhead passed the start.
struct PassedBreak {
    let startAt: Instant

    /// Whether the viewer was shut out meanwhile, so that the break counts as lost for that reason.
    func isOfShutOut(_ turn: Turn) -> Bool {
        turn.begins && startAt >= turn.dueSince && startAt <= turn.now &- turn.plan.graceNanoseconds
    }

    /// Whether the playlist came before the start and was read early enough to take the break up.
    func isInTime(_ turn: Turn) -> Bool { startAt > turn.announcedAt }

    /// The break's outcome for the viewer.
    ///
    /// Only a viewer that began to watch after the start joined late. A watching viewer has lost the break, unless podswarm
    /// itself read the playlist too late.
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
    /// When the playlist in hand arrived; now, if it was read too late for breaks that began since.
    var announcedAt: Instant { handling <= plan.handlingNanoseconds ? receivedAt : now }

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
