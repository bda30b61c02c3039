import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile

final class TargetService: Sendable {
    private struct PlaylistKey: Hashable {
        /// Address of no interstitial's list, which tells services and their settings apart.
        let list: String
        let profile: ClipProfile
        let newest: UInt64
        /// Breaks commanded before.
        let commands: Int
    }

    let slots: ProxySlots
    let scripts: TargetScripts
    private let standardLead: Duration
    private let sessions: SessionRegistry
    private let channel: LiveChannel
    private let address: OriginAddress
    /// Nil unless ads in the channel carry media ids, as those that a manipulator stitches.
    private let registration: RegistrationResponse?
    private let playlists = BoundedCache<PlaylistKey, NegotiatedAnswer>(limit: 64)

    init(
        _ configuration: OriginConfiguration,
        plan: ChannelPlan,
        sessions: SessionRegistry,
        channel: LiveChannel,
        address: OriginAddress
    ) {
        slots = ProxySlots(configuration)
        scripts = TargetScripts(configuration, plan: plan, stitched: channel.playlist.stitched?.schedule)
        standardLead = configuration.standardLead
        let isVerified = plan.stitched != nil && configuration.mediaIDs == .prefixes
        registration = isVerified ? RegistrationResponse(configuration) : nil
        (self.sessions, self.channel, self.address) = (sessions, channel, address)
    }

    func answer(_ route: TargetRoute, _ exchange: Exchange, body: ByteBuffer) -> Answer {
        switch route {
        case .tailorSession(let base): return tailorSession(exchange, base: base, body: body)
        case .tailorMultivariant(let base): return tailorMultivariant(exchange, base: base)
        case .tailorMedia(let base, let profile):
            if let refusal = tailorRefusal(exchange) { return refusal }
            return tailorMedia(exchange, base: base, profile: profile)
        case .tailorTracking(let session): return tailorTracking(exchange, session: session)
        case .proxyCommand:
            guard slots.command(exchange.query, at: exchange.now) else { return .empty(.badRequest) }
            return Answer(contentType: .plain, caching: .none, body: "ok\n".utf8)
        case .proxyStatus: return Answer(contentType: .json, caching: .none, body: slots.status)
        // A list without an ID; with one the route is an interstitial's.
        case .proxyList: return .empty(.notFound)
        case .proxyMultivariant:
            return multivariant(gzip: exchange.acceptsGzip) {
                "/proxied/live/\(OriginConfiguration.channel)/\($0.rawValue)/media.m3u8"
            }
        case .proxyMedia(let profile):
            return media(exchange, profile: profile, scripts.proxy + slots.scripts) { identifier in
                "/interstitials.m3u8?\(InterstitialName.interstitialParameter)=\(identifier)"
            }
        case .templateSession: return templateSession(exchange)
        case .templateContent(let session):
            if session != nil, let refusal = sessions.refusal(of: exchange) { return refusal }
            return multivariant(gzip: exchange.acceptsGzip) { "\(folder($0))media.m3u8" }
        }
    }

    /// JSON of an explicit session.
    ///
    /// Guided ones have no tracking URL: the server reports, or asset lists contain the beacons (MediaTailor user guide,
    /// "Server-side tracking with server-guided ad insertion" and "Ad tracking with SGAI"). Others are stitched, where the
    /// channel has breaks to stitch, and their addresses repeat that.
    private func tailorSession(_ exchange: Exchange, base: String, body: ByteBuffer) -> Answer {
        let fields = RegistrationBody.fields(body, isJSON: true)
        let mode = fields?["insertionMode"] ?? exchange.query[Self.insertionParameter]
        let isStitched = mode == nil || mode == Self.stitched
        guard isStitched ? scripts.stitched != nil : mode == "GUIDED" else { return .empty(.badRequest) }
        let reporting = TailorReporting(exchange.query, body: fields)
        let session = tailorSession(exchange)
        let own = isStitched ? ["\(Self.insertionParameter)=\(Self.stitched)"] : reporting.parameters
        let query = ["\(Self.tailorSessionParameter)=\(session)"] + own
        let url = "/v1/master/\(base)/index.m3u8?\(query.joined(separator: "&"))"
        let tracking = isStitched ? #","trackingUrl":"/v1/tracking/\#(base)/\#(session)""# : ""
        let body = exchange.effects?.hidesStreamID == true ? "{}" : #"{"manifestUrl":"\#(url)"\#(tracking)}"#
        return Answer(contentType: .json, caching: .none, body: body.utf8)
    }

    /// Media playlists name the session only for an explicit one or for prefetch.
    private func tailorMultivariant(_ exchange: Exchange, base: String) -> Answer {
        var session = exchange.query[Self.tailorSessionParameter]
        if session == nil {
            guard exchange.query[Self.insertionParameter] == "GUIDED" else { return .empty(.badRequest) }
            if exchange.query["aws.guidedPrefetchMode"] == "MANIFEST" { session = tailorSession(exchange) }
        } else if let refusal = tailorRefusal(exchange) {
            return refusal
        }
        if exchange.query[Self.insertionParameter] == Self.stitched, let session {
            return multivariant(gzip: exchange.acceptsGzip) {
                "\(folder($0))media.m3u8?\(Self.tailorSessionParameter)=\(session)"
            }
        }
        let own = session.map { ["\(Self.tailorSessionParameter)=\($0)"] } ?? []
        let query = own + TailorReporting(exchange.query).parameters
        let suffix = query.isEmpty ? "" : "?\(query.joined(separator: "&"))"
        return multivariant(gzip: exchange.acceptsGzip) { "/v1/i-media/\(base)/\($0.rawValue).m3u8\(suffix)" }
    }

    private static let tailorSessionParameter = "aws.sessionId"
    private static let insertionParameter = "aws.insertionMode"
    private static let stitched = "STITCHED"
    /// MediaTailor's session ids do not have this end.
    private static let location = ":TUL"

    private func newSession(_ exchange: Exchange) -> (streamID: String, validUntil: WallTime) {
        sessions.register(for: exchange.viewerHash, isGiven: exchange.givesSession, at: exchange.now)
    }

    private func tailorSession(_ exchange: Exchange) -> String {
        let streamID = newSession(exchange).streamID
        return streamID.hasSuffix(Self.location) ? String(streamID.dropLast(Self.location.count)) : streamID
    }

    /// 400 if unknown or expired, as from MediaTailor.
    func tailorRefusal(_ exchange: Exchange, of named: String? = nil) -> Answer? {
        guard let session = named ?? exchange.query[Self.tailorSessionParameter] else { return nil }
        return sessions.noteRequest(session + Self.location, at: exchange.now) == .active ? nil : .empty(.badRequest)
    }

    /// Avails with a segment in the window; their times count from the first segment that was listed when the session began.
    private func tailorTracking(_ exchange: Exchange, session: String) -> Answer {
        if let refusal = tailorRefusal(exchange, of: session) { return refusal }
        let timeline = channel.timeline
        guard let schedule = channel.playlist.stitched?.schedule, let script = scripts.stitched,
            let newest = timeline.newestSegment(at: exchange.now),
            let began = sessions.start(of: session + Self.location).flatMap(timeline.newestSegment)
        else { return .empty(.notFound) }
        let zero = timeline.programDate(of: timeline.window(newest: began).lowerBound)
        let oldest = timeline.window(newest: newest).lowerBound
        let breaks = schedule.breaks(from: oldest, startingBefore: timeline.programDate(of: newest + 1))
        let avails = breaks.compactMap { stitched -> WrittenJSON? in
            guard stitched.end > oldest, let planned = script.schedule?.scheduled(ordinal: stitched.ordinal) else {
                return nil
            }
            let id = script.id.identifier(ordinal: planned.ordinal, start: planned.start.epochSeconds, place: 0)
            let signalling = SignallingBody(script: script, identifier: id, base: address.base)
            let date = timeline.programDate(of: stitched.first)
            let start = date.duration(since: zero) / .seconds(1)
            let ads = script.assets.indices.map { signalling.ad(place: $0, creative: "\($0)", after: start) }
            let length = script.length / .seconds(1)
            return signalling.avail("\(stitched.first)", of: ads, from: start, lasting: length, dated: date)
        }
        let body: WrittenJSON = ["avails": .list(avails), "nonLinearAvails": []]
        return Answer(contentType: .json, caching: .none, body: body.bytes)
    }

    private func templateSession(_ exchange: Exchange) -> Answer {
        let (streamID, validUntil) = newSession(exchange)
        let isNamed = exchange.effects?.hidesStreamID != true
        let own = isNamed ? #"{"session":{"id":"\#(streamID)"}"# : #"{"session":{}"#
        let more = registration?.body(
            streamID: StreamID(streamID),
            showsStreamID: false,
            validUntil: validUntil,
            base: address.base
        )
        let body = own + (more.map { "," + String(decoding: $0.dropFirst(), as: UTF8.self) } ?? "}")
        return Answer(contentType: .json, caching: .none, body: body.utf8)
    }

    /// With this service's date ranges only.
    private func tailorMedia(_ exchange: Exchange, base: String, profile: String) -> Answer {
        let reporting = TailorReporting(exchange.query)
        return media(exchange, profile: profile, scripts.tailor) { identifier in
            let query = ["\(InterstitialName.interstitialParameter)=\(identifier)"] + reporting.parameters
            return "/v1/interstitials/\(base)/\(identifier).json?\(query.joined(separator: "&"))"
        }
    }

    private func multivariant(gzip: Bool, uri: (ClipProfile) -> String) -> Answer {
        var playlist = channel.described
        let first = playlist.variants.first?.otherAttributes[Self.pathwayAttribute]
        playlist.variants = zip(channel.profiles, playlist.variants).map { profile, variant in
            var variant = variant
            variant.otherAttributes[Self.pathwayAttribute] = nil
            variant.uri = uri(profile)
            return variant
        }
        if first != nil {
            // Without steering, because only one pathway is listed.
            playlist.otherTags = []
            playlist.contentSteering = nil
            let groups = playlist.variants.flatMap { [$0.audioGroup, $0.subtitlesGroup] }
            playlist.renditions = playlist.renditions.filter { groups.contains($0.groupID) }
        }
        playlist.renditions = playlist.renditions.map { rendition in
            var rendition = rendition
            rendition.uri = rendition.uri.map { Self.absolute($0, in: "/live/\(OriginConfiguration.channel)/") }
            return rendition
        }
        let text = playlist.render()
        return NegotiatedAnswer(contentType: .playlist, caching: .none, body: text).answer(gzip: gzip)
    }

    private func folder(_ profile: ClipProfile) -> String {
        "/live/\(OriginConfiguration.channel)/\(profile.rawValue)/"
    }

    /// `list` makes an asset list's path and query from an ID.
    private func media(
        _ exchange: Exchange,
        profile name: String,
        _ scripts: [InterstitialScript],
        list: @escaping @Sendable (String) -> String
    ) -> Answer {
        guard let profile = channel.profiles.first(where: { $0.rawValue == name }),
            let newest = channel.timeline.newestSegment(at: exchange.now)
        else { return .empty(.notFound) }
        let key = PlaylistKey(list: list(""), profile: profile, newest: newest, commands: slots.commands)
        let playlist = playlists.value(key) {
            let seconds = max(1, channel.timeline.segmentSeconds / 2)
            let schedule = InterstitialSchedule(scripts: scripts, standardLead: standardLead, list: list)
            let body = text(profile, newest: newest, schedule)
            return NegotiatedAnswer(contentType: .playlist, caching: .seconds(seconds), body: body)
        }
        return playlist.answer(gzip: exchange.acceptsGzip)
    }

    /// Whole segments, absolute paths and other date ranges.
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

extension Route {
    /// The interstitial's list if the query names one.
    func resolved(_ query: FormFields) -> Route {
        guard case .target(.proxyList) = self else { return self }
        return query[InterstitialName.interstitialParameter].map { .interstitial(.list(identifier: $0)) } ?? self
    }
}

/// The plan's own, or one for each break.
struct TargetScripts: Sendable {
    let tailor: [InterstitialScript]
    /// Breaks that the channel itself carries, for their beacons.
    let stitched: InterstitialScript?
    let proxy: [InterstitialScript]

    init(_ configuration: OriginConfiguration, plan: ChannelPlan, stitched: StitchedSchedule?) {
        let layout = configuration.layout(of: configuration.breakDuration)
        func script(_ id: String) -> InterstitialScript? {
            configuration.breakSchedule.map { schedule in
                let assets = layout.ads.map { Duration.microseconds($0.microseconds) }
                return InterstitialScript(id: IdentifierTemplate(constant: id), schedule: schedule, assets: assets)
            }
        }
        // At the top of MediaTailor's media playlists.
        let id = IdentifierTemplate(constant: "aws-mediatailor-preroll-1")
        var preRoll = InterstitialScript(id: id, schedule: nil, assets: [configuration.adDuration])
        preRoll.cue = [.pre, .once]
        let own = plan.interstitials.filter { $0.delivery == .list && $0.schedule != nil }
        tailor = [preRoll] + (own.isEmpty ? [script("avail-{start}")].compactMap { $0 } : own)
        self.stitched = stitched.map {
            let id = IdentifierTemplate(constant: "stitched-{start}")
            return InterstitialScript(id: id, schedule: $0.plan.schedule, assets: $0.adSeconds().map { .seconds($0) })
        }
        var slots = script("ad_slot{n}")
        slots?.writesLikeProxy()
        proxy = [slots].compactMap { $0 }
    }

    func all(besides plan: ChannelPlan) -> [InterstitialScript] {
        let known = Set(plan.interstitials.map(\.id.text))
        let own = proxy + [stitched].compactMap(\.self)
        return plan.interstitials + tailor.filter { !known.contains($0.id.text) } + own
    }
}

extension InterstitialScript {
    /// As in sgai-ad-proxy's `insert_interstitials`.
    mutating func writesLikeProxy() {
        listReference = .absolute
        resumeOffset = length
        restrict = [.skip, .jump]
        snap = [.in]
        signalling = [.list]
        hasBareSignalling = true
    }
}
