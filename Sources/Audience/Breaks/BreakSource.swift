/// Where breaks come from.
///
/// A new source is a case here, and a file of its own that makes its offers.
package enum BreakSource: String, Sendable {
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
