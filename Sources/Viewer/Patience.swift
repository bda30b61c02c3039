import Profile
import Values

/// Time for which a user still tolerates that nothing is shown.
struct Patience {
    /// Instant at which patience ends; past if nothing was shown for long enough.
    let ends: Instant

    init(
        _ plan: AbandonmentPlan,
        _ phase: ViewerMachine.Phase,
        _ breaks: BreaksPart,
        _ playback: PlaybackPart,
        _ turn: Turn
    ) {
        let bears = playback.isStopped ? plan.afterStop : plan.afterStall
        let darkSince = playback.dryInstant(turn)
        if breaks.showsAds {
            ends = turn.now.later(by: bears)
        } else if darkSince != .distantFuture {
            ends = darkSince.later(by: bears)
        } else {
            // Before the first playlist nothing was shown since the application was opened. Later, a channel without dates does
            // not say when its buffer is empty, so only a player that gave up is noticed.
            ends = phase == .joining || playback.isStopped ? turn.now : turn.now.later(by: bears)
        }
    }
}
