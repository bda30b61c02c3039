/// The moment at which viewers without an announcement would have reached a break.
package enum BreakMeeting: String, Codable, Sendable {
    /// One instant of the wall clock: breaks that are computed or called for.
    case atInstant = "instant"
    /// The playhead's arrival: breaks of the channel.
    case atPlayhead = "playhead"
    /// The playhead's arrival, for players that play interstitials.
    case interstitial
    /// An instant of the viewer's own, so that one viewer's break says nothing about another's.
    case individual
}
