import AdServing
import HLS
import Profile
import Rules
import Transport
import Values

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
            breaks.cueTags.saw(
                found.key,
                at: found.startDate,
                length: found.plannedDuration,
                hasSplice: found.scte35 != nil
            )
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
            let isDated = !interstitial.cue.contains(.pre) && !interstitial.cue.contains(.post)
            breaks.interstitials.saw(
                interstitial.id,
                at: isDated ? interstitial.startDate : nil,
                length: interstitial.announcedDuration
            )
            if interstitial.cue.contains(.pre) { breaks.content.hasPreRoll = true }
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
            breaks.dateRanges[name, default: SeenBreaks.Announced()].saw(
                range.id,
                at: range.startDate,
                length: range.plannedDuration ?? range.expectedDuration,
                hasSplice: range.scte35Out != nil
            )
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
    struct Variant: Sendable {
        /// Counted from 1.
        var number: Int
        var url: String
    }

    /// Assumption.
    static let mostTried = 4
    /// Limit for variants, and for renditions; no channel has this many.
    static let mostLookedAt = 1_000

    /// Never empty; distinct URLs, the default variant first.
    let variants: [Variant]
    /// Media playlists may import them.
    let variables: [String: String]

    /// Fails if no variant may be asked.
    init(_ reading: SurveyRun.Reading, _ facts: inout StreamFacts) throws(StreamFailure) {
        guard case .multivariant(let playlist) = reading.playlist else {
            (variants, variables) = ([Variant(number: 1, url: reading.url)], [:])
            return
        }
        var ladder = Ladder(variants: playlist.variants.count)
        let media = playlist.variants.prefix(Self.mostLookedAt).map {
            facts.saw($0.uri, in: reading.url, as: "media playlists")
        }
        for (place, rendition) in playlist.renditions.enumerated() {
            guard let uri = rendition.uri else { continue }
            if place < Self.mostLookedAt { facts.saw(uri, in: reading.url, as: "media playlists") }
            if rendition.type == .audio { ladder.audioRenditions += 1 }
            if rendition.type == .subtitles { ladder.subtitleRenditions += 1 }
        }
        if let steering = playlist.contentSteering {
            facts.saw(steering.serverURI, in: reading.url, as: "content steering")
            ladder.pathways = playlist.pathways.count
        }
        for line in playlist.otherTags where line.hasPrefix("#EXT-X-SESSION-KEY:") {
            let bytes = Array(line.utf8)
            let uri = bytes.withUnsafeBytes { KeyTag($0, 0..<$0.count) }.uri
            if let uri { facts.saw(String(decoding: bytes[uri], as: UTF8.self), in: reading.url, as: "keys") }
        }
        guard !media.isEmpty else { throw StreamFailure(.unusable, "the multivariant playlist names no variant") }
        var known: Set<String> = []
        variants = media.enumerated().compactMap { place, url in
            url.flatMap { known.insert($0).inserted ? Variant(number: place + 1, url: $0) : nil }
        }
        guard !variants.isEmpty else {
            let names = facts.hosts.filter { !$0.isAllowed && $0.places.contains("media playlists") }.map(\.name)
            let options = names.map { "--allow-host \($0)" }.joined(separator: " ")
            throw StreamFailure(
                .unusable,
                names.isEmpty
                    ? "the multivariant playlist names media playlists at addresses that cannot be asked"
                    : "the media playlists are on \(names.joined(separator: ", ")), which was not asked; "
                        + "if you answer for it too, say \(options)"
            )
        }
        facts.ladder = ladder
        variables = (try? VariableScope.exported(by: playlist, url: reading.url)) ?? [:]
    }
}
