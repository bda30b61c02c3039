import HLS
package import Rules
import Swarm
import Transport
package import Values

/// Facts of a stream, as far as they are known.
package struct StreamFacts: Sendable {
    package let address: StreamAddress
    let allowed: AuthorisedHosts
    /// Nil for a media playlist.
    package var ladder: Ladder?
    package var media = MediaFacts()
    package var breaks = SeenBreaks()
    /// Besides the address's own, in the order of sight.
    package var hosts: [SeenHost] = []
    /// Absolute URLs with other schemes, or with hosts that a profile cannot name.
    var unreadableHosts = 0
    /// First list that may be asked.
    var assetList: String?
    var stitched = StitchedBreaks()
    /// Nil if two requests got the same URL.
    package var session: SessionTrace?
    package var cookies = SeenCookies()
    /// Most severe first, including advice.
    package var findings: [FindingCode] = []
    /// Facts that could not be found out, a sentence each.
    package var notes: [String] = []

    init(_ address: StreamAddress, allowed: AuthorisedHosts) { (self.address, self.allowed) = (address, allowed) }
}

/// Cookies that servers set for playlists.
package struct SeenCookies: Hashable, Sendable {
    package var names: [String] = []
    /// A playlist was refused without them.
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
    /// With playlists of their own.
    package var audioRenditions = 0
    package var subtitleRenditions = 0
    /// 0 without content steering.
    package var pathways = 0
}

package struct MediaFacts: Hashable, Sendable {
    /// In the first version.
    package var targetDuration = Duration.zero
    /// In the newest version.
    package var segments = 0
    /// Total duration in the newest version.
    package var window = Duration.zero
    /// Nil without parts.
    package var partTarget: Duration?
    package var canBlockReload = false
    package var hasDeltaUpdates = false
    package var isEvent = false
    package var hasProgramDates = false
    /// METHOD of EXT-X-KEY; nil without encryption.
    package var encryption: String?
    package var reads = 0
    package var versions = 0
    package var failedReads = 0
    package var watched = Duration.zero
}

/// Host, other than the stream's own, that playlists refer to.
package struct SeenHost: Hashable, Sendable {
    /// As in `authorisedHosts`.
    package var name: String
    /// Uses, such as `segments`.
    package var places: [String]
    package var isAllowed: Bool
}

/// Breaks that a live playlist announced while it was followed, by the kind of announcement.
package struct SeenBreaks: Hashable, Sendable {
    /// Apple's interstitial class.
    package var interstitials = Announced()
    /// Other classes with SCTE35-OUT or a duration, by CLASS; the empty key is for no class.
    package var dateRanges: [String: Announced] = [:]
    /// Any dialect.
    package var cueTags = Announced()
    package var content = Content()

    /// X-ASSET-URI and X-ASSET-LIST.
    package struct Content: Hashable, Sendable {
        package var assets = 0
        package var lists = 0
        /// In the list that was read; nil without one.
        package var assetsInList: Int?
        /// CUE=PRE.
        package var hasPreRoll = false
        /// On authorised hosts.
        package var isAllowed = true
    }

    package struct Announced: Hashable, Sendable {
        /// No window has this many.
        static let most = 1_000

        /// Keyed by id; the date stands for a missing id.
        private var starts: [String: WallTime?] = [:]
        private var lengths: [String: Duration] = [:]
        /// SCTE 35.
        package private(set) var hasSplices = false

        package var count: Int { starts.count }

        /// Once for each id; a later length replaces the earlier one.
        package mutating func saw(_ id: String, at start: WallTime?, length: Duration?, hasSplice: Bool = false) {
            guard starts[id] != nil || starts.count < Self.most else { return }
            starts[id] = .some(start)
            if let length, length > .zero { lengths[id] = length }
            hasSplices = hasSplices || hasSplice
        }

        /// Median (the lower of two middle values); nil before two starts are known.
        package var cadence: Duration? {
            let dates = Set(starts.values.compactMap(\.self)).sorted()
            return Self.median(zip(dates, dates.dropFirst()).map { $1.duration(since: $0) })
        }

        package var firstStart: WallTime? { starts.values.compactMap(\.self).min() }

        /// Median; nil without lengths.
        package var usualLength: Duration? { Self.median(Array(lengths.values)) }

        private static func median(_ values: [Duration]) -> Duration? {
            values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
        }
    }

    package var isEmpty: Bool { interstitials.count == 0 && dateRanges.isEmpty && cueTags.count == 0 }

    package var hasCadence: Bool { ([interstitials, cueTags] + dateRanges.values).contains { $0.cadence != nil } }

    /// Prefers splices, then frequency; ignores classes that a profile cannot hold or `mayTell` rejects.
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

/// Parts of a playlist's URL that differ between two requests.
package struct SessionTrace: Hashable, Sendable {
    package var parameters: [String] = []
    /// Each differing piece is named by the piece before it.
    package var piecesAfter: [String] = []

    /// Nil if the URLs are equal or differ in length of path.
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
