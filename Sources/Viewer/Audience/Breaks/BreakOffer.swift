package import AdServing
package import HLS
package import Rules
package import Values

/// One object for all viewers with the same announcement.
package protocol BreakOffer: AnyObject, Sendable {
    var planned: PlannedBreak { get }
    /// Nil while unknown.
    var start: WallTime? { get }
    /// Nil if nothing is requested.
    var content: OfferedContent? { get }
    /// Beacons of the announcement itself, sorted by offset from the break's start.
    var beacons: [DueBeacon] { get }
}

/// State of the programme while a break has the playhead.
package enum ProgrammeDuringBreak: Sendable {
    /// Continues unseen; the viewer returns to the live edge.
    case replaced
    /// Stands still and resumes where the break says (bis-22 appendix D.2).
    case paused
    case carriesIt
}

package enum OfferedContent: Sendable {
    /// Requested with the viewer's session.
    case pod
    case interstitial(Interstitial.Content)

    package var isAssetList: Bool { if case .interstitial(.assetList) = self { true } else { false } }
}

extension BreakOffer {
    /// Nil for other breaks, and for an interstitial known only from a preload range.
    package var interstitial: Interstitial? { (self as? ScheduledInterstitial)?.tag }

    package var beacons: [DueBeacon] { [] }

    package var programme: ProgrammeDuringBreak { planned.source.programme }

    /// Whether all viewers reach it at one instant of the wall clock, instead of by their playheads.
    package var isByWallClock: Bool { planned.source == .schedule }

    /// Whether each viewer reaches it when it joins.
    package var isPreRoll: Bool { planned.source == .preRoll }

    /// CUE=ONCE: not played again.
    package var isOnce: Bool { interstitial?.cue.contains(.once) ?? false }

    /// In nanoseconds.
    package func playoutLimit(_ plan: ViewerPlan) -> Int64? {
        programme == .replaced ? plan.playoutLimitNanoseconds : interstitial?.playoutLimit?.nanosecondsHeld
    }
}

/// One object for all versions of a live playlist with the same breaks.
package final class BreakOffers: Sendable {
    /// In playing order: by start, equal starts in the playlist's order (bis-22 appendix D.2).
    package let interstitials: [ScheduledInterstitial]
    /// Sorted by start.
    package let stitched: [StitchedBreakVersion]

    package init(interstitials: [ScheduledInterstitial], stitched: [StitchedBreakVersion] = []) {
        (self.interstitials, self.stitched) = (interstitials, stitched)
    }

    package static let empty = BreakOffers(interstitials: [])
}

/// A new source needs a case here, the plan's field that selects it, and a feed under `Viewer/Breaks/Sources`.
package enum BreakSource: String, Sendable {
    /// The viewer's own pods at computed instants of the wall clock, or called for.
    case schedule
    /// The viewer's own pods.
    case dateRange = "date range"
    case interstitial
    /// An interstitial with CUE=PRE, which each viewer reaches when it joins.
    case preRoll = "pre-roll"
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

    package var isOwn: Bool { programme == .replaced }
}

/// One object for all viewers that have the break under this name.
package final class PlannedBreak: Sendable {
    package let scheduled: ScheduledBreak
    package let identifier: PodIdentifier
    /// The identifier in the pod's path; for a break of the channel, the name of its source.
    package let pathComponent: String
    package let source: BreakSource

    /// Without an identifier, a break of the channel.
    package init(_ scheduled: ScheduledBreak, _ identifier: PodIdentifier? = nil, source: BreakSource) {
        (self.scheduled, self.source) = (scheduled, source)
        self.identifier = identifier ?? .adBreakID(scheduled.key)
        self.pathComponent = identifier?.pathComponent ?? source.rawValue
    }

    package var isOwn: Bool { source.isOwn }
}

extension PlannedBreak: BreakOffer {
    package var planned: PlannedBreak { self }
    package var start: WallTime? { scheduled.start }
    package var content: OfferedContent? { .pod }
}
