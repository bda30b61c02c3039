import AdServing
import HLS
import Profile
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
    /// Set by servers for playlists; `areNeeded` if one was refused without them.
    package var cookies: (names: [String], areNeeded: Bool) = ([], false)
    /// Most severe first, including advice.
    package var findings: [FindingCode] = []
    /// Facts that could not be found out, a sentence each.
    package var notes: [String] = []

    init(_ address: StreamAddress, allowed: AuthorisedHosts) { (self.address, self.allowed) = (address, allowed) }
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

    /// Features in words; empty if the stream offers none.
    var lowLatency: String {
        let parts = partTarget.map { "parts of \($0.text)" }
        return [parts, canBlockReload ? "blocking reload" : nil, hasDeltaUpdates ? "delta updates" : nil]
            .compactMap(\.self).joined(separator: ", ")
    }
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

        func kinds(list: String, asset: String) -> String {
            [lists > 0 ? list : nil, assets > 0 ? asset : nil].compactMap(\.self).joined(separator: " and ")
        }
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

    /// `dateRanges`, sorted by name.
    var classes: [(name: String, announced: Announced)] {
        dateRanges.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

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
        let (left, right) = (pieces(of: one), pieces(of: other))
        guard left.count == right.count else { return nil }
        var trace = SessionTrace()
        // The first piece is the host: another edge server is not a session.
        for index in left.indices.dropFirst() where left[index] != right[index] {
            trace.piecesAfter.append(index > 1 ? String(left[index - 1]) : "")
        }
        let values = [one, other].map { Dictionary(StreamAddress.parameters(of: $0)) { $1 } }
        trace.parameters = Set(values.flatMap(\.keys)).filter { values[0][$0] != values[1][$0] }.sorted()
        return trace.parameters.isEmpty && trace.piecesAfter.isEmpty ? nil : trace
    }

    private static func pieces(of url: String) -> [Substring] {
        let path = url.prefix { $0 != "?" }
        return path[(path.firstRange(of: "://")?.upperBound ?? path.startIndex)...].split(separator: "/")
    }
}

extension StreamFacts {
    /// Adds a version of the followed media playlist.
    mutating func take(_ playlist: MediaPlaylist, isUpdate: Bool, base: String) {
        if media.versions == 0 { media.targetDuration = .seconds(playlist.targetDurationSeconds) }
        if isUpdate { media.versions += 1 }
        media.reads += 1
        media.segments = playlist.segments.count
        media.window = .microseconds(playlist.durationMicroseconds)
        media.partTarget = playlist.partTargetMicroseconds.map { .microseconds($0) }
        media.canBlockReload = playlist.serverControl?.canBlockReload ?? false
        media.hasDeltaUpdates = playlist.serverControl?.canSkipUntilSeconds != nil
        media.isEvent = playlist.playlistType == .event
        media.hasProgramDates = playlist.endProgramDate != nil
        lookAtSegments(of: playlist, base: base)
        lookAtKeys(of: playlist, base: base)
        lookAtInterstitials(of: playlist, base: base)
        lookAtDateRanges(of: playlist)
        stitched.read(playlist)
        for found in stitched.breaks where found.dialect != .dateRanges && found.dialect != .addresses {
            let (length, hasSplice) = (found.plannedDuration, found.scte35 != nil)
            breaks.cueTags.saw(found.key, at: found.startDate, length: length, hasSplice: hasSplice)
        }
    }

    /// An EVENT playlist may list a whole day.
    private static let newestSegments = 1_000

    private mutating func lookAtSegments(of playlist: MediaPlaylist, base: String) {
        let newest = playlist.segments.suffix(Self.newestSegments)
        let places =
            newest.map(\.uri) + newest.compactMap(\.mapURI) + playlist.parts.suffix(Self.newestSegments).map(\.uri)
        var hasRelative = false
        for reference in places.map(playlist.string(in:)) {
            if reference.contains("://") || reference.hasPrefix("//") {
                saw(reference, in: base, as: "segments")
            } else {
                hasRelative = true
            }
        }
        if hasRelative { saw(base, in: base, as: "segments") }
    }

    private mutating func lookAtKeys(of playlist: MediaPlaylist, base: String) {
        playlist.forEachKey { key in
            if let method = key.method, !key.isClear { media.encryption = playlist.string(in: method) }
            if let uri = key.uri { saw(playlist.string(in: uri), in: base, as: "keys") }
        }
    }

    private mutating func lookAtInterstitials(of playlist: MediaPlaylist, base: String) {
        for interstitial in playlist.interstitials(base: base) {
            // An interstitial with CUE=PRE or POST does not play at its start date (bis-22 section 4.4.5.1).
            let cue = interstitial.cue
            let start = cue.contains(.pre) || cue.contains(.post) ? nil : interstitial.startDate
            breaks.interstitials.saw(interstitial.id, at: start, length: interstitial.announcedDuration)
            if cue.contains(.pre) { breaks.content.hasPreRoll = true }
            let isList = interstitial.content.isAssetList
            let place = isList ? "asset lists" : "assets"
            let url = saw(interstitial.content.uri, in: base, as: place)
            if url == nil, !DataURI.isOne(interstitial.content.uri) { breaks.content.isAllowed = false }
            if isList {
                breaks.content.lists = 1
                assetList = assetList ?? url
            } else {
                breaks.content.assets = 1
            }
        }
    }

    /// Assumption: a longer date range is not a break.
    private static let longestBreak = Duration.seconds(900)

    /// A date range without a splice or a plausible length is a programme or metadata.
    private mutating func lookAtDateRanges(of playlist: MediaPlaylist) {
        for range in playlist.dateRanges where range.classAttribute != Interstitial.classAttribute {
            let mayBeBreak = range.expectedDuration.map { $0 > .zero && $0 <= Self.longestBreak } ?? false
            guard range.scte35Out != nil || mayBeBreak else { continue }
            let name = range.classAttribute ?? ""
            guard breaks.dateRanges[name] != nil || breaks.dateRanges.count < 16 else { continue }
            var seen = breaks.dateRanges[name] ?? SeenBreaks.Announced()
            let (length, hasSplice) = (range.plannedDuration ?? range.expectedDuration, range.scte35Out != nil)
            seen.saw(range.id, at: range.startDate, length: length, hasSplice: hasSplice)
            breaks.dateRanges[name] = seen
        }
    }

    /// `assets` are absolute URLs.
    mutating func take(assets: [String], base: String) {
        breaks.content.assetsInList = assets.count
        for asset in assets where saw(asset, in: base, as: "assets") == nil && !DataURI.isOne(asset) {
            breaks.content.isAllowed = false
        }
    }

    /// A hostile playlist must not produce a huge profile.
    private static let mostHosts = 64

    /// `place` is the host's use, such as `segments`; returns the URL of an authorised host.
    @discardableResult
    mutating func saw(_ reference: String, in base: String, as place: String) -> String? {
        guard !DataURI.isOne(reference) else { return nil }
        guard let url = URLReference.resolve(reference, against: base), let origin = Self.origin(of: url)
        else {
            unreadableHosts += 1
            return nil
        }
        let isAllowed = allowed.permits(url: url)
        guard !isOwn(origin) else { return isAllowed ? url : nil }
        let name = Self.name(of: origin)
        if let known = hosts.firstIndex(where: { $0.name == name }) {
            if !hosts[known].places.contains(place) { hosts[known].places.append(place) }
        } else if hosts.count < Self.mostHosts {
            hosts.append(SeenHost(name: name, places: [place], isAllowed: isAllowed))
        }
        return isAllowed ? url : nil
    }

    /// Authorised without naming: the same host, on loopback also the same port.
    private func isOwn(_ origin: WebOrigin) -> Bool {
        let own = address.origin
        return origin.host == own.host && (origin.port == own.port || !origin.isLoopback)
            || origin.isLoopback && own.isLoopback && origin.port == own.port
    }

    /// As in `authorisedHosts`, with a port other than the scheme's default.
    static func name(of origin: WebOrigin) -> String {
        let usual = origin.scheme == "https" ? 443 : 80
        return origin.port == usual ? origin.host : "\(origin.host):\(origin.port)"
    }

    /// Ignores path and query.
    static func origin(of url: String) -> WebOrigin? {
        let end = url.firstRange(of: "://").map(\.upperBound) ?? url.startIndex
        return WebOrigin(of: String(url[..<end] + url[end...].prefix { !"/?#".contains($0) }))
    }
}

struct MediaEntry: Sendable {
    /// Counted from 1.
    typealias Variant = (number: Int, url: String)

    /// Assumption.
    static let mostTried = 4
    /// Limit for variants, and for renditions; no channel has this many.
    static let mostLookedAt = 1_000

    /// Never empty; distinct URLs, the default variant first.
    let variants: [Variant]
    /// Media playlists may import them.
    let variables: [String: String]

    /// Fails if no variant may be asked.
    init(_ playlist: Playlist, at base: String, _ facts: inout StreamFacts) throws(StreamFailure) {
        guard case .multivariant(let playlist) = playlist else {
            (variants, variables) = ([(1, base)], [:])
            return
        }
        var ladder = Ladder(variants: playlist.variants.count)
        let media = playlist.variants.prefix(Self.mostLookedAt).map {
            facts.saw($0.uri, in: base, as: "media playlists")
        }
        for (place, rendition) in playlist.renditions.enumerated() {
            guard let uri = rendition.uri else { continue }
            if place < Self.mostLookedAt { facts.saw(uri, in: base, as: "media playlists") }
            if rendition.type == .audio { ladder.audioRenditions += 1 }
            if rendition.type == .subtitles { ladder.subtitleRenditions += 1 }
        }
        if let steering = playlist.contentSteering {
            facts.saw(steering.serverURI, in: base, as: "content steering")
            ladder.pathways = playlist.pathways.count
        }
        for line in playlist.otherTags where line.hasPrefix("#EXT-X-SESSION-KEY:") {
            let bytes = Array(line.utf8)
            let uri = bytes.withUnsafeBytes { KeyTag($0, 0..<$0.count) }.uri
            if let uri { facts.saw(String(decoding: bytes[uri], as: UTF8.self), in: base, as: "keys") }
        }
        guard !media.isEmpty else { throw .unusable("the multivariant playlist names no variant") }
        var known: Set<String> = []
        variants = media.enumerated().compactMap { place, url -> Variant? in
            guard let url, known.insert(url).inserted else { return nil }
            return (place + 1, url)
        }
        guard !variants.isEmpty else {
            let names = facts.hosts.filter { !$0.isAllowed && $0.places.contains("media playlists") }.map(\.name)
            let options = names.map { "--allow-host \($0)" }.joined(separator: " ")
            throw .unusable(
                names.isEmpty
                    ? "the multivariant playlist names media playlists at addresses that cannot be asked"
                    : "the media playlists are on \(names.joined(separator: ", ")), which was not asked; "
                        + "if you answer for it too, say \(options)"
            )
        }
        facts.ladder = ladder
        variables = playlist.variables(url: base)
    }
}
