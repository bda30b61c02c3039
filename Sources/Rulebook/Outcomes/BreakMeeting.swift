/// When a break is met by viewers that were not told of it.
package enum BreakMeeting: String, Codable, Sendable {
    /// At one instant of the wall clock: breaks that are computed or called for.
    case atInstant = "instant"
    /// When the playhead reaches it: breaks of the channel.
    case atPlayhead = "playhead"
    /// When the playhead reaches it, for players that play interstitials.
    case interstitial
    /// At an instant of the viewer's own, so that one viewer's break says nothing of another's.
    case individual
}
