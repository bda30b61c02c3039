package import Rules

package struct StreamFacts: Sendable {
    package var address: StreamAddress
    /// URL of the first playlist after redirects; not redacted.
    package var playlistURL: String
    /// Nil if the address is that of a media playlist.
    package var ladder: Ladder?
    package var media: MediaFacts
    package var breaks = SeenBreaks()
    /// Hosts besides the address's own, in the order in which they were seen.
    package var hosts: [SeenHost] = []
    /// Parts of the media playlist's URL that belong to one session; nil if two requests got the same URL.
    package var session: SessionTrace?
    /// Codes from the most severe, including advice.
    package var findings: [FindingCode] = []
    /// Facts that could not be found out, a sentence each.
    package var notes: [String] = []
}

package struct Ladder: Hashable, Sendable {
    package var variants: Int
    /// Audio renditions with playlists of their own.
    package var audioRenditions = 0
    package var subtitleRenditions = 0
    /// Number of content steering's pathways; 0 without content steering.
    package var pathways = 0
}

package struct MediaFacts: Hashable, Sendable {
    package var targetDuration: Duration
    /// Number in the newest version.
    package var segments = 0
    /// Total duration of the segments in the newest version.
    package var window = Duration.zero
    /// Nil if the stream has no parts.
    package var partTarget: Duration?
    package var canBlockReload = false
    package var hasDeltaUpdates = false
    package var isEvent = false
    package var hasProgramDates = false
    /// METHOD of EXT-X-KEY; nil if segments are not encrypted.
    package var encryption: String?
    package var reads = 0
    package var versions = 0
    package var failedReads = 0
    package var watched = Duration.zero
}

/// Host, other than the stream's own, that playlists refer to.
package struct SeenHost: Hashable, Sendable {
    /// As `authorisedHosts` spells it: with a port that is not the scheme's default.
    package var name: String
    /// Uses of the host, such as `segments`.
    package var places: [String]
    package var isAllowed: Bool
}
