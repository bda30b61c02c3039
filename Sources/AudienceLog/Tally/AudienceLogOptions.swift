package import Time

/// How logs are read.
package struct AudienceLogOptions: Sendable {
    /// Ten target durations of six seconds.
    package static let usualGap = Duration.seconds(60)
    package static let longestGap = Duration.seconds(3600)
    /// An event's length: milliseconds to both sides of the first request, and a gap more, are kept in 32 bits.
    static let longestDays = 23

    /// Nil: each file's format is recognised.
    package var format: LogFormat?
    /// Names of fields that the user's own logs have.
    package var fields: [(role: FieldRole, name: String)] = []
    /// Whoever asks for nothing for longer than this has left.
    package var gap = AudienceLogOptions.usualGap
    /// Requests before it are left out.
    package var from: WallTime?
    /// Requests from it on are left out.
    package var to: WallTime?
    /// Paths of what is asked for ads, besides those that are known.
    package var adPaths: [PathGlob] = []
    /// Paths of the channel's playlists and segments; empty: all are one channel's.
    package var channelPaths: [PathGlob] = []
    /// Names of parameters that are a viewer's session, besides those that are known.
    package var sessionParameters: [String] = []
    /// Paths whose last piece with a wildcard is a viewer's session.
    package var sessionPaths: [PathGlob] = []
    /// Names of cookies that are a viewer's session; empty: those with `session` in their names.
    package var sessionCookies: [String] = []
    /// Names of parameters that are no viewer's session, such as a `stream_id` that names the channel.
    package var notSessions: [String] = []
    /// Viewers held in memory are at most four fifths of this power of two, of 48 bytes each.
    package var mostPlaces = 1 << 21
    /// What everything that tells viewers apart is hashed with.
    package var salt: UInt64 = .random(in: .min ... .max)

    package init() {}
}
