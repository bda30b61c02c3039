import AdServing
import Foundation
import HLS
import HTTPTypes
import NIOCore
import Profile
package import Values

extension Exchange {
    var isReset: Bool { onward == nil && effects?.delivery == .reset }
}

extension OriginService {
    func head(_ answer: Answer, _ exchange: Exchange) -> HTTPResponse {
        if let kind = exchange.kind { ledger.answered(kind, status: answer.status.code) }
        var fields = answer.fields
        fields.append(HTTPField(name: .date, value: date(at: exchange.now)))
        permit(exchange, &fields)
        if let cookie = exchange.cookie { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        if faults.plan.edges.count > 1 { fields.append(HTTPField(name: .edge, value: String(exchange.edge))) }
        return HTTPResponse(status: answer.status, headerFields: fields)
    }

    /// Made once a second for all answers.
    private func date(at now: WallTime) -> String {
        dates.value(now.epochSeconds) { HTTPDate.text(epochSeconds: now.epochSeconds) }
    }

    /// Lets pages of any other origin play the channel, with their cookies (Fetch standard, CORS protocol).
    private func permit(_ exchange: Exchange, _ fields: inout HTTPFields) {
        switch exchange.effects?.permission ?? .own {
        case .own:
            fields.append(HTTPField(name: .accessControlAllowOrigin, value: exchange.origin ?? "*"))
            guard exchange.origin != nil else { return }
            fields.append(HTTPField(name: .accessControlAllowCredentials, value: "true"))
            fields.append(HTTPField(name: .vary, value: "origin"))
            guard exchange.kind == .preflight, let names = exchange.requestedNames else { return }
            fields.append(HTTPField(name: .accessControlAllowHeaders, value: names))
            fields.append(HTTPField(name: .accessControlMaxAge, value: "7200"))
        case .missing: break
        // A name that no page has (RFC 2606).
        case .ofOthers: fields.append(HTTPField(name: .accessControlAllowOrigin, value: "https://other.invalid"))
        }
    }

    /// Planned misframing of an answer; none over HTTP/2, which has no such fields.
    func framing(of exchange: Exchange) -> FaultEffects.Framing {
        let framing = exchange.effects?.framing ?? .own
        // Without TLS no connection's end is told.
        let isToldOfEnds = configuration.usesTLS || configuration.supposesTLS
        return configuration.useHTTP2 || framing == .silentClose && !isToldOfEnds ? .own : framing
    }

    func redirect(_ exchange: Exchange) -> Answer? {
        let location = exchange.onward ?? exchange.effects?.redirection.map { self.location(exchange, $0) }
        return location.map(Answer.redirect)
    }

    private func location(_ exchange: Exchange, _ redirection: FaultEffects.Redirection) -> String {
        switch redirection {
        case .samePlace: OwnRedirect.once + exchange.target
        // No profile authorises a documentation address (RFC 5737).
        case .unauthorisedHost: "http://192.0.2.1" + exchange.target
        case .chain: OwnRedirect.once + OwnRedirect.once + OwnRedirect.once + exchange.target
        case .loop: OwnRedirect.forEver + exchange.target
        case .otherHost: otherBase(exchange) + OwnRedirect.once + exchange.target
        }
    }

    /// nil without a redirect of the multivariant playlist; the path has no mark, which relative addresses would repeat.
    func onwardMultivariant(_ exchange: Exchange) -> Answer? {
        guard configuration.redirectsMultivariant, !isOtherEdge(exchange.authority) else { return nil }
        return .redirect(to: otherBase(exchange) + exchange.target)
    }

    func isOtherEdge(_ authority: String?) -> Bool {
        configuration.redirectsMultivariant && (authority?.hasPrefix("localhost") ?? false)
    }

    /// Throws `OriginConfigurationError` or `ProfileErrors` with every mistake at once.
    package convenience init(_ configuration: OriginConfiguration, started: WallTime? = nil) throws {
        try configuration.validate()
        var plan = FaultPlan.empty
        if let path = configuration.faultPlanPath {
            let text = try OriginConfiguration.text(of: path, for: "target.embedded.faults")
            plan = try FaultPlan.read(text, of: path, seed: configuration.seed)
        }
        var channelPlan = ChannelPlan.usual
        if let text = configuration.channelPlanText {
            channelPlan = try ChannelPlan.read(text)
        } else if let path = configuration.channelPlanPath {
            let text = try OriginConfiguration.text(of: path, for: "target.embedded.channel")
            channelPlan = try ChannelPlan.read(text, of: path)
        }
        try channelPlan.validate(on: configuration)
        try self.init(
            configuration,
            plan: plan,
            channelPlan: channelPlan,
            clips: try ClipLibrary(),
            started: started ?? WallClock(aheadOfMonotonic: configuration.wallClockAhead).now()
        )
    }

    /// Sets the port of absolute URIs in live playlists.
    package func listens(on port: Int) { address.listens(on: port) }
}

struct WallClock: Sendable {
    /// nil for the system's wall clock, which may step.
    let aheadOfMonotonic: Duration?

    func now() -> WallTime {
        guard let aheadOfMonotonic else {
            return WallTime(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
        }
        let monotonic = Int64(clamping: NIODeadline.now().uptimeNanoseconds)
        return WallTime(microseconds: monotonic.addingClamped(aheadOfMonotonic.nanosecondsHeld) / 1_000)
    }
}

extension OriginService {
    func update(_ exchange: Exchange, body: ByteBuffer, isJSON: Bool) -> Answer {
        if let refusal = sessions.refusal(of: exchange) { return refusal }
        guard let streamID = exchange.streamID, let fields = RegistrationBody.fields(body, isJSON: isJSON) else {
            return .empty(.badRequest)
        }
        if let number = exchange.viewerNumber { told.came(.update, from: number) { fields[$0] } }
        if let value = configuration.aimingParameter.flatMap({ fields[$0] }) {
            sessions.aim(PodAim(value: value), session: streamID)
        }
        return .empty(.ok)
    }
}
