import AdServing
import HLS

/// An interstitial that a live playlist schedules: one object for all viewers of a loop, as long as nothing about it
/// changes.
package final class InterstitialEvent: Sendable {
    /// nil for one that only a preload range speaks of yet (bis-22 appendix F).
    let interstitial: Interstitial?
    let preload: PreloadRange?
    /// Where it begins; nil where that is not known.
    ///
    /// START-DATE, or with X-SNAP=OUT the segment boundary nearest to it as far as segments are listed; with CUE=POST the
    /// end of the presentation.
    let start: WallTime?
    /// How long it holds up the programme, as far as the playlist says so; nil where it does not.
    let occupied: Duration?
    /// Beacons that the date range itself carries, by their time from the interstitial's start.
    let beacons: [DueBeacon]
    /// The first event that the date range's tracking lists twice; nil for none.
    let doubledEvent: String?
    /// The break that it is in the measurement.
    let planned: PlannedBreak

    init(interstitial: Interstitial?, preload: PreloadRange?, start: WallTime?, planned: PlannedBreak) {
        self.interstitial = interstitial
        self.preload = preload
        self.start = start
        self.occupied = interstitial.flatMap(Self.occupied)
        self.planned = planned
        let signaling = interstitial?.creativeSignaling.flatMap(CreativeSignaling.init(attribute:))
        self.doubledEvent = signaling?.doubledEvent
        self.beacons = DueBeacon.all(signaling, total: interstitial?.announcedDuration)
    }

    var id: String { self.planned.scheduled.key }

    var isPreRoll: Bool { self.interstitial?.cue.contains(.pre) ?? false }
    var isPostRoll: Bool { self.interstitial?.cue.contains(.post) ?? false }
    var isOnce: Bool { self.interstitial?.cue.contains(.once) ?? false }

    /// Whether the other one says the same, so that it can stand for this one.
    func says(_ interstitial: Interstitial?, _ preload: PreloadRange?, start: WallTime?) -> Bool {
        self.start == start && self.interstitial == interstitial && self.preload == preload
    }

    /// Whether it schedules what an earlier version did; a relative URI may resolve otherwise in another rendition.
    func isUnchanged(from old: InterstitialEvent) -> Bool {
        guard var before = old.interstitial, let interstitial = self.interstitial else {
            return old.interstitial == nil
        }
        before.content = interstitial.content
        return before == interstitial
    }

    /// The stretch of the programme that an interstitial stands for: X-RESUME-OFFSET, or how long it is to play.
    private static func occupied(_ interstitial: Interstitial) -> Duration? {
        if let offset = interstitial.resumeOffset { return max(offset, .zero) }
        return interstitial.announcedDuration.map { interstitial.playoutDuration(ofAssets: $0) }
    }
}

/// The breaks that one version of a live playlist schedules; the same object for all versions that schedule the same.
package final class InterstitialSchedule: Sendable {
    /// In the order in which they are played: by start, and for one start in the playlist's order (bis-22 appendix D.2).
    let events: [InterstitialEvent]
    /// Breaks that are stitched into the playlist, by start.
    let stitched: [StitchedBreakVersion]

    init(events: [InterstitialEvent], stitched: [StitchedBreakVersion] = []) {
        self.events = events
        self.stitched = stitched
    }

    static let empty = InterstitialSchedule(events: [])
}
