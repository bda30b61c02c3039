import Audience
import LoadProfile
import Time

/// How long a person still bears that nothing is shown.
struct Patience {
    /// When it ends; a moment that is over says that nothing was shown for long enough.
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
            // Before the first playlist there was nothing to see since the application was opened. Afterwards a channel without
            // dates does not say when its buffer is empty: only a player that has given up is noticed.
            ends = phase == .joining || playback.isStopped ? turn.now : turn.now.later(by: bears)
        }
    }
}
