/// The breaks that one version of a live playlist brings; the same object for all versions that bring the same.
package final class BreakOffers: Sendable {
    /// In the order in which they are played: by start, and for one start in the playlist's order (bis-22 appendix D.2).
    package let interstitials: [ScheduledInterstitial]
    /// Breaks that are stitched into the playlist, by start.
    package let stitched: [StitchedBreakVersion]

    package init(interstitials: [ScheduledInterstitial], stitched: [StitchedBreakVersion] = []) {
        self.interstitials = interstitials
        self.stitched = stitched
    }

    package static let empty = BreakOffers(interstitials: [])
}
