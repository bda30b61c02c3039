import Rules
import Values

/// A transfer on its way over hops, connections and carriers.
struct CarriedTransfer {
    let request: TransferRequest
    /// nil before the first redirect.
    fileprivate(set) var redirected: PreparedRequest?
    var history = TransferHistory()

    var hop: PreparedRequest { redirected ?? request.request }

    init(request: TransferRequest) { self.request = request }
}

/// As players do (RFC 9110 section 15.4).
enum Redirection {
    case followed(CarriedTransfer)
    case refused(TransportFailure)
    /// The redirect is the answer.
    case none

    /// Checks the next hop before anything is sent to it.
    ///
    /// `url` is nil where the answer names no place, and empty where the place is invalid. `flaws` and `times` are those of the
    /// answer that redirects; `viewer` has the handler read it, and throws the reason why it is not followed.
    init(
        of transfer: CarriedTransfer,
        to url: String?,
        status: Int,
        flaws: AnswerFlaws,
        _ times: AnswerTimes,
        limit: Int,
        _ origins: OriginTable,
        viewer: (String) throws(TransportFailure) -> RedirectedViewer
    ) {
        self = .none
        guard limit > 0, let url, let redirect = RedirectStatus(status) else { return }
        guard Int(transfer.history.redirects) < limit else {
            self = .refused(.redirectLimit)
            return
        }
        let hop: PreparedRequest
        do {
            let viewer = try viewer(url)
            hop = transfer.hop.redirected(
                to: url,
                keepsMethod: redirect.keepsMethod,
                cookies: viewer.cookies,
                isOfPage: viewer.isPage
            )
        } catch {
            self = .refused(error)
            return
        }
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
    /// Keeps the body too; otherwise browsers and players send a GET.
    package let keepsMethod: Bool

    /// nil for 300 (a choice for a person) and 304, too.
    package init?(_ status: Int) {
        switch status {
        case 301, 302, 303: keepsMethod = false
        case 307, 308: keepsMethod = true
        default: return nil
        }
    }
}

/// Over all hops; see `TransferResult`.
struct TransferHistory {
    /// Start of the total timeout.
    var startedAt = Instant.zero
    var sentAt = Instant.zero
    var connectMicroseconds: Int64 = 0
    var tlsMicroseconds: Int64 = 0
    var awaitedMicroseconds: Int32 = 0
    /// Time that redirects lay in their sockets, which is not the target's.
    private(set) var handlingMicroseconds: Int32 = 0
    var sends: Int16 = 0
    var newConnections: Int16 = 0
    var redirects: Int16 = 0
    /// Flaws of the redirects.
    var flaws: AnswerFlaws = []
    var leftHost = false
    /// Refusals by servers before processing.
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

    /// The moment, had the redirects been read at once; zero stays zero.
    func withoutHandling(_ moment: Instant) -> Instant {
        guard handlingMicroseconds != 0, moment != .zero else { return moment }
        return max(sentAt, moment &- Int64(handlingMicroseconds) &* 1_000)
    }
}

/// See `TransferResult`.
struct AnswerTimes {
    var firstByteAt = Instant.zero
    var receivedAt = Instant.zero
    var doneAt: Instant
    var outgrewBuffer = false

    /// For a timeout: the last byte received is not the end.
    var withoutEnd: AnswerTimes { AnswerTimes(firstByteAt: firstByteAt, doneAt: doneAt) }
}

struct AnsweredOn {
    static let nothing = AnsweredOn()

    var localPort: UInt16 = 0
    /// Number in `RemoteAddresses`.
    var remote = RemoteAddresses.none
    var note: UInt16 = 0
}
