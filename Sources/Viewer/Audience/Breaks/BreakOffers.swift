/// Breaks of one version of a live playlist; the same object for all versions with the same breaks.
package final class BreakOffers: Sendable {
    /// In playing order: by start, equal starts in the playlist's order (bis-22 appendix D.2).
    package let interstitials: [ScheduledInterstitial]
    /// Sorted by start.
    package let stitched: [StitchedBreakVersion]

    package init(interstitials: [ScheduledInterstitial], stitched: [StitchedBreakVersion] = []) {
        self.interstitials = interstitials
        self.stitched = stitched
    }

    package static let empty = BreakOffers(interstitials: [])
}
