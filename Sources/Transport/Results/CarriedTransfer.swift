import Rules
import Values

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

/// Players' handling of redirects (RFC 9110 section 15.4), the same for requests of every kind and over each carrier.
enum Redirection {
    case followed(CarriedTransfer)
    case refused(TransportFailure)
    /// There is no place to go: the redirect itself is the answer.
    case none

    /// Checks the next hop before anything is sent to it.
    ///
    /// `url` is nil where the answer names no place, and empty where the place is invalid. `flaws` and `times` are those of the
    /// answer that redirects; `cookies` has the handler read it, and returns the cookies for the next URL.
    init(
        of transfer: CarriedTransfer,
        to url: String?,
        status: Int,
        flaws: AnswerFlaws,
        _ times: AnswerTimes,
        limit: Int,
        _ origins: OriginTable,
        cookies: (String) -> String?
    ) {
        self = .none
        guard limit > 0, let url, let redirect = RedirectStatus(status) else { return }
        guard Int(transfer.history.redirects) < limit else {
            self = .refused(.redirectLimit)
            return
        }
        let hop = transfer.hop.redirected(to: url, keepsMethod: redirect.keepsMethod, cookies: cookies(url))
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

/// A status that players follow.
package struct RedirectStatus {
    /// Whether the next request has the method and the body of the redirected one: browsers and players send a GET otherwise.
    package let keepsMethod: Bool

    /// nil for other statuses, 300 (a choice for a person) and 304 (not a redirect) among them.
    package init?(_ status: Int) {
        switch status {
        case 301, 302, 303: keepsMethod = false
        case 307, 308: keepsMethod = true
        default: return nil
        }
    }
}

/// History of a transfer over all its hops and connections; `TransferResult` describes the fields of the same names.
struct TransferHistory {
    /// Start of the transfer, zero before that: the total timeout counts from here.
    var startedAt = Instant.zero
    var sentAt = Instant.zero
    var connectMicroseconds: Int64 = 0
    var tlsMicroseconds: Int64 = 0
    var awaitedMicroseconds: Int32 = 0
    /// Time that redirects lay in their sockets before they were read: no time of the target.
    private(set) var handlingMicroseconds: Int32 = 0
    var sends: Int16 = 0
    var newConnections: Int16 = 0
    var redirects: Int16 = 0
    /// Flaws of the redirects.
    var flaws: AnswerFlaws = []
    var leftHost = false
    /// Times that servers have refused to process the request.
    var refusals: UInt8 = 0

    mutating func sent(at now: Instant) {
        if sentAt == .zero { sentAt = now }
        sends &+= 1
    }

    mutating func ledOn(_ times: AnswerTimes) {
        guard times.receivedAt != .zero else { return }
        let handling = max(0, times.doneAt &- times.receivedAt) / 1_000
        handlingMicroseconds = Int32(clamping: Int64(handlingMicroseconds) &+ handling)
    }

    /// A moment of the last answer, had the redirects before it been read at once.
    ///
    /// Zero, which stands for a moment that never came, stays zero.
    func withoutHandling(_ moment: Instant) -> Instant {
        guard handlingMicroseconds != 0, moment != .zero else { return moment }
        return max(sentAt, moment &- Int64(handlingMicroseconds) &* 1_000)
    }
}

/// Times of one answer, zero for what never came; `TransferResult` describes them.
struct AnswerTimes {
    var firstByteAt = Instant.zero
    var receivedAt = Instant.zero
    var doneAt: Instant
    var outgrewBuffer = false

    /// The times of a request that timed out: the last byte received is not the end.
    var withoutEnd: AnswerTimes { AnswerTimes(firstByteAt: firstByteAt, doneAt: doneAt) }
}

/// The connection that a transfer ended on.
struct AnsweredOn {
    static let nothing = AnsweredOn()

    var localPort: UInt16 = 0
    /// Number of the peer's address in `RemoteAddresses`.
    var remote = RemoteAddresses.none
    var note: UInt16 = 0
}
