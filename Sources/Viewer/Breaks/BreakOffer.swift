import AdServing
import HLS
import LoadProfile

/// Where breaks come from.
///
/// A new source is a case here, and a file of its own that makes its offers.
enum BreakSource: String, Sendable {
    /// The viewer's own pods, at instants that are computed.
    case schedule
    /// The viewer's own pods, announced by date ranges of the playlist.
    case dateRange = "date range"
    case interstitial
    /// An interstitial with CUE=PRE: each viewer meets it when it joins.
    case preRoll = "pre-roll"
    /// Ads that are part of the programme's own playlist.
    case stitched
}

/// A break as its source tells of it: one object for all viewers that are told the same.
protocol BreakOffer: AnyObject, Sendable {
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
enum ProgrammeDuringBreak: Sendable {
    /// It goes on unseen, and the viewer is back at the live edge afterwards: a pod of a linear channel.
    case replaced
    /// It stands still, and goes on where the break says (bis-22 appendix D.2).
    case paused
    /// The break is part of it.
    case carriesIt
}

/// What a break's content is asked for by.
enum OfferedContent: Sendable {
    /// A pod manifest, asked for in the name of the viewer's session.
    case pod
    case asset(uri: String)
    case assetList(uri: String)

    var isAssetList: Bool {
        if case .assetList = self { true } else { false }
    }
}

extension BreakOffer {
    /// The interstitial that the playlist schedules; nil for other breaks, and where only a preload range speaks of it.
    var interstitial: Interstitial? { (self as? ScheduledInterstitial)?.tag }

    var programme: ProgrammeDuringBreak {
        switch planned.source {
        case .schedule, .dateRange: .replaced
        case .interstitial, .preRoll: .paused
        case .stitched: .carriesIt
        }
    }

    /// Whether what it comes to is counted among the breaks that were scheduled.
    var isCounted: Bool { planned.source != .stitched }

    /// When it is reached: by the wall clock where all viewers have it at one instant, and otherwise by the playhead.
    var isByWallClock: Bool { planned.source == .schedule }

    var isPreRoll: Bool { planned.source == .preRoll }

    /// CUE=ONCE: it is not played again.
    var isOnce: Bool { interstitial?.cue.contains(.once) ?? false }

    /// X-CONTENT-MAY-VARY=NO: all viewers get the same (bis-22 appendix D.2).
    var isSameForAll: Bool { interstitial?.contentMayVary == false }

    /// X-RESTRICT=JUMP: nobody may pass it without playing it.
    var forbidsJump: Bool { interstitial?.restrictions.contains(.jump) ?? false }

    /// How long its ads may play, in nanoseconds; nil where they may to their end.
    func playoutLimit(_ plan: ViewerPlan) -> Int64? {
        programme == .replaced ? plan.playoutLimitNanoseconds : interstitial?.playoutLimit?.nanosecondsHeld
    }
}
