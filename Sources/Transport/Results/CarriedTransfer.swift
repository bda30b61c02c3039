import Rules

/// A transfer on its way over hops, connections and carriers.
struct CarriedTransfer {
    let request: TransferRequest
    /// The request of the present hop; nil before the first redirect.
    fileprivate(set) var redirected: PreparedRequest?
    var history = TransferHistory()

    var hop: PreparedRequest { redirected ?? request.request }

    init(request: TransferRequest) {
        self.request = request
    }
}

/// Players' handling of redirects (RFC 9110 section 15.4), the same over each carrier.
enum Redirection {
    case followed(CarriedTransfer)
    case refused(TransportFailure)
    /// There is no place to go: the redirect itself is the answer.
    case none

    /// Without 300 (a choice for a person) and 304 (not a redirect).
    static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Checks the next hop before anything is sent to it.
    ///
    /// `url` is nil where the answer names no place, and empty where the place is invalid. `flaws` and `times` are those of the
    /// answer that redirects.
    init(
        of transfer: CarriedTransfer,
        to url: String?,
        status: Int,
        flaws: AnswerFlaws,
        _ times: AnswerTimes,
        limit: Int,
        _ origins: OriginTable
    ) {
        self = .none
        guard limit > 0, let url else { return }
        guard Int(transfer.history.redirects) < limit else {
            self = .refused(.redirectLimit)
            return
        }
        let hop = transfer.hop.redirected(to: url, status: status)
        guard !url.isEmpty, origins.route(of: hop) != nil else {
            self = .refused(.unauthorisedHost)
            return
        }
        var next = transfer
        next.redirected = hop
        next.history.redirects += 1
        if hop.target?.host != transfer.hop.target?.host { next.history.leftHost = true }
        next.history.flaws.formUnion(flaws)
        next.history.ledOn(times)
        self = .followed(next)
    }
}
