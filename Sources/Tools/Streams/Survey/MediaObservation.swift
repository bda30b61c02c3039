import HLS
import Profile
import Rules
import Values

/// Facts accumulated over the versions of one media playlist.
struct MediaObservation: Sendable {
    private(set) var facts: MediaFacts
    private(set) var breaks = SeenBreaks()
    /// First asset list seen that may be asked.
    private(set) var assetList: String?
    private var stitched = StitchedBreaks()

    init(_ playlist: MediaPlaylist, base: String, hosts: inout HostList) {
        facts = MediaFacts(targetDuration: .seconds(playlist.targetDurationSeconds))
        look(at: playlist, base: base, hosts: &hosts)
        facts.versions = 1
    }

    mutating func take(_ playlist: MediaPlaylist, isUpdate: Bool, base: String, hosts: inout HostList) {
        look(at: playlist, base: base, hosts: &hosts)
        if isUpdate { facts.versions += 1 }
    }

    mutating func missed() {
        facts.reads += 1
        facts.failedReads += 1
    }

    mutating func watched(_ nanoseconds: Int64) {
        facts.watched = .nanoseconds(nanoseconds)
    }

    private mutating func look(at playlist: MediaPlaylist, base: String, hosts: inout HostList) {
        facts.reads += 1
        facts.segments = playlist.segments.count
        facts.window = .microseconds(playlist.durationMicroseconds)
        facts.partTarget = playlist.partTargetMicroseconds.map { .microseconds($0) }
        facts.canBlockReload = playlist.serverControl?.canBlockReload ?? false
        facts.hasDeltaUpdates = playlist.serverControl?.canSkipUntilSeconds != nil
        facts.isEvent = playlist.playlistType == .event
        facts.hasProgramDates = playlist.endProgramDate != nil
        lookAtSegments(of: playlist, base: base, hosts: &hosts)
        lookAtKeys(of: playlist, base: base, hosts: &hosts)
        lookAtInterstitials(of: playlist, base: base, hosts: &hosts)
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

    /// Limit on the segments looked at; an EVENT playlist may list a whole day.
    private static let newestSegments = 1_000

    private mutating func lookAtSegments(of playlist: MediaPlaylist, base: String, hosts: inout HostList) {
        let newest = playlist.segments.suffix(Self.newestSegments)
        let places =
            newest.map(\.uri) + newest.compactMap(\.mapURI) + playlist.parts.suffix(Self.newestSegments).map(\.uri)
        var hasRelative = false
        for reference in places.map(playlist.string(in:)) {
            if reference.contains("://") || reference.hasPrefix("//") {
                hosts.saw(reference, in: base, as: "segments")
            } else {
                hasRelative = true
            }
        }
        if hasRelative { hosts.saw(base, in: base, as: "segments") }
    }

    private mutating func lookAtKeys(of playlist: MediaPlaylist, base: String, hosts: inout HostList) {
        for tag in playlist.otherTags {
            let line = playlist.string(in: tag.line)
            guard line.hasPrefix("#EXT-X-KEY:") else { continue }
            let key = KeyTag(ArraySlice(line.utf8))
            if let method = key.method, method != "NONE" { facts.encryption = method }
            if let uri = key.uri { hosts.saw(uri, in: base, as: "keys") }
        }
    }

    private mutating func lookAtInterstitials(of playlist: MediaPlaylist, base: String, hosts: inout HostList) {
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
            let url = hosts.saw(interstitial.content.uri, in: base, as: place)
            if url == nil, !DataURI.isOne(interstitial.content.uri) { breaks.content.isAllowed = false }
            if isList {
                breaks.content.lists = 1
                assetList = assetList ?? url
            } else {
                breaks.content.assets = 1
            }
        }
    }

    /// Limit above which a date range is not a break; an assumption.
    private static let longestBreak = Duration.seconds(900)

    /// Records breaks; a date range without a splice or a plausible length is a programme or metadata.
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

    /// Records an asset list's assets (absolute URLs) and their hosts.
    mutating func take(assets: [String], base: String, hosts: inout HostList) {
        breaks.content.assetsInList = assets.count
        for asset in assets where hosts.saw(asset, in: base, as: "assets") == nil && !DataURI.isOne(asset) {
            breaks.content.isAllowed = false
        }
    }
}
