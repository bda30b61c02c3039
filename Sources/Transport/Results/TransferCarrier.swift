import Rules
package import Values

/// The parts that both carriers of a transport have in common; confined to its loop.
class TransferCarrier: TimerHandler {
    final let loop: EventLoop
    final let configuration: TransportConfiguration
    final let origins: OriginTable
    final let remotes: RemoteAddresses
    /// A check costs a hundredth of a poll, here as below.
    @exclusivity(unchecked) final var handler: (any TransferHandler)?
    // Nanoseconds, where a request has no limits of its own.
    final let connectTimeout: Int64
    final let firstByteTimeout: Int64
    final let totalTimeout: Int64
    final let deadlines: DeadlineTable
    @exclusivity(unchecked) private(set) final var sweepTimer = TimerID.none
    /// Ends without an answer.
    final var ended: ContiguousArray<(transfer: CarriedTransfer, failure: TransportFailure, on: AnsweredOn)> = []
    final let carrier: Carrier
    /// For a connection, a stream or a handle without an answer.
    final let freshReader: AnswerReader

    // The exchange being reported, the source of its result. Accesses never overlap, so none is checked.

    @exclusivity(unchecked) final var reportedAnswer: AnswerReader
    @exclusivity(unchecked) final var reportedTransfer: CarriedTransfer?

    init(
        _ carrier: Carrier,
        loop: EventLoop,
        configuration: TransportConfiguration,
        origins: OriginTable,
        beside other: TransferCarrier? = nil
    ) {
        let reader = other?.freshReader ?? AnswerReader(configuration)
        (self.carrier, freshReader, reportedAnswer) = (carrier, reader, reader)
        (self.loop, self.configuration, self.origins) = (loop, configuration, origins)
        remotes = other?.remotes ?? RemoteAddresses()
        connectTimeout = max(0, configuration.connectTimeout.nanosecondsHeld)
        firstByteTimeout = max(0, configuration.firstByteTimeout.nanosecondsHeld)
        totalTimeout = max(0, configuration.totalTimeout.nanosecondsHeld)
        deadlines = DeadlineTable(leastTimeout: min(connectTimeout, firstByteTimeout, totalTimeout))
    }

    final func wholeDeadline(of transfer: CarriedTransfer) -> Instant {
        transfer.history.startedAt.later(by: transfer.request.limits.total.nanoseconds(otherwise: totalTimeout))
    }

    /// Reported at the end of the turn.
    final func end(_ transfer: CarriedTransfer, _ failure: TransportFailure, on connection: AnsweredOn = .nothing) {
        ended.append((transfer, failure, connection))
    }

    /// Ends added meanwhile are reported in the next round.
    final func tellEnded() {
        guard !ended.isEmpty else { return }
        let toTell = ended
        ended = []
        for end in toTell {
            reportedTransfer = end.transfer
            report(end.failure, AnswerTimes(doneAt: MonotonicClock.now()), on: end.on)
        }
    }

    final func report(_ failure: TransportFailure?, _ times: AnswerTimes, on connection: AnsweredOn) {
        if let handler, let token = reportedTransfer?.request.token {
            handler.transferFinished(token: token, result(failure, times, on: connection))
        }
        clearReported()
    }

    final func result(_ failure: TransportFailure?, _ times: AnswerTimes, on connection: AnsweredOn) -> TransferResult {
        let keepsBody = reportedTransfer?.request.keepBody == true
        return TransferResult(
            failure: failure,
            status: reportedAnswer.status,
            body: keepsBody ? reportedAnswer.body : UnsafeRawBufferPointer(start: nil, count: 0),
            bodyBytes: reportedAnswer.wireBodyBytes,
            plannedAt: reportedTransfer?.request.plannedAt ?? .zero,
            history: reportedTransfer?.history ?? TransferHistory(),
            times: failure?.isTimeout == true ? times.withoutEnd : times,
            on: connection,
            carrier: carrier,
            flaws: reportedAnswer.flaws,
            source: self
        )
    }

    final func armSweep() {
        guard sweepTimer == .none else { return }
        sweepTimer = loop.schedule(at: MonotonicClock.now() &+ deadlines.interval, token: 0, handler: self)
    }

    func timerFired(token: UInt64, deadline: Instant) {
        sweepTimer = .none
        let now = MonotonicClock.now()
        if now &- deadline > DeadlineTable.ownDelay { postponeDeadlines(by: now &- deadline) }
        sweep(at: now)
    }

    /// Stalls of the loop do not count as time of the target.
    func postponeDeadlines(by delay: Int64) { deadlines.postpone(by: delay) }

    func sweep(at now: Instant) {}

    final func clearReported() {
        reportedTransfer = nil
        reportedAnswer.reset()
    }

    func noteConnection(_ note: UInt16) {}

    /// The reported transfer with its next hop, checked before anything is sent to it; nil where the redirect is the answer.
    ///
    /// As players do (RFC 9110 section 15.4).
    final func redirection(_ times: AnswerTimes, on connection: AnsweredOn) throws(TransportFailure) -> CarriedTransfer?
    {
        let limit = configuration.maximumRedirects
        let answer = result(nil, times, on: connection)
        guard limit > 0, let transfer = reportedTransfer, let redirect = RedirectStatus(answer.status),
            let location = answer.header("location"), !location.isEmpty
        else { return nil }
        guard Int(transfer.history.redirects) < limit else { throw .redirectLimit }
        let url = RequestTarget.resolve(location, against: transfer.hop.url) ?? ""
        let token = transfer.request.token
        let viewer: RedirectedViewer = try handler?.redirected(to: url, token: token, after: answer) ?? (nil, false)
        let hop = transfer.hop.redirected(
            to: url,
            keepsMethod: redirect.keepsMethod,
            cookies: viewer.cookies,
            isOfPage: viewer.isPage
        )
        guard !url.isEmpty, origins.route(of: hop) != nil else { throw .unauthorisedHost }
        return transfer.redirected(to: hop, after: answer)
    }

    final func isHeld(_ next: CarriedTransfer) -> Bool {
        var request = next.request
        request.request = next.hop
        return handler?.holds(request, after: next.history) == true
    }
}

extension TransferCarrier: AnswerSource {
    final var answerURL: String { reportedTransfer?.hop.url ?? "" }
    final var answerHead: UnsafeRawBufferPointer { reportedAnswer.head }
    final var lastRequest: PreparedRequest? { reportedTransfer?.hop }

    final func remoteAddress(_ number: UInt16) -> String { remotes.text(number) }
}

extension AnswerReader {
    init(_ configuration: TransportConfiguration) {
        self.init(
            limits: Limits(headerBytes: configuration.maximumHeaderBytes, bodyBytes: configuration.maximumBodyBytes),
            decodesContent: configuration.acceptEncoding,
            pool: AnswerPool(budget: configuration.bodyBudget)
        )
    }
}

extension RangeReplaceableCollection {
    mutating func take(where isMeant: (Element) -> Bool) -> [Element] {
        let found = Array(filter(isMeant))
        if !found.isEmpty { removeAll(where: isMeant) }
        return found
    }
}

/// A transfer on its way over hops, connections and carriers.
struct CarriedTransfer {
    let request: TransferRequest
    /// nil before the first redirect.
    private var redirected: PreparedRequest?
    var history = TransferHistory()

    var hop: PreparedRequest { redirected ?? request.request }

    init(request: TransferRequest, history: TransferHistory = TransferHistory()) {
        (self.request, self.history) = (request, history)
    }

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

    package init() {}

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

/// Keyed by descriptor or slot, swept at intervals: a request sets one word, while a list or heap would touch several
/// cold lines.
///
/// Confined to its loop. Accesses never overlap, so none is checked.
final class DeadlineTable {
    /// Nanoseconds; a later sweep was delayed together with the loop.
    static let ownDelay: Int64 = 250_000_000

    /// Nanoseconds; the greatest delay of a timeout.
    private(set) var interval: Int64
    @exclusivity(unchecked) private var entries = UnsafeMutablePointer<Instant>.allocate(capacity: 0)
    @exclusivity(unchecked) private var capacity = 0

    /// In nanoseconds.
    init(leastTimeout: Int64) { interval = Self.interval(for: leastTimeout) }

    private static func interval(for timeout: Int64) -> Int64 { min(max(timeout / 16, 1_000_000), 50_000_000) }

    /// Shortens the interval; in nanoseconds.
    @inline(__always)
    func notice(timeout: Int64) { interval = min(interval, Self.interval(for: timeout)) }

    deinit { entries.deallocate() }

    /// The distant future clears a deadline.
    @inline(__always)
    func set(_ descriptor: Int32, _ deadline: Instant) {
        let index = Int(descriptor)
        guard index >= 0 else { return }
        if index >= capacity { grow(toHold: index) }
        entries[index] = deadline
    }

    private func grow(toHold index: Int) {
        let size = max(1024, 2 * capacity, index + 1)
        let larger = UnsafeMutablePointer<Instant>.allocate(capacity: size)
        larger.moveInitialize(from: entries, count: capacity)
        (larger + capacity).initialize(repeating: .distantFuture, count: size - capacity)
        entries.deallocate()
        (entries, capacity) = (larger, size)
    }

    func isSet(_ descriptor: Int32) -> Bool { deadline(of: descriptor) != .distantFuture }

    func deadline(of descriptor: Int32) -> Instant {
        let index = Int(descriptor)
        return index >= 0 && index < capacity ? entries[index] : .distantFuture
    }

    func postpone(by nanoseconds: Int64) {
        for index in 0..<capacity where entries[index] != .distantFuture {
            entries[index] = entries[index].later(by: nanoseconds)
        }
    }

    func takeExpired(at now: Instant) -> [Int32] {
        var expired: [Int32] = []
        for index in 0..<capacity where entries[index] <= now {
            entries[index] = .distantFuture
            expired.append(Int32(clamping: index))
        }
        return expired
    }
}
