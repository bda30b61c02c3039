package import Rules
package import Values

/// The one description of an ended transfer: recorder, checks and notes read it, and none of them keeps it.
///
/// Valid during the handler's call only. Instants are zero when they never came.
package struct TransferResult {
    /// nil when an answer arrived in full, whatever its status.
    package let failure: TransportFailure?
    /// The last status received, 0 when there was none.
    package let status: Int
    /// The decoded body; empty when it was not to be kept.
    package let body: UnsafeRawBufferPointer
    /// Body bytes before decoding.
    package let bodyBytes: Int
    package let plannedAt: Instant
    /// The moment the request was first about to be written to a connection.
    package let sentAt: Instant
    /// The first byte of the last answer: by the kernel's stamp, or else when it was read.
    ///
    /// Redirects that lay in their sockets delayed the next request; that time is subtracted here and in `receivedAt`.
    package let firstByteAt: Instant
    /// The last byte of the last answer by the kernel's stamp; zero without a plausible one.
    package let receivedAt: Instant
    /// The moment the answer was read, or the request given up.
    package let doneAt: Instant
    /// Whether the answer was larger than the socket's receive buffer, so that its end waited for the reader.
    package let outgrewBuffer: Bool
    /// TCP connect without the name look-up, over all hops; 0 when the connection was reused.
    package let connectMicroseconds: Int64
    /// TLS handshake, over all hops; 0 when there was none.
    package let tlsMicroseconds: Int64
    /// Wait for a connection that another request opened, or for room in the server's limit of streams; the target's time, as
    /// connect and handshake are.
    package let awaitedMicroseconds: Int64
    /// Connections opened for this transfer, redirects included.
    package let newConnections: Int
    /// Times a request was put on a connection.
    ///
    /// More than 1 + `redirects` when it was repeated because a reused connection turned out to be closed (RFC 9110 section
    /// 9.2.2).
    package let sends: Int
    package let redirects: Int
    package let leftHost: Bool
    /// Local port of the last connection, 0 when there was none.
    package let localPort: UInt16
    /// Number of the peer's address on the last connection, or that failed to connect last; 0 where there was none.
    package let remote: UInt16
    /// The handler's note from an earlier answer on this connection; 0 for none.
    package let connectionNote: UInt16

    /// Means nothing where the request was never sent.
    package let carrier: Carrier

    /// Contradictions in the description of the body by the answer or a redirect before it.
    package let flaws: AnswerFlaws

    /// Outlives the result.
    private let source: any AnswerSource

    /// Nanoseconds from the kernel's stamp of the last byte to the reading, over all hops; 0 where there is no stamp.
    @inlinable package var handling: Int64 { receivedAt == .zero ? 0 : max(0, doneAt &- receivedAt) }

    @inlinable package var isNewConnection: Bool { newConnections > 0 }

    /// Whether an answer arrived in full with a status from 200 to 299.
    @inlinable package var isSuccess: Bool { failure == nil && (200..<300).contains(status) }

    /// The URL of the last hop; not redacted.
    package var url: String { source.answerURL }

    /// The last value of a header in the last answer; the name's case is ignored.
    package func header(_ name: String) -> String? { source.answerHeader(name) }

    /// Passes the bytes of such a value without making a String; valid during the call, nil when the header is missing.
    ///
    /// `name` is in lower case.
    package func readHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        source.readAnswerHeader(name, take)
    }

    /// The head of the last answer, which outlives the handler's call.
    package func copyHead() -> AnswerHeadCopy { source.copyAnswerHead() }

    /// The peer's address and port, such as `192.0.2.1:443` or `[2001:db8::1]:443`; empty where none was tried.
    package var remoteAddress: String { source.remoteAddress(remote) }

    package var trace: TraceContext? { source.requestTrace }

    /// Keeps a note with the connection, which comes back as `connectionNote` with each later answer on it.
    ///
    /// Over libcurl nothing is kept.
    package func noteConnection(_ note: UInt16) { source.noteConnection(note) }

    /// Seconds of `Retry-After` (RFC 9110 section 10.2.3); nil where it is missing, or names a date.
    package var retryAfterSeconds: Int? { wholeNumber("retry-after") }

    /// Seconds of `Retry-After`, those until its date included; nil where it has neither.
    ///
    /// `now` counts seconds since 1970; a date that is over means at once.
    package func retryAfter(now: Int64) -> Int? {
        if let seconds = retryAfterSeconds { return seconds }
        guard let date = header("retry-after").flatMap({ CookieDate.seconds($0) }) else { return nil }
        return Int(clamping: min(max(0, date.subtractingReportingOverflow(now).partialValue), 1 << 31))
    }

    /// Seconds that the answer spent in caches (RFC 9111 section 5.1); nil where it does not say.
    package var ageSeconds: Int? { wholeNumber("age") }

    private func wholeNumber(_ name: String) -> Int? {
        guard let text = header(name) else { return nil }
        var digits = text[...]
        while let last = digits.last, last == " " || last == "\t" { digits.removeLast() }
        digits = digits.drop { $0 == " " || $0 == "\t" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        // RFC 9111 section 1.2.2: a number that does not fit counts as a long time.
        return min(Int(digits) ?? .max, 1 << 31)
    }

    init(
        failure: TransportFailure?,
        status: Int,
        body: UnsafeRawBufferPointer,
        bodyBytes: Int,
        plannedAt: Instant,
        history: TransferHistory,
        times: AnswerTimes,
        on connection: AnsweredOn,
        carrier: Carrier,
        flaws: AnswerFlaws,
        source: any AnswerSource
    ) {
        self.failure = failure
        self.status = status
        self.body = body
        self.bodyBytes = bodyBytes
        self.plannedAt = plannedAt
        self.sentAt = history.sentAt
        self.firstByteAt = history.withoutHandling(times.firstByteAt)
        self.receivedAt = history.withoutHandling(times.receivedAt)
        self.doneAt = times.doneAt
        self.outgrewBuffer = times.outgrewBuffer
        self.connectMicroseconds = history.connectMicroseconds
        self.tlsMicroseconds = history.tlsMicroseconds
        self.awaitedMicroseconds = Int64(history.awaitedMicroseconds)
        self.newConnections = Int(history.newConnections)
        self.sends = Int(history.sends)
        self.redirects = Int(history.redirects)
        self.leftHost = history.leftHost
        self.localPort = connection.localPort
        self.remote = connection.remote
        self.connectionNote = connection.note
        self.carrier = carrier
        let isUnasked = status == 206 && !source.requestAsksForRange
        self.flaws = flaws.union(history.flaws).union(isUnasked ? .partialUnasked : [])
        self.source = source
    }

    /// The end of a request that was given up before libcurl had it.
    init(
        failure: TransportFailure,
        plannedAt: Instant,
        history: TransferHistory,
        doneAt: Instant,
        of request: PreparedRequest
    ) {
        self.init(
            failure: failure,
            status: 0,
            body: UnsafeRawBufferPointer(start: nil, count: 0),
            bodyBytes: 0,
            plannedAt: plannedAt,
            history: history,
            times: AnswerTimes(doneAt: doneAt),
            on: .nothing,
            carrier: .curl,
            flaws: [],
            source: KnownAnswer(url: request.url, requestHasBody: request.body != nil)
        )
    }

    /// The request that was not sent because of its host: the first, or one that a redirect leads to.
    package struct Refused {
        /// nil for a URL that is not http or https.
        package let target: RequestTarget?
        /// Status of the redirect; nil for the first request.
        package let redirect: Int?
        package let hasBody: Bool
    }

    /// nil where no request was refused.
    package var refused: Refused? {
        guard failure == .unauthorisedHost else { return nil }
        let next = header("location").flatMap { RequestTarget.resolve($0, against: url) }
        let redirect = RedirectStatus(status)
        return Refused(
            target: RequestTarget(url: next ?? url),
            redirect: redirect == nil ? nil : status,
            hasBody: source.requestHasBody && redirect?.keepsMethod ?? true
        )
    }

    /// A result made without a carrier, for virtual and scripted transports.
    ///
    /// Names in `headers` are in lower case; `bodyBytes` counts where the body is not handed over.
    package init(
        failure: TransportFailure?,
        status: Int = 0,
        body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        bodyBytes: Int? = nil,
        plannedAt: Instant,
        sentAt: Instant = .zero,
        firstByteAt: Instant = .zero,
        receivedAt: Instant = .zero,
        doneAt: Instant,
        newConnections: Int = 0,
        redirects: Int = 0,
        leftHost: Bool = false,
        carrier: Carrier = .curl,
        flaws: AnswerFlaws = [],
        headers: [String: String] = [:],
        url: String = "",
        remoteAddress: String = "",
        request: PreparedRequest? = nil
    ) {
        var history = TransferHistory()
        (history.sentAt, history.leftHost) = (sentAt, leftHost)
        (history.newConnections, history.redirects) = (Int16(clamping: newConnections), Int16(clamping: redirects))
        history.sends = sentAt == .zero ? 0 : 1 &+ history.redirects
        self.init(
            failure: failure,
            status: status,
            body: body,
            bodyBytes: bodyBytes ?? body.count,
            plannedAt: plannedAt,
            history: history,
            times: AnswerTimes(firstByteAt: firstByteAt, receivedAt: receivedAt, doneAt: doneAt),
            on: AnsweredOn(remote: remoteAddress.isEmpty ? RemoteAddresses.none : 1),
            carrier: carrier,
            flaws: flaws,
            source: KnownAnswer(
                headers: headers,
                url: url,
                remoteAddress: remoteAddress,
                trace: request?.trace,
                requestHasBody: request?.body != nil
            )
        )
    }
}

/// A carrier's knowledge of the answer being reported; read on the loop while the handler runs, and never later.
///
/// `TransferResult` describes each value.
protocol AnswerSource: AnyObject {
    var answerURL: String { get }

    func answerHeader(_ name: String) -> String?

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void)

    func copyAnswerHead() -> AnswerHeadCopy

    func remoteAddress(_ number: UInt16) -> String

    func noteConnection(_ note: UInt16)

    var requestAsksForRange: Bool { get }

    /// Of the last hop.
    var requestHasBody: Bool { get }

    var requestTrace: TraceContext? { get }
}

/// An answer without a carrier.
private final class KnownAnswer: AnswerSource {
    /// The keys are in lower case.
    private let headers: [String: String]
    private let remoteAddress: String
    let answerURL: String
    let requestTrace: TraceContext?
    let requestHasBody: Bool
    /// Its flaws are told with it.
    let requestAsksForRange = true

    init(
        headers: [String: String] = [:],
        url: String,
        remoteAddress: String = "",
        trace: TraceContext? = nil,
        requestHasBody: Bool
    ) {
        (self.headers, self.remoteAddress) = (headers, remoteAddress)
        (answerURL, requestTrace, self.requestHasBody) = (url, trace, requestHasBody)
    }

    func answerHeader(_ name: String) -> String? { headers[name.lowercased()] }

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        guard var value = headers["\(name)"] else { return take(nil) }
        value.withUTF8 { take(UnsafeRawBufferPointer($0)) }
    }

    func copyAnswerHead() -> AnswerHeadCopy {
        AnswerHeadCopy(headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    func remoteAddress(_ number: UInt16) -> String { remoteAddress }

    func noteConnection(_ note: UInt16) {}
}

package protocol TransferHandler: AnyObject {
    /// Called once for each started transfer, on the loop and never from within `start`, `close` or `cancelAll`.
    ///
    /// The body is valid during the call only. New transfers may be started and owners closed from here.
    func transferFinished(token: UInt64, _ result: borrowing TransferResult)

    /// Called before a redirect is followed; returns the cookies for `url`, where it leads.
    ///
    /// `result` is the answer that redirects, which is not reported otherwise.
    func cookies(for url: String, token: UInt64, after result: borrowing TransferResult) -> String?
}

extension TransferHandler {
    /// Cookies are not kept.
    package func cookies(for url: String, token: UInt64, after result: borrowing TransferResult) -> String? { nil }
}

/// Receives failures of the transport itself, which are defects of the harness and not of the target.
package protocol TransportDelegate: AnyObject {
    /// Called on the loop at most once; every transfer in flight, and every later one, ends as `TransportFailure.other`.
    func transportFailed(_ reason: String)

    /// Called on the loop, also from within `start`, for each connect that an address refused or did not accept in time.
    ///
    /// Only podswarm's own exchange does so: libcurl does not say which of a name's addresses it tried in vain.
    func connectFailed(at address: String)
}
