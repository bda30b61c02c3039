package import Rulebook

/// Where breaks come from.
///
/// A new source is a case here, the plan's field that asks for it, and a feed of its own under `Viewer/Breaks/Sources`, which
/// the compiler then has `BreakFeeds` ask.
package enum BreakSource: String, Sendable {
    /// The viewer's own pods, at instants that are computed or called for: those of the wall clock.
    case schedule
    /// The viewer's own pods, announced by date ranges of the playlist.
    case dateRange = "date range"
    case interstitial
    /// An interstitial with CUE=PRE: each viewer meets it when it joins.
    case preRoll = "pre-roll"
    /// Ads that are part of the programme's own playlist.
    case stitched

    /// What becomes of the programme while one of its breaks has the playhead.
    package var programme: ProgrammeDuringBreak {
        switch self {
        case .schedule, .dateRange: .replaced
        case .interstitial, .preRoll: .paused
        case .stitched: .carriesIt
        }
    }

    /// When its breaks are met by viewers that were not told of them.
    package var meeting: BreakMeeting {
        switch self {
        case .schedule: .atInstant
        case .dateRange, .stitched: .atPlayhead
        case .interstitial: .interstitial
        case .preRoll: .individual
        }
    }

    /// Whether its breaks are pods that are asked for in the name of the viewer's session.
    package var isOwn: Bool { programme == .replaced }
}
