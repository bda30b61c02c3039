package import Rules
import Swarm
package import Values

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
    package var cookies = SeenCookies()
    /// Codes from the most severe, including advice.
    package var findings: [FindingCode] = []
    /// Facts that could not be found out, a sentence each.
    package var notes: [String] = []
}

/// Cookies that servers set for playlists.
package struct SeenCookies: Hashable, Sendable {
    package var names: [String] = []
    /// Whether a playlist was refused without them.
    package var areNeeded = false

    package init() {}

    init(_ answers: [StreamAnswer]) {
        let fields = answers.compactMap(\.fields)
        names = Set(fields.flatMap(\.cookies)).sorted()
        areNeeded = fields.contains(where: \.neededCookies)
    }
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

/// Breaks that a live playlist announced while it was followed, by the kind of announcement.
package struct SeenBreaks: Hashable, Sendable {
    /// Date ranges of Apple's interstitial class.
    package var interstitials = Announced()
    /// Date ranges of other classes with SCTE35-OUT or a duration, by CLASS; the empty key for those without a class.
    package var dateRanges: [String: Announced] = [:]
    /// Breaks marked by cue tags of any dialect.
    package var cueTags = Announced()
    package var content = Content()

    /// Content that X-ASSET-URI and X-ASSET-LIST of interstitials name.
    package struct Content: Hashable, Sendable {
        package var assets = 0
        package var lists = 0
        /// Number of assets in the list that the survey read; nil if none was read.
        package var assetsInList: Int?
        /// Whether an interstitial plays when a viewer joins (CUE=PRE).
        package var hasPreRoll = false
        /// Whether all content is on authorised hosts.
        package var isAllowed = true
    }

    package struct Announced: Hashable, Sendable {
        /// Limit on breaks; no window has this many.
        static let most = 1_000

        /// Starts by id; the date stands for a missing id.
        private var starts: [String: WallTime?] = [:]
        private var lengths: [String: Duration] = [:]
        /// Whether any break has a splice (SCTE 35).
        package private(set) var hasSplices = false

        package var count: Int { starts.count }

        /// Records a break, once for each id; a length that becomes known later replaces the earlier one.
        package mutating func saw(_ id: String, at start: WallTime?, length: Duration?, hasSplice: Bool = false) {
            guard starts[id] != nil || starts.count < Self.most else { return }
            starts[id] = .some(start)
            if let length, length > .zero { lengths[id] = length }
            hasSplices = hasSplices || hasSplice
        }

        /// Median time between starts (the lower of two middle values); nil before two starts are known.
        package var cadence: Duration? {
            let dates = Set(starts.values.compactMap(\.self)).sorted()
            return Self.median(zip(dates, dates.dropFirst()).map { $1.duration(since: $0) })
        }

        package var firstStart: WallTime? { starts.values.compactMap(\.self).min() }

        /// Median planned length; nil if no length is known.
        package var usualLength: Duration? { Self.median(Array(lengths.values)) }

        private static func median(_ values: [Duration]) -> Duration? {
            values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
        }
    }

    package var isEmpty: Bool { interstitials.count == 0 && dateRanges.isEmpty && cueTags.count == 0 }

    package var hasCadence: Bool {
        ([interstitials, cueTags] + dateRanges.values).contains { $0.cadence != nil }
    }

    /// Class whose date ranges are most likely breaks: one with splices first, then the most frequent.
    ///
    /// Classes that a field of a profile cannot hold, or that `mayTell` rejects, are ignored.
    package func likelyClass(_ mayTell: (String) -> Bool) -> (name: String, announced: Announced)? {
        dateRanges.filter { Self.isTellable($0.key) && mayTell($0.key) }.max { left, right in
            (left.value.hasSplices ? 1 : 0, left.value.count, right.key)
                < (right.value.hasSplices ? 1 : 0, right.value.count, left.key)
        }.map { ($0.key, $0.value) }
    }

    private static func isTellable(_ name: String) -> Bool {
        name.utf8.count <= 4_096 && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}

/// Parts of a playlist's URL that differ between two requests, and so belong to one session.
package struct SessionTrace: Hashable, Sendable {
    package var parameters: [String] = []
    /// Path pieces that differ, each named by the piece before it.
    package var piecesAfter: [String] = []

    /// Compares the absolute URLs that two requests got for one playlist; nil if they are equal or differ in length of path.
    package static func between(_ one: String, _ other: String) -> SessionTrace? {
        guard one != other else { return nil }
        let (left, right) = (Parts(one), Parts(other))
        var trace = SessionTrace()
        guard left.pieces.count == right.pieces.count else { return nil }
        for (index, pair) in zip(left.pieces, right.pieces).enumerated() where pair.0 != pair.1 {
            // The first piece is the host: another edge server is not a session.
            guard index > 0 else { continue }
            trace.piecesAfter.append(index > 1 ? String(left.pieces[index - 1]) : "")
        }
        let names = Set(left.values.keys).union(right.values.keys)
        trace.parameters = names.filter { left.values[$0] != right.values[$0] }.sorted()
        return trace.parameters.isEmpty && trace.piecesAfter.isEmpty ? nil : trace
    }

    private struct Parts {
        var pieces: [Substring]
        var values: [String: Substring] = [:]

        init(_ url: String) {
            let mark = url.firstIndex(of: "?") ?? url.endIndex
            let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
            pieces = url[min(start, mark)..<mark].split(separator: "/")
            for pair in url[mark...].dropFirst().split(separator: "&") {
                let name = pair.prefix { $0 != "=" }
                values[String(name)] = pair[name.endIndex...]
            }
        }
    }
}
