import AdServing
package import HLS
package import Values

/// An interstitial that a live playlist schedules: one object for all viewers of a loop while it does not change.
package final class ScheduledInterstitial: Sendable {
    /// Nil for one known only from a preload range (bis-22 appendix F).
    package let tag: Interstitial?
    package let preload: PreloadRange?
    /// Start; nil while unknown.
    ///
    /// START-DATE; with X-SNAP=OUT the nearest listed segment boundary; with CUE=POST the end of the presentation.
    package let start: WallTime?
    /// Duration for which it holds up the programme; nil if the playlist does not say.
    package let occupied: Duration?
    /// Beacons of the date range itself, sorted by offset from the interstitial's start.
    package let beacons: [DueBeacon]
    /// The first event that the date range's tracking lists twice.
    package let doubledEvent: String?
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

    /// Whether both have the same contents, so that the other one can replace this one.
    package func says(_ tag: Interstitial?, _ preload: PreloadRange?, start: WallTime?) -> Bool {
        self.start == start && self.tag == tag && self.preload == preload
    }

    /// Whether an earlier version scheduled the same.
    ///
    /// URIs are not compared: a relative one may differ between renditions.
    package func isUnchanged(from old: ScheduledInterstitial) -> Bool {
        guard var before = old.tag, let tag else { return old.tag == nil }
        before.content = tag.content
        return before == tag
    }

    /// Stretch of the programme that an interstitial replaces: X-RESUME-OFFSET, or its playing time.
    private static func occupied(_ tag: Interstitial) -> Duration? {
        if let offset = tag.resumeOffset { return max(offset, .zero) }
        return tag.announcedDuration.map { tag.playoutDuration(ofAssets: $0) }
    }
}

extension ScheduledInterstitial: BreakOffer {
    /// Guessed from the URI while only a preload range is known.
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
