package import AdServing
package import Time

/// Options of a reading of logs.
package struct AudienceLogOptions: Sendable {
    package static let longestGap = Duration.seconds(3600)
    /// An event's length: milliseconds to both sides of the first request, and a gap more, are kept in 32 bits.
    static let longestDays = 23

    /// Nil recognises each file's format.
    package var format: LogFormat?
    /// Names of fields in the user's own logs.
    package var fields: [(role: FieldRole, name: String)] = []
    /// A viewer that asks for nothing for longer has left; ten target durations of six seconds.
    package var gap = Duration.seconds(60)
    /// Requests before it are left out.
    package var from: WallTime?
    /// Requests from it on are left out.
    package var to: WallTime?
    /// Paths of requests for ads, besides those that are known.
    package var adPaths: [PathPattern] = []
    /// Paths of the channel's playlists and segments; empty: all are one channel's.
    package var channelPaths: [PathPattern] = []
    /// Names of parameters that are a viewer's session, besides those that are known.
    package var sessionParameters: [String] = []
    /// Paths whose last piece with a wildcard is a viewer's session.
    package var sessionPaths: [PathPattern] = []
    /// Names of cookies that are a viewer's session; empty: those with `session` in their names.
    package var sessionCookies: [String] = []
    /// Names of parameters that are no viewer's session, such as a `stream_id` that names the channel.
    package var notSessions: [String] = []
    /// The persona of players in pages.
    package var browserPlayer = "hlsjs"
    /// Viewers held in memory, of 48 bytes each: as many as a table of 2^21 places has room for.
    package var mostViewers = 1_500_000

    package init() {}
}
