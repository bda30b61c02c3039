package import HLS
package import Time

/// A break as its source tells of it: one object for all viewers that are told the same.
package protocol BreakOffer: AnyObject, Sendable {
    /// The break that it is in the measurement.
    var planned: PlannedBreak { get }
    /// Where in the programme it begins; nil while that is not known.
    var start: WallTime? { get }
    /// What is asked for; nil where nothing is.
    var content: OfferedContent? { get }
    /// Beacons that come with the announcement itself, by their time from the break's start.
    var beacons: [DueBeacon] { get }
}

/// What becomes of the programme while a break has the playhead.
package enum ProgrammeDuringBreak: Sendable {
    /// It goes on unseen, and the viewer is back at the live edge afterwards: a pod of a linear channel.
    case replaced
    /// It stands still, and goes on where the break says (bis-22 appendix D.2).
    case paused
    /// The break is part of it.
    case carriesIt
}

/// What a break's content is asked for by.
package enum OfferedContent: Sendable {
    /// A pod manifest, asked for in the name of the viewer's session.
    case pod
    case asset(uri: String)
    case assetList(uri: String)

    package var isAssetList: Bool {
        if case .assetList = self { true } else { false }
    }
}

extension BreakOffer {
    /// The interstitial that the playlist schedules; nil for other breaks, and where only a preload range speaks of it.
    package var interstitial: Interstitial? { (self as? ScheduledInterstitial)?.tag }

    package var programme: ProgrammeDuringBreak { planned.source.programme }

    /// Whether what it comes to is counted among the breaks that were scheduled.
    package var isCounted: Bool { planned.source != .stitched }

    /// When it is reached: by the wall clock where all viewers have it at one instant, and otherwise by the playhead.
    package var isByWallClock: Bool { planned.source == .schedule }

    package var isPreRoll: Bool { planned.source == .preRoll }

    /// CUE=ONCE: it is not played again.
    package var isOnce: Bool { interstitial?.cue.contains(.once) ?? false }

    /// X-CONTENT-MAY-VARY=NO: all viewers get the same (bis-22 appendix D.2).
    package var isSameForAll: Bool { interstitial?.contentMayVary == false }

    /// X-RESTRICT=JUMP: nobody may pass it without playing it.
    package var forbidsJump: Bool { interstitial?.restrictions.contains(.jump) ?? false }
}
