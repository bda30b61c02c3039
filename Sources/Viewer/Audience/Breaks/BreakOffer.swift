package import AdServing
package import HLS
package import Rules
import Synchronization
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

/// Source of breaks.
///
/// A new source needs a case here, the plan's field that selects it, and a feed under `Viewer/Breaks/Sources`, which the
/// compiler then makes `BreakFeeds` call.
package enum BreakSource: String, Sendable {
    /// The viewer's own pods at instants of the wall clock that are computed or called for.
    case schedule
    /// The viewer's own pods, announced by date ranges of the playlist.
    case dateRange = "date range"
    case interstitial
    /// An interstitial with CUE=PRE, which each viewer reaches when it joins.
    case preRoll = "pre-roll"
    /// Ads in the programme's own playlist.
    case stitched

    package var programme: ProgrammeDuringBreak {
        switch self {
        case .schedule, .dateRange: .replaced
        case .interstitial, .preRoll: .paused
        case .stitched: .carriesIt
        }
    }

    package var meeting: BreakMeeting {
        switch self {
        case .schedule: .atInstant
        case .dateRange, .stitched: .atPlayhead
        case .interstitial: .interstitial
        case .preRoll: .individual
        }
    }

    /// Whether its breaks are pods requested with the viewer's session.
    package var isOwn: Bool { programme == .replaced }
}

/// A break and the name of its pod: one object for all viewers that have that break under that name.
package final class PlannedBreak: Sendable {
    package let scheduled: ScheduledBreak
    package let identifier: PodIdentifier
    /// The identifier in the pod's path; for a break of the channel, the name of its source.
    package let pathComponent: String
    package let source: BreakSource

    /// A pod of the viewer's own.
    package init(_ scheduled: ScheduledBreak, _ identifier: PodIdentifier, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = identifier
        self.pathComponent = identifier.pathComponent
        self.source = source
    }

    /// A break of the channel.
    package init(_ scheduled: ScheduledBreak, source: BreakSource) {
        self.scheduled = scheduled
        self.identifier = .adBreakID(scheduled.key)
        self.pathComponent = source.rawValue
        self.source = source
    }

    package var isOwn: Bool { source.isOwn }

    /// Whether each viewer reaches the break when it joins, so that no instant is the same for all.
    package var isMetAtJoin: Bool { source == .preRoll }
}

extension PlannedBreak: BreakOffer {
    package var planned: PlannedBreak { self }
    package var start: WallTime? { scheduled.start }
    package var content: OfferedContent? { .pod }
    package var beacons: [DueBeacon] { [] }
}

package struct BreakSubject: Sendable {
    package let planned: PlannedBreak
    /// X-CONTENT-MAY-VARY=NO: all viewers must get the same (bis-22 appendix D.2).
    package let isSameForAll: Bool
    /// Whether the list was requested from the viewer's join on.
    package let isTrimmed: Bool
    /// Whether the viewer joined so late that no asset may be left to play.
    package let isNearlyOver: Bool
    package let isAssetList: Bool
    /// Length that assets may have (``Interstitial/longestContent``).
    package var longestContent: Duration?

    package var isOwn: Bool { planned.isOwn }

    /// Whether a request is the first that the break's content needs; bursts consist of these.
    package func isContentRequest(_ role: ViewerRole, index: UInt8) -> Bool {
        switch role {
        case .podManifest, .assetList: true
        case .assetManifest: !isAssetList && index == 0
        default: false
        }
    }
}

package struct AssetSubject: Sendable {
    package let uri: String
    /// From the asset list or the tag.
    package let listedDuration: Duration?
    /// Index in its manifest of the requested variant.
    package var variant: Int?
}
