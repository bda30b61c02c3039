import HLS
import Values

extension BreakOffer {
    /// Limit for playing its ads, in nanoseconds; nil without one.
    package func playoutLimit(_ plan: ViewerPlan) -> Int64? {
        programme == .replaced ? plan.playoutLimitNanoseconds : interstitial?.playoutLimit?.nanosecondsHeld
    }
}
