package import HLS
package import Values

/// A break as its source announces it: one object for all viewers with the same announcement.
package protocol BreakOffer: AnyObject, Sendable {
    /// The break as the measurement counts it.
    var planned: PlannedBreak { get }
    /// Start in the programme; nil while unknown.
    var start: WallTime? { get }
    /// Nil if nothing is requested.
    var content: OfferedContent? { get }
    /// Beacons of the announcement itself, sorted by offset from the break's start.
    var beacons: [DueBeacon] { get }
}

/// State of the programme while a break has the playhead.
package enum ProgrammeDuringBreak: Sendable {
    /// Continues unseen, and the viewer returns to the live edge: a pod of a linear channel.
    case replaced
    /// Stands still and resumes where the break says (bis-22 appendix D.2).
    case paused
    /// Contains the break.
    case carriesIt
}

package enum OfferedContent: Sendable {
    /// A pod manifest, requested with the viewer's session.
    case pod
    case asset(uri: String)
    case assetList(uri: String)

    package var isAssetList: Bool {
        if case .assetList = self { true } else { false }
    }
}

extension BreakOffer {
    /// Nil for other breaks, and for an interstitial known only from a preload range.
    package var interstitial: Interstitial? { (self as? ScheduledInterstitial)?.tag }

    package var programme: ProgrammeDuringBreak { planned.source.programme }

    /// Whether its outcome counts among scheduled breaks.
    package var isCounted: Bool { planned.source != .stitched }

    /// Whether all viewers reach it at one instant of the wall clock, instead of by their playheads.
    package var isByWallClock: Bool { planned.source == .schedule }

    package var isPreRoll: Bool { planned.source == .preRoll }

    /// CUE=ONCE: it is not played again.
    package var isOnce: Bool { interstitial?.cue.contains(.once) ?? false }

    /// X-CONTENT-MAY-VARY=NO: all viewers get the same (bis-22 appendix D.2).
    package var isSameForAll: Bool { interstitial?.contentMayVary == false }

    /// X-RESTRICT=JUMP: viewers must not pass it without playing it.
    package var forbidsJump: Bool { interstitial?.restrictions.contains(.jump) ?? false }
}

extension BreakOffer {
    /// Limit for playing its ads, in nanoseconds; nil without one.
    package func playoutLimit(_ plan: ViewerPlan) -> Int64? {
        programme == .replaced ? plan.playoutLimitNanoseconds : interstitial?.playoutLimit?.nanosecondsHeld
    }
}

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
