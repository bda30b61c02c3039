import Rules
package import Values

/// A transfer on its way over hops, connections and carriers.
struct CarriedTransfer {
    let request: TransferRequest
    /// nil before the first redirect.
    private var redirected: PreparedRequest?
    var history = TransferHistory()

    var hop: PreparedRequest { redirected ?? request.request }

    init(request: TransferRequest) { self.request = request }

    /// Goes on with the next hop.
    func redirected(to next: PreparedRequest, after result: borrowing TransferResult) -> CarriedTransfer {
        var transfer = self
        transfer.redirected = next
        transfer.history.redirects += 1
        if next.target?.host != hop.target?.host { transfer.history.leftHost = true }
        transfer.history.flaws = result.flaws
        if result.receivedAt != .zero {
            transfer.history.handlingMicroseconds = Int32(clamping: result.handling / 1_000)
        }
        return transfer
    }
}

/// As players do (RFC 9110 section 15.4).
enum Redirection {
    case followed(CarriedTransfer)
    case refused(TransportFailure)
    /// The redirect is the answer.
    case none
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

/// Over all hops.
package struct TransferHistory {
    /// Start of the total timeout.
    var startedAt = Instant.zero
    /// When the request was first about to be written; zero if never.
    package var sentAt = Instant.zero
    /// TCP only; 0 for a reused connection.
    package var connectMicroseconds: Int64 = 0
    package var tlsMicroseconds: Int64 = 0
    /// Wait for another request's opening, or for room in the server's limit of streams; the target's time.
    package var awaitedMicroseconds: Int32 = 0
    /// Time that redirects lay in their sockets, which is not the target's.
    fileprivate(set) var handlingMicroseconds: Int32 = 0
    /// More than 1 + `redirects` if a reused connection was closed (RFC 9110 section 9.2.2).
    package var sends: Int16 = 0
    package var newConnections: Int16 = 0
    package var redirects: Int16 = 0
    /// Flaws of the redirects.
    var flaws: AnswerFlaws = []
    package var leftHost = false
    /// Refusals by servers before processing.
    var refusals: UInt8 = 0

    mutating func sent(at now: Instant) {
        if sentAt == .zero { sentAt = now }
        sends &+= 1
    }

    /// The times, had the redirects been read at once; zero stays zero.
    func withoutHandling(_ times: AnswerTimes) -> AnswerTimes {
        guard handlingMicroseconds != 0 else { return times }
        let handling = Int64(handlingMicroseconds) &* 1_000
        var times = times
        if times.firstByteAt != .zero { times.firstByteAt = max(sentAt, times.firstByteAt &- handling) }
        if times.receivedAt != .zero { times.receivedAt = max(sentAt, times.receivedAt &- handling) }
        return times
    }
}

/// The last answer's; zero for what never came.
///
/// In results, the time that redirects lay in their sockets is subtracted from the first two.
package struct AnswerTimes {
    /// Moment of the kernel's stamp, else of reading.
    package var firstByteAt = Instant.zero
    /// The last byte by the kernel's stamp; zero without a plausible one.
    package var receivedAt = Instant.zero
    /// Answer read, or request given up.
    package var doneAt: Instant
    /// Larger than the socket's receive buffer, so that the end waited for the reader.
    package var outgrewBuffer = false

    /// For a timeout: the last byte received is not the end.
    var withoutEnd: AnswerTimes { AnswerTimes(firstByteAt: firstByteAt, doneAt: doneAt) }
}

package struct AnsweredOn {
    static let nothing = AnsweredOn()

    /// 0 without a connection.
    package var localPort: UInt16 = 0
    /// Number in `RemoteAddresses` of the last peer tried.
    package var remote = RemoteAddresses.none
    /// From an earlier answer on this connection; 0 for none.
    package var note: UInt16 = 0
}
