import HLS
import Time

extension BreakOffer {
    /// How long its ads may play, in nanoseconds; nil where they may to their end.
    package func playoutLimit(_ plan: ViewerPlan) -> Int64? {
        programme == .replaced ? plan.playoutLimitNanoseconds : interstitial?.playoutLimit?.nanosecondsHeld
    }
}
