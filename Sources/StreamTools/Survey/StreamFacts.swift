package import Rulebook

/// What was seen of a stream.
package struct StreamFacts: Sendable {
    package var address: StreamAddress
    /// Where the first playlist was read in the end, after redirects; not redacted.
    package var playlistURL: String
    /// Nil where the address is that of a media playlist.
    package var ladder: Ladder?
    package var media: MediaFacts
    package var breaks = SeenBreaks()
    /// Hosts by where they turned up, in the order in which they did, without the address's own.
    package var hosts: [SeenHost] = []
    /// What in the address of the media playlist is one request's own; nil where two requests were given the same.
    package var session: SessionTrace?
    /// Findings in the answers, the gravest first; advice among them.
    package var findings: [FindingCode] = []
    /// What could not be seen, each in a sentence.
    package var notes: [String] = []
}

/// What a multivariant playlist offers.
package struct Ladder: Hashable, Sendable {
    package var variants: Int
    /// With playlists of their own.
    package var audioRenditions = 0
    package var subtitleRenditions = 0
    /// Of content steering; 0 where nobody steers.
    package var pathways = 0
}

/// What a live media playlist is like.
package struct MediaFacts: Hashable, Sendable {
    package var targetDuration: Duration
    /// Of the newest version.
    package var segments = 0
    /// Sum of the segments of the newest version.
    package var window = Duration.zero
    /// Nil where the stream is not a low-latency one.
    package var partTarget: Duration?
    package var canBlockReload = false
    package var hasDeltaUpdates = false
    /// EXT-X-PLAYLIST-TYPE:EVENT.
    package var isEvent = false
    package var hasProgramDates = false
    /// METHOD of EXT-X-KEY, where segments are encrypted.
    package var encryption: String?
    /// How often it was read, and how often that brought something new.
    package var reads = 0
    package var versions = 0
    package var failedReads = 0
    package var watched = Duration.zero
}

/// A host that turned up beside that of the stream's address.
package struct SeenHost: Hashable, Sendable {
    /// As `authorisedHosts` names it: the host, and the port where it is not its scheme's.
    package var name: String
    /// What was seen there, such as `segments`.
    package var places: [String]
    /// Whether it may be asked.
    package var isAllowed: Bool
}
