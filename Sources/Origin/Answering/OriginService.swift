import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
package import Values

package final class OriginService: Sendable {
    package let configuration: OriginConfiguration
    let clock: WallClock
    let faults: FaultChooser
    /// A planned fault adds invalid framing fields, which must be sent unchanged.
    package var misframesAnswers: Bool {
        let kinds = [FaultKind.lengthAndChunks.name, FaultKind.silentClose.name]
        return faults.plan.faults.contains { kinds.contains($0.kind.name) }
    }
    let channelPlan: ChannelPlan
    let ledger: TruthLedger
    let sessions: SessionRegistry
    let address: OriginAddress
    let channel: LiveChannel
    let interstitials: InterstitialService
    let stitched: StitchedMedia?
    private let targets: TargetService
    let pods: PodService
    let metadata: MetadataService
    let dates = BoundedCache<Int64, String>(limit: 1)
    let told: ToldBook
    let steering: SteeringService?
    private let routes: RouteTable
    private let zone: BreakZone?
    private let registration: RegistrationResponse
    private let token: TokenCheck?
    private let rewriter: AddressRewriter

    init(
        _ configuration: OriginConfiguration,
        plan: FaultPlan,
        channelPlan: ChannelPlan = .usual,
        clips: ClipLibrary,
        started: WallTime
    ) throws {
        self.configuration = configuration
        clock = WallClock(aheadOfMonotonic: configuration.wallClockAhead)
        self.channelPlan = channelPlan
        ledger = TruthLedger(faultNames: plan.faults.map(\.kind.name), started: started)
        sessions = SessionRegistry(seed: configuration.seed, validity: configuration.sessionValidity)
        address = OriginAddress(configuration)
        channel = try LiveChannel(configuration, plan: channelPlan, address: address, clips: clips)
        pods = PodService(configuration, clips: clips)
        let channel = channel
        stitched = try channel.playlist.stitched.map {
            try StitchedMedia($0.schedule, configuration, channel: channel, clips: clips)
        }
        targets = TargetService(
            configuration,
            plan: channelPlan,
            sessions: sessions,
            channel: channel,
            address: address
        )
        interstitials = InterstitialService(
            configuration,
            targets.scripts.all(besides: channelPlan),
            slots: targets.slots,
            pods: pods
        )
        metadata = MetadataService(pods: pods)
        steering = channelPlan.steering.map { SteeringService(plan: $0, seed: configuration.seed) }
        routes = RouteTable(
            configuration,
            renditions: channel.playlist.renditions,
            isSteered: channelPlan.steering != nil
        )
        zone = BreakZone(configuration, started: started)
        faults = FaultChooser(
            plan: plan,
            ledger: ledger,
            sessions: sessions,
            interstitials: interstitials,
            stitched: stitched?.schedule,
            zone: zone,
            started: started,
            targetDuration: channel.targetDuration
        )
        registration = RegistrationResponse(configuration)
        token = configuration.session.authTokenKey.map(TokenCheck.init)
        rewriter = AddressRewriter(configuration: configuration, sessions: sessions)
        told = ToldBook(configuration)
    }

    /// True for the first request on its connection.
    func arrived(
        _ head: HTTPRequest,
        connection: ObjectIdentifier,
        at now: WallTime
    ) -> (exchange: Exchange, isFirstOnConnection: Bool) {
        let asked = OwnRedirect.read(head.path ?? "/")
        let target = asked.target
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let path = String(target[..<mark])
        let query = FormFields(Substring(target.utf8[mark...].dropFirst()))
        let own = OwnPath(path)
        let isServed = own.pathway.map { steering?.plan.pathways.contains($0) ?? false } ?? true
        let route = isServed ? routes.route(own.rest).resolved(query) : .unknown
        let streamID = route.streamID ?? query[WireName.streamIDParameter] ?? query[Self.templateSessionParameter]
        let isRedirected = asked.isRedirected || route == .multivariant && isOtherEdge(head.authority)
        let number = head.headerFields.first { $0.name == .viewerNumber }.flatMap { UInt64($0.value) }
        let viewer = number.map(ViewerIdentity.number) ?? streamID.map { .session(SeededHash.viewer($0)) }
        let kind = kind(of: route, head.method, query)
        let isFirst = kind.map { ledger.received($0, connection: connection, viewer: viewer, redirected: isRedirected) }
        let accepted = head.headerFields[.acceptEncoding]
        var exchange = Exchange(
            now: now,
            route: route,
            kind: kind,
            target: target,
            query: query,
            streamID: streamID,
            acceptsGzip: accepted?.utf8.containsGzip ?? false,
            method: head.method,
            authority: head.authority,
            viewerHash: number ?? (streamID ?? query[InterstitialName.primaryParameter]).map(SeededHash.viewer) ?? 0
        )
        (exchange.onward, exchange.origin) = (asked.onward, head.headerFields[.origin])
        exchange.requestedNames = head.headerFields[.accessControlRequestHeaders]
        if kind != nil, kind != .preflight, let number {
            exchange.cookie = told.came(head.headerFields, from: number)
            exchange.viewerNumber = number
        }
        let targetDuration = channel.targetDuration
        exchange.edge = faults.plan.edge(viewer: exchange.viewerHash, at: now, targetDuration: targetDuration)
        if case .livePlaylist = route, !query.pairs.isEmpty {
            exchange.directives = PlaylistDirectives.read(
                query,
                offered: channelPlan.lowLatency,
                parts: channel.timeline.partsPerSegment
            )
        }
        if let asked = exchange.directives, asked != PlaylistDirectives.none, !query.isInOrder {
            ledger.count(\.outOfOrder)
        }
        if isServed, let pathway = own.pathway { ledger.pathway(pathway) }
        // A redirect's target was counted, and given its faults, with the redirect.
        if !isRedirected {
            notePod(&exchange)
            faults.choose(for: &exchange)
        }
        return (exchange, isFirst ?? false)
    }

    func answer(_ exchange: Exchange, body: ByteBuffer, isJSON: Bool) -> Answer {
        guard rewriter.rewrites(exchange.route) || exchange.effects?.edits.isEmpty == false else {
            return trueAnswer(exchange, body: body, isJSON: isJSON)
        }
        var plain = exchange
        plain.acceptsGzip = false
        return trueAnswer(plain, body: body, isJSON: isJSON).edited(gzip: exchange.acceptsGzip) { edit in
            rewriter.rewrite(&edit, exchange)
            faults.change(&edit, exchange)
        }
    }

    /// Own addresses and planned edits are left out.
    private func trueAnswer(_ exchange: Exchange, body: ByteBuffer, isJSON: Bool) -> Answer {
        if exchange.kind == .preflight { return .empty(.noContent) }
        guard Self.takes(exchange.method, exchange.route) else { return .empty(.methodNotAllowed) }
        if let status = exchange.effects?.status {
            var answer = Answer.empty(HTTPResponse.Status(code: status))
            if let seconds = exchange.effects?.retryAfterSeconds { answer.fields[.retryAfter] = String(seconds) }
            return answer
        }
        if exchange.effects?.isWebPage == true {
            return Answer(contentType: .web, caching: .none, body: Self.webPage.utf8)
        }
        if exchange.route.isLiveMedia, let refusal = tokenRefusal(exchange) {
            ledger.count(\.withoutToken)
            return refusal
        }
        switch exchange.route {
        case .livePlaylist(let rendition):
            return targets.tailorRefusal(exchange) ?? livePlaylist(exchange, rendition: rendition)
        case .steering: return steeringManifest(exchange)
        case .multivariant: return onwardMultivariant(exchange) ?? channel.multivariant(gzip: exchange.acceptsGzip)
        case .live(let route): return liveFile(route, at: exchange.now)
        case .podFile(let file): return pods.answer(file, milliseconds: exchange.query["d"].flatMap { Int($0) })
        case .interstitial(let route):
            let aim = sessions.aim(ofViewer: exchange.viewerHash)
            return interstitials.answer(route, exchange, base: base(exchange), aim: aim)
        case .target(let route): return targets.answer(route, exchange, body: body)
        case .registration: return register(exchange, body: body, isJSON: isJSON)
        case .podManifest(let identifier): return podManifest(exchange, identifier: identifier)
        case .podPlaylist(let identifier, let token, let profile):
            return podPlaylist(exchange, identifier: identifier, token: token, profile: profile)
        case .metadata(let streamID): return metadata(exchange, streamID: streamID)
        case .verification(let streamID, let mediaID): return verify(exchange, streamID: streamID, mediaID: mediaID)
        case .sessionUpdate: return update(exchange, body: body, isJSON: isJSON)
        case .health: return Answer(contentType: .plain, caching: .none, body: "ok\n".utf8)
        case .truth: return truthAnswer(at: exchange.now)
        case .missing, .unknown: return .empty(.notFound)
        }
    }

    package func groundTruth() -> GroundTruth { truth(at: clock.now()) }

    package func truth(at now: WallTime) -> GroundTruth {
        var truth = ledger.truth(at: now)
        truth.sessions = sessions.truth(at: now)
        truth.interstitials = interstitials.truth
        told.write(to: &truth)
        return truth
    }

    private func truthAnswer(at now: WallTime) -> Answer {
        guard let body = try? truth(at: now).json() else { return .empty(.internalServerError) }
        return Answer(contentType: .json, caching: .none, body: Array(body))
    }

    private func notePod(_ exchange: inout Exchange) {
        guard case .podManifest(let identifier) = exchange.route, exchange.kind == .podManifest else { return }
        let key = zone?.place(at: exchange.now)?.key ?? identifier
        let query = exchange.query
        let (length, splice) = (query[WireName.podDurationParameter] ?? "", query[WireName.scte35Parameter])
        ledger.pod(identifier, length: length, splice: splice, breakKey: key, at: exchange.now)
        if let number = exchange.viewerNumber { told.came(.pod, from: number) { query[$0] } }
        guard let streamID = exchange.streamID else { return }
        exchange.repetition = sessions.noteManifest(streamID, identifier: identifier)
    }

    /// A playlist request with `_HLS_msn` is a blocking one.
    private func kind(of route: Route, _ method: HTTPRequest.Method, _ query: FormFields) -> RequestKind? {
        guard let kind = route.kind else { return nil }
        if method == .options { return .preflight }
        guard Self.takes(method, route) else { return .other }
        return kind == .playlist && query[DeliveryDirectives.mediaSequenceParameter] != nil ? .blockingPlaylist : kind
    }

    private static func takes(_ method: HTTPRequest.Method, _ route: Route) -> Bool {
        if route == .target(.templateSession) { return true }
        return route.takesPost ? method == .post : method == .get || method == .head
    }

    static let templateSessionParameter = "session"
    static let templateDurationParameter = "duration_ms"

    private static let webPage = """
        <!DOCTYPE html>
        <html><head><title>Sign in</title></head><body><p>Please sign in to use this network.</p></body></html>

        """

    /// 400 for an unreadable body.
    private func register(_ exchange: Exchange, body: ByteBuffer, isJSON: Bool) -> Answer {
        guard let fields = RegistrationBody.fields(body, isJSON: isJSON) else { return .empty(.badRequest) }
        if let number = exchange.viewerNumber { told.came(.registration, from: number) { fields[$0] } }
        if let token, !token.accepts(fields[WireName.authTokenParameter], required: eventFields, at: exchange.now) {
            return .empty(.unauthorized)
        }
        let aim = configuration.aimingParameter.flatMap { fields[$0] }.map(PodAim.init(value:)) ?? .everybody
        let (streamID, validUntil) = sessions.register(
            for: exchange.viewerHash,
            aim: aim,
            isGiven: exchange.givesSession,
            at: exchange.now
        )
        let text = registration.body(
            streamID: StreamID(streamID),
            showsStreamID: exchange.effects?.hidesStreamID != true,
            validUntil: validUntil,
            base: base(exchange)
        )
        return Answer(status: .created, contentType: .json, caching: .none, body: text)
    }

    private var eventFields: [String: String] {
        [
            WireName.Token.networkCode: configuration.session.networkCode,
            WireName.Token.customAssetKey: configuration.session.customAssetKey,
        ]
    }

    /// With the client's authority if it is safe to repeat.
    private func base(_ exchange: Exchange) -> String {
        let scheme = configuration.usesTLS ? "https" : "http"
        let host = exchange.authority.flatMap { $0.utf8.allSatisfy(\.isAuthority) ? $0 : nil } ?? configuration.host
        return "\(scheme)://\(host)"
    }

    /// Another loopback name, which every run may request.
    func otherBase(_ exchange: Exchange) -> String {
        let base = base(exchange)
        let parts = base.split(separator: ":", omittingEmptySubsequences: false)
        let host = base.contains("://localhost") ? "127.0.0.1" : "localhost"
        guard let port = parts.last, parts.count > 2, !port.contains("]") else { return "\(parts[0])://\(host)" }
        return "\(parts[0])://\(host):\(port)"
    }

    private func podManifest(_ exchange: Exchange, identifier: String) -> Answer {
        if let refusal = sessions.refusal(of: exchange) { return refusal }
        guard let streamID = exchange.streamID, let microseconds = podMicroseconds(exchange) else {
            return .empty(.badRequest)
        }
        guard hasPodToken(exchange, identifier: identifier) else { return .empty(.unauthorized) }
        var decision = PodDecision(
            identifier: identifier,
            aim: sessions.aim(of: streamID),
            salt: exchange.effects?.decisionSalt ?? 0,
            seed: configuration.seed
        )
        let ads = configuration.layout(of: .microseconds(microseconds)).ads.map(\.microseconds)
        sessions.list(AskedPod(decision: decision, podMicroseconds: microseconds, ads: ads), for: streamID)
        if exchange.effects?.isStalePod == true,
            let before = sessions.listed(streamID).last(where: { $0.decision.identifier != identifier })
        {
            decision = before.decision
        }
        let isEmpty = exchange.effects?.isEmptyPod ?? false
        let template = pods.playlist(decision, profile: nil, podMicroseconds: microseconds, isEmpty: isEmpty)
        var answer = filled(template, exchange, streamID: streamID)
        if let warning = SpliceCheck.warning(of: exchange.query[WireName.scte35Parameter]) {
            answer.fields[.adManagerWarning] = warning
        }
        return answer
    }

    private func podPlaylist(_ exchange: Exchange, identifier: String, token: String, profile: String) -> Answer {
        if let refusal = sessions.refusal(of: exchange) { return refusal }
        guard let streamID = exchange.streamID, let asked = podMicroseconds(exchange) else {
            return .empty(.badRequest)
        }
        guard let profile = pods.profile(named: profile),
            let decision = PodDecision(token: token, identifier: identifier, seed: configuration.seed)
        else { return .empty(.notFound) }
        let shift = exchange.effects?.podDurationShift ?? .zero
        let template = pods.playlist(
            decision,
            profile: profile,
            podMicroseconds: max(1_000, asked + shift.wholeMicroseconds),
            isEmpty: exchange.effects?.isEmptyPod ?? false
        )
        return filled(template, exchange, streamID: streamID)
    }

    private func filled(_ template: SessionTemplate, _ exchange: Exchange, streamID: String) -> Answer {
        let shown = exchange.effects?.foreignStreamID ?? streamID
        let fields: HTTPFields = [.contentType: ContentType.playlist.rawValue, .cacheControl: Caching.none.field]
        return Answer(status: .ok, fields: fields, body: template.filled(with: StreamID(shown).percentEncoded))
    }

    private func metadata(_ exchange: Exchange, streamID: String) -> Answer {
        if let refusal = sessions.refusal(of: exchange) { return refusal }
        listStitched(for: streamID, at: exchange.now)
        return metadata.answer(for: sessions.listed(streamID), gzip: exchange.acceptsGzip)
    }

    /// Ads in the channel belong to every session.
    private func listStitched(for streamID: String, at now: WallTime) {
        for pod in stitched?.pods(at: now) ?? [] { sessions.list(pod, for: streamID) }
    }

    /// 204 once, 404 or 409 for a repeated id; 404 for an unknown one and for a prefix that metadata lists.
    private func verify(_ exchange: Exchange, streamID: String, mediaID: String) -> Answer {
        guard sessions.noteRequest(streamID, at: exchange.now) == .active, let tag = MediaTag(mediaID: mediaID) else {
            return .empty(.notFound)
        }
        if configuration.mediaIDs == .prefixes, mediaID != tag.wholeID(seed: configuration.seed) {
            if mediaID == tag.mediaID { sessions.noteBarePrefix() }
            return .empty(.notFound)
        }
        listStitched(for: streamID, at: exchange.now)
        guard sessions.verify(tag, for: streamID) else {
            let isConflict = configuration.hasVerificationConflicts && sessions.isVerified(tag, for: streamID)
            return .empty(isConflict ? .conflict : .notFound)
        }
        return .empty(.noContent)
    }

    /// Without `pd`, the channel's break length; nil for an invalid one.
    private func podMicroseconds(_ exchange: Exchange) -> Int64? {
        let named = exchange.query[WireName.podDurationParameter] ?? exchange.query[Self.templateDurationParameter]
        guard let text = named else { return configuration.breakDuration.wholeMicroseconds }
        guard let milliseconds = Int64(text), (1...Int64(PodLayout.maximumSeconds) * 1_000).contains(milliseconds)
        else { return nil }
        return milliseconds * 1_000
    }

    private func hasPodToken(_ exchange: Exchange, identifier: String) -> Bool {
        guard let token else { return true }
        var required = eventFields
        switch PodIdentifier(path: identifier) {
        case .sequence(let number): required[WireName.Token.podID] = String(number)
        case .adBreakID(let name): required[WireName.Token.adBreakID] = name
        case nil: return false
        }
        required[WireName.Token.podDuration] = exchange.query[WireName.podDurationParameter]
        return token.accepts(exchange.query[WireName.authTokenParameter], required: required, at: exchange.now)
    }
}

extension String.UTF8View {
    /// Weights are ignored.
    fileprivate var containsGzip: Bool {
        indices.contains { self[$0] == UInt8(ascii: "g") && self[$0...].starts(with: "gzip".utf8) }
    }
}

extension UInt8 {
    fileprivate var isAuthority: Bool {
        isUnreserved || self == UInt8(ascii: ":") || self == UInt8(ascii: "[") || self == UInt8(ascii: "]")
    }
}
