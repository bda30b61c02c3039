import HLS
import Profile
import Rules
import Values

extension Screen {
    /// Plans the first seek once the channel has interstitials.
    mutating func planSeek(turn: inout Turn) {
        guard turn.plan.audience.seeks != nil else { return }
        navigation.plan(turn: &turn)
    }

    mutating func seekWhereDue(_ breaks: inout BreakAgenda, _ playback: inout PlaybackPart, turn: inout Turn) {
        guard turn.plan.audience.seeks != nil, navigation.instant <= turn.now else { return }
        guard currentSerial == 0, let playhead = playback.playheadDate(turn) else {
            // Seeking is impossible during a break; try again in a second.
            navigation.move(to: turn.now.later(by: 1_000_000_000))
            return
        }
        switch navigation.next {
        case .never: return
        case .back: seekBack(from: playhead, &breaks, &playback, turn: &turn)
        case .forward(_, let latency):
            jumpForward(from: playhead, latency: latency, &breaks, &playback, turn: &turn)
            navigation.plan(turn: &turn)
        }
    }

    private mutating func seekBack(
        from playhead: WallTime,
        _ breaks: inout BreakAgenda,
        _ playback: inout PlaybackPart,
        turn: inout Turn
    ) {
        let target = playhead - (turn.plan.audience.seeks?.distance ?? .zero)
        guard target < playhead, let first = playback.latest?.playlist.programDate(at: 0), first <= target else {
            navigation.plan(turn: &turn)
            return
        }
        for index in breaks.indices {
            breaks.list.revive(index, from: playhead, to: target, turn: &turn)
        }
        let latency = turn.now &- turn.plan.timebase.instant(of: playhead)
        seek(to: target, &playback, turn: &turn)
        navigation.wentBack(from: latency, turn: &turn)
    }

    /// X-RESTRICT=JUMP forbids skipping an interstitial that lies ahead without playing it, even one that was played before.
    private mutating func jumpForward(
        from playhead: WallTime,
        latency: Int64,
        _ breaks: inout BreakAgenda,
        _ playback: inout PlaybackPart,
        turn: inout Turn
    ) {
        let target = turn.plan.timebase.wall(at: turn.now &- latency)
        guard playhead < target else { return }
        let isForbidden = breaks.indices.contains {
            breaks[$0].offer.forbidsJump && breaks[$0].isMet(from: playhead, to: target)
        }
        guard !isForbidden else {
            turn.count(.eventsRestricted)
            return
        }
        leaveOut(from: playhead, to: target, .jumpedOver, &breaks, playback, turn: &turn)
        seek(to: target, &playback, turn: &turn)
    }

    private func seek(to date: WallTime, _ playback: inout PlaybackPart, turn: inout Turn) {
        turn.count(.seeks)
        playback.resumePlayhead(at: date, turn)
        playback.goOnLoading(&turn)
    }
}
