import HLS
import HTTPTypes
import Profile
import Synchronization

/// The date's text, made once a second for all answers.
final class DateText: Sendable {
    private let last = Mutex<(epochSeconds: Int64, text: String)?>(nil)

    func text(at now: WallTime) -> String {
        last.withLock { last in
            let seconds = now.epochSeconds
            if let last, last.epochSeconds == seconds { return last.text }
            let text = HTTPDate.text(epochSeconds: seconds)
            last = (seconds, text)
            return text
        }
    }
}

extension Exchange {
    var isReset: Bool { onward == nil && effects?.delivery == .reset }
}

extension OriginService {
    func head(_ answer: Answer, _ exchange: Exchange) -> HTTPResponse {
        if let kind = exchange.kind { ledger.answered(kind, status: answer.status.code) }
        var fields = answer.fields
        fields.append(HTTPField(name: .date, value: date.text(at: exchange.now)))
        // Pages of any other origin may play the channel (Fetch standard, CORS protocol).
        fields.append(HTTPField(name: .accessControlAllowOrigin, value: "*"))
        if let cookie = exchange.cookie { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        if faults.plan.edges.count > 1 { fields.append(HTTPField(name: .edge, value: String(exchange.edge))) }
        return HTTPResponse(status: answer.status, headerFields: fields)
    }

    /// Planned misframing of an answer; none over HTTP/2, which has no such fields.
    func framing(of exchange: Exchange) -> FaultEffects.Framing {
        configuration.useHTTP2 ? .own : exchange.effects?.framing ?? .own
    }

    func redirect(_ exchange: Exchange) -> Answer? {
        let location = exchange.onward ?? exchange.effects?.redirection.map { self.location(exchange, $0) }
        return location.map(Answer.redirect)
    }

    private func location(_ exchange: Exchange, _ redirection: FaultEffects.Redirection) -> String {
        switch redirection {
        case .samePlace: OwnRedirect.once + exchange.target
        // A documentation address (RFC 5737): no profile authorises it, and no server answers there.
        case .unauthorisedHost: "http://192.0.2.1" + exchange.target
        case .chain: OwnRedirect.once + OwnRedirect.once + OwnRedirect.once + exchange.target
        case .loop: OwnRedirect.forEver + exchange.target
        case .otherHost: otherBase(exchange) + OwnRedirect.once + exchange.target
        }
    }
}

extension OriginService {
    /// Redirect of the multivariant playlist to another name of this host; nil without one.
    ///
    /// Its path has no mark, which relative addresses would repeat.
    func onwardMultivariant(_ exchange: Exchange) -> Answer? {
        guard configuration.redirectsMultivariant, !isOtherEdge(exchange.authority) else { return nil }
        return .redirect(to: otherBase(exchange) + exchange.target)
    }

    /// Whether a request reached the name that the multivariant playlist redirects to.
    func isOtherEdge(_ authority: String?) -> Bool {
        configuration.redirectsMultivariant && (authority?.hasPrefix("localhost") ?? false)
    }
}
