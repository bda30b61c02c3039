import HLS
import HTTPTypes
import NIOCore

final class TargetShapes: Sendable {
    private enum Service: Hashable {
        case tailor(base: String, TailorReporting)
        case proxy
    }

    private struct PlaylistKey: Hashable {
        let service: Service
        let profile: ClipProfile
        let newest: UInt64
        /// Number of breaks commanded before.
        let commands: Int
    }

    private let channel: LiveChannel
    private let channelName: String
    private let scripts: TargetScripts
    private let standardLead: Duration
    private let slots: ProxySlots
    private let address: OriginAddress
    private let playlists = BoundedCache<PlaylistKey, NegotiatedAnswer>(limit: 64)

    init(
        _ configuration: OriginConfiguration,
        scripts: TargetScripts,
        slots: ProxySlots,
        channel: LiveChannel,
        address: OriginAddress
    ) {
        self.channel = channel
        self.scripts = scripts
        self.slots = slots
        self.address = address
        channelName = configuration.channel
        standardLead = configuration.standardLead
    }

    /// A media playlist of guided insertion: the channel's, with this service's date ranges only.
    func tailorMedia(
        base: String,
        profile: String,
        _ reporting: TailorReporting,
        at now: WallTime,
        gzip: Bool
    ) -> Answer {
        let list: @Sendable (String) -> String = { identifier in
            let query = ["\(InterstitialName.interstitialParameter)=\(identifier)"] + reporting.parameters
            return "/v1/interstitials/\(base)/\(identifier).json?\(query.joined(separator: "&"))"
        }
        let schedule = InterstitialSchedule(scripts.tailor, standardLead: standardLead, list: list)
        return media(.tailor(base: base, reporting), profile: profile, schedule, at: now, gzip: gzip)
    }

    func proxyMedia(profile: String, at now: WallTime, gzip: Bool) -> Answer {
        let list: @Sendable (String) -> String = { identifier in
            "/interstitials.m3u8?\(InterstitialName.interstitialParameter)=\(identifier)"
        }
        let all = scripts.proxy + slots.scripts
        return media(
            .proxy,
            profile: profile,
            InterstitialSchedule(all, standardLead: standardLead, list: list),
            at: now,
            gzip: gzip
        )
    }

    /// The channel's multivariant playlist with other addresses of its media playlists.
    func multivariant(gzip: Bool, uri: (ClipProfile) -> String) -> Answer {
        var playlist = channel.described
        let first = playlist.variants.first?.otherAttributes[Self.pathwayAttribute]
        playlist.variants = zip(channel.profiles, playlist.variants).map { profile, variant in
            var variant = variant
            variant.otherAttributes[Self.pathwayAttribute] = nil
            variant.uri = uri(profile)
            return variant
        }
        if first != nil {
            // Only one pathway is listed, so that steering is left out.
            playlist.otherTags = []
            playlist.contentSteering = nil
            let groups = playlist.variants.flatMap { [$0.audioGroup, $0.subtitlesGroup] }
            playlist.renditions = playlist.renditions.filter { groups.contains($0.groupID) }
        }
        playlist.renditions = playlist.renditions.map { rendition in
            var rendition = rendition
            rendition.uri = rendition.uri.map { Self.absolute($0, in: "/live/\(channelName)/") }
            return rendition
        }
        let text = playlist.render()
        return NegotiatedAnswer(contentType: .playlist, caching: .none, body: text).answer(gzip: gzip)
    }

    func ownMedia(_ profile: ClipProfile) -> String { "\(folder(profile))media.m3u8" }

    private func folder(_ profile: ClipProfile) -> String { "/live/\(channelName)/\(profile.rawValue)/" }

    private func media(
        _ service: Service,
        profile name: String,
        _ schedule: InterstitialSchedule,
        at now: WallTime,
        gzip: Bool
    ) -> Answer {
        guard let profile = channel.profiles.first(where: { $0.rawValue == name }),
            let newest = channel.timeline.newestSegment(at: now)
        else { return .empty(.notFound) }
        let key = PlaylistKey(service: service, profile: profile, newest: newest, commands: slots.commands)
        let playlist = playlists.value(key) {
            let seconds = max(1, channel.timeline.segmentSeconds / 2)
            let body = text(profile, newest: newest, schedule)
            return NegotiatedAnswer(contentType: .playlist, caching: .seconds(seconds), body: body)
        }
        return playlist.answer(gzip: gzip)
    }

    /// The channel's own playlist with whole segments, absolute paths and other date ranges.
    private func text(_ profile: ClipProfile, newest: UInt64, _ schedule: InterstitialSchedule) -> [UInt8] {
        let version = PlaylistVersion(edge: LiveEdge(newest: newest), rendition: .variant(profile))
        var writer = channel.playlist.described(version)
        let window = channel.timeline.window(newest: newest)
        writer.dateRanges = schedule.dateRanges(
            from: channel.timeline.programDate(of: window.lowerBound),
            edge: channel.timeline.programDate(of: newest + 1),
            base: address.base
        )
        let folder = folder(profile)
        writer.segments = writer.segments.map { segment in
            var segment = segment
            segment.uri = Self.absolute(segment.uri, in: folder)
            if let map = segment.map?.uri { segment.map?.uri = Self.absolute(map, in: folder) }
            segment.parts = []
            return segment
        }
        writer.serverControl = nil
        writer.partTargetMicroseconds = nil
        writer.trailingParts = []
        writer.preloadHints = []
        writer.renditionReports = []
        return writer.render()
    }

    private static let pathwayAttribute = "PATHWAY-ID"

    private static func absolute(_ uri: String, in folder: String) -> String {
        uri.hasPrefix("/") || uri.contains("://") ? uri : folder + uri
    }
}
