import AdServing
package import HLS
package import Time

/// An interstitial that a live playlist schedules: one object for all viewers of a loop, as long as nothing about it
/// changes.
package final class ScheduledInterstitial: Sendable {
    /// nil for one that only a preload range speaks of yet (bis-22 appendix F).
    package let tag: Interstitial?
    package let preload: PreloadRange?
    /// Where it begins; nil where that is not known.
    ///
    /// START-DATE, or with X-SNAP=OUT the segment boundary nearest to it as far as segments are listed; with CUE=POST the
    /// end of the presentation.
    package let start: WallTime?
    /// How long it holds up the programme, as far as the playlist says so; nil where it does not.
    package let occupied: Duration?
    /// Beacons that the date range itself carries, by their time from the interstitial's start.
    package let beacons: [DueBeacon]
    /// The first event that the date range's tracking lists twice; nil for none.
    package let doubledEvent: String?
    /// The break that it is in the measurement.
    package let planned: PlannedBreak

    package init(tag: Interstitial?, preload: PreloadRange?, start: WallTime?, planned: PlannedBreak) {
        self.tag = tag
        self.preload = preload
        self.start = start
        self.occupied = tag.flatMap(Self.occupied)
        self.planned = planned
        let signaling = tag?.creativeSignaling.flatMap(CreativeSignaling.init(attribute:))
        self.doubledEvent = signaling?.doubledEvent
        self.beacons = DueBeacon.all(signaling, total: tag?.announcedDuration)
    }

    package var id: String { planned.scheduled.key }

    package var isPostRoll: Bool { tag?.cue.contains(.post) ?? false }

    /// Whether the other one says the same, so that it can stand for this one.
    package func says(_ tag: Interstitial?, _ preload: PreloadRange?, start: WallTime?) -> Bool {
        self.start == start && self.tag == tag && self.preload == preload
    }

    /// Whether it schedules what an earlier version did; a relative URI may resolve otherwise in another rendition.
    package func isUnchanged(from old: ScheduledInterstitial) -> Bool {
        guard var before = old.tag, let tag else { return old.tag == nil }
        before.content = tag.content
        return before == tag
    }

    /// The stretch of the programme that an interstitial stands for: X-RESUME-OFFSET, or how long it is to play.
    private static func occupied(_ tag: Interstitial) -> Duration? {
        if let offset = tag.resumeOffset { return max(offset, .zero) }
        return tag.announcedDuration.map { tag.playoutDuration(ofAssets: $0) }
    }
}

extension ScheduledInterstitial: BreakOffer {
    /// Of one that only a preload range speaks of, what its URI seems to be.
    package var content: OfferedContent? {
        switch tag?.content {
        case .asset(let uri): return .asset(uri: uri)
        case .assetList(let uri): return .assetList(uri: uri)
        case nil: break
        }
        guard let uri = preload?.uri else { return nil }
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        return path.hasSuffix(".m3u8") ? .asset(uri: uri) : .assetList(uri: uri)
    }
}
