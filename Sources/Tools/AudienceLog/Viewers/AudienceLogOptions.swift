package import AdServing
package import Values

package struct AudienceLogOptions: Sendable {
    package static let longestGap = Duration.seconds(3600)
    /// Limit on an event's length: milliseconds on both sides of the first request, plus a gap, must fit in 32 bits.
    static let longestDays = 23

    /// Nil: recognised for each file.
    package var format: LogFormat?
    package var fields: [(role: FieldRole, name: String)] = []
    /// A viewer without requests for longer has left; ten target durations of six seconds.
    package var gap = Duration.seconds(60)
    /// Earlier requests are ignored.
    package var from: WallTime?
    /// Requests from this instant on are ignored.
    package var to: WallTime?
    /// Additional paths of requests for ads.
    package var adPaths: [PathPattern] = []
    /// Paths of the channel's playlists and segments; empty: all belong to one channel.
    package var channelPaths: [PathPattern] = []
    /// Additional names of parameters that hold a viewer's session.
    package var sessionParameters: [String] = []
    /// Paths whose last piece with a wildcard is a viewer's session.
    package var sessionPaths: [PathPattern] = []
    /// Names of session cookies; empty: all with `session` in their names.
    package var sessionCookies: [String] = []
    /// Names of parameters that hold no viewer's session, such as a `stream_id` that names the channel.
    package var notSessions: [String] = []
    /// Persona of players in pages.
    package var browserPlayer = "hlsjs"
    /// Limit on viewers in memory, of 48 bytes each: the capacity of a table with 2^21 slots.
    package var mostViewers = 1_500_000

    package init() {}
}
