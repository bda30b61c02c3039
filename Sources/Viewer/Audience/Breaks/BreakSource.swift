package import Rules

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
