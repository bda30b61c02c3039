package import Destinations
package import Rulebook
import Sockets
package import Time

/// How one transfer ended; valid during the handler's call only.
///
/// Instants are zero when they never came.
package struct TransferResult: ~Copyable {
    /// nil when an answer arrived in full, whatever its status.
    package let failure: TransportFailure?
    /// The last status received, 0 when there was none.
    package let status: Int
    /// The decoded body; empty when it was not to be kept.
    package let body: UnsafeRawBufferPointer
    /// Body bytes as they came over the wire, before decoding.
    package let bodyBytes: Int
    package let plannedAt: Instant
    /// The moment the request was first about to be written to a connection.
    package let sentAt: Instant
    /// The first byte of the last answer: by the kernel's stamp, or else when it was read.
    ///
    /// Redirects that lay in their sockets delayed the next request; that time is taken off here and in `receivedAt`.
    package let firstByteAt: Instant
    /// The last byte of the last answer by the kernel's stamp; zero where it has none that can be right.
    package let receivedAt: Instant
    /// The moment the answer was read, or the request given up.
    package let doneAt: Instant
    /// Whether the answer was larger than the socket's receive buffer, so that its end waited for the reader.
    package let outgrewBuffer: Bool
    /// TCP connect without the name look-up, over all hops; 0 when the connection was reused.
    package let connectMicroseconds: Int64
    /// TLS handshake, over all hops; 0 when there was none.
    package let tlsMicroseconds: Int64
    /// Time it waited for a connection that another request opened, or for room in what the server takes at once; the
    /// target's time as those are.
    package let awaitedMicroseconds: Int64
    /// Connections opened for this transfer, redirects included.
    package let newConnections: Int
    /// How often a request was put on a connection.
    ///
    /// More than 1 + `redirects` when it was repeated because a reused connection turned out to be closed (RFC 9110
    /// section 9.2.2).
    package let sends: Int
    package let redirects: Int
    /// Whether a redirect led to a host of another name than the one before.
    package let leftHost: Bool
    /// Local port of the connection used last, 0 when there was none.
    package let localPort: UInt16
    /// A number of the address that the connection used last leads to; 0 where there was no connection.
    package let remote: UInt16
    /// What a handler noted of this connection at an earlier answer; 0 for nothing.
    package let connectionNote: UInt16

    /// What carried the request; means nothing where the request was never sent.
    package let carrier: Carrier

    /// What the answer, or one that led on to it, says of its body that cannot be right.
    package let flaws: AnswerFlaws

    private let source: Source

    /// Where the rarely wanted is looked up.
    private enum Source {
        /// Whoever made the result outlives it.
        case carrier(any AnswerSource)
        case known(KnownAnswer)
    }

    /// Nanoseconds from the kernel's stamp of the last byte to the reading, over all hops; 0 where there is no stamp.
    package var handling: Int64 { receivedAt == .zero ? 0 : max(0, doneAt &- receivedAt) }

    /// Whether this transfer had to open a connection.
    package var isNewConnection: Bool { newConnections > 0 }

    /// The URL that was asked last; not redacted.
    package var effectiveURL: String {
        switch source {
        case .carrier(let carrier): carrier.answerURL
        case .known(let answer): answer.url
        }
    }

    /// What the carrier says of a failure, for people; empty when it says nothing.
    ///
    /// It may hold host names and paths.
    package var explanation: String {
        guard failure != nil, case .carrier(let carrier) = source else { return "" }
        return carrier.failureExplanation
    }

    /// The value of a header in the last answer; the last value where there are several.
    ///
    /// Upper and lower case of the name are the same.
    package func header(_ name: String) -> String? {
        switch source {
        case .carrier(let carrier): carrier.answerHeader(name)
        case .known(let answer): answer.headers[name.lowercased()]
        }
    }

    /// Hands over the bytes of such a value without making a String; they are valid during the call.
    ///
    /// Nil when the header is missing.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - take: Reads the value.
    package func readHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        switch source {
        case .carrier(let carrier): carrier.readAnswerHeader(name, take)
        case .known(let answer):
            guard var value = answer.headers["\(name)"] else { return take(nil) }
            value.withUTF8 { take(UnsafeRawBufferPointer($0)) }
        }
    }

    /// The head of the last answer, to be kept beyond the handler's call.
    package func copyHead() -> AnswerHeadCopy {
        switch source {
        case .carrier(let carrier): carrier.copyAnswerHead()
        case .known(let answer):
            AnswerHeadCopy(answer.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }

    /// The address and port that answered, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
    ///
    /// Empty where there was no connection.
    package var remoteAddress: String {
        switch source {
        case .carrier(let carrier): carrier.remoteAddress(remote)
        case .known(let answer): answer.remoteAddress
        }
    }

    /// What the request carried to be found again by; nil for nothing.
    package var trace: TraceContext? {
        switch source {
        case .carrier(let carrier): carrier.requestTrace
        case .known(let answer): answer.trace
        }
    }

    /// Notes something of the connection, which comes back as `connectionNote` with each later answer on it.
    ///
    /// Over libcurl nothing is kept.
    package func noteConnection(_ note: UInt16) {
        guard case .carrier(let carrier) = source else { return }
        carrier.noteConnection(note)
    }

    /// Seconds that the answer asks to wait (RFC 9110 section 10.2.3); nil where it does not, or names a date.
    package var retryAfterSeconds: Int? { wholeNumber("retry-after") }

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
        // RFC 9111 section 1.2.2: what does not fit is taken for a long time.
        return min(Int(digits) ?? .max, 1 << 31)
    }

    /// The end of a transfer as its carrier tells of it; `source` is asked for the rest while the handler runs.
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
        self.source = .carrier(source)
    }

    /// The end of a request that was given up before libcurl had it.
    init(failure: TransportFailure, plannedAt: Instant, history: TransferHistory, doneAt: Instant, url: String) {
        self.init(
            failure: failure,
            plannedAt: plannedAt,
            sentAt: history.sentAt,
            doneAt: doneAt,
            connectMicroseconds: history.connectMicroseconds,
            tlsMicroseconds: history.tlsMicroseconds,
            awaitedMicroseconds: Int64(history.awaitedMicroseconds),
            newConnections: Int(history.newConnections),
            redirects: Int(history.redirects),
            leftHost: history.leftHost,
            effectiveURL: url
        )
    }

    /// Where a request that failed as unauthorised would have gone: to its own host, or where a redirect led it.
    ///
    /// Nil for what is no http or https URL.
    package var refusedTarget: RequestTarget? {
        guard failure == .unauthorisedHost else { return nil }
        let url = effectiveURL
        let next = header("location").flatMap { RequestTarget.resolve($0, against: url) }
        return RequestTarget(url: next ?? url)
    }

    /// A result made without a carrier: for a request that was refused before it began, and for scripted transports.
    ///
    /// Names in `headers` are in lower case; `bodyBytes` where the body is not handed over.
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
        connectMicroseconds: Int64 = 0,
        tlsMicroseconds: Int64 = 0,
        awaitedMicroseconds: Int64 = 0,
        newConnections: Int = 0,
        redirects: Int = 0,
        leftHost: Bool = false,
        localPort: UInt16 = 0,
        carrier: Carrier = .curl,
        flaws: AnswerFlaws = [],
        headers: [String: String] = [:],
        effectiveURL: String = "",
        remoteAddress: String = "",
        trace: TraceContext? = nil
    ) {
        self.failure = failure
        self.status = status
        self.body = body
        self.bodyBytes = bodyBytes ?? body.count
        self.plannedAt = plannedAt
        self.sentAt = sentAt
        self.firstByteAt = firstByteAt
        self.receivedAt = receivedAt
        self.doneAt = doneAt
        self.outgrewBuffer = false
        self.connectMicroseconds = connectMicroseconds
        self.tlsMicroseconds = tlsMicroseconds
        self.awaitedMicroseconds = awaitedMicroseconds
        self.newConnections = newConnections
        self.sends = sentAt == .zero ? 0 : 1 + redirects
        self.redirects = redirects
        self.leftHost = leftHost
        self.localPort = localPort
        self.remote = remoteAddress.isEmpty ? RemoteAddresses.none : 1
        self.connectionNote = 0
        self.carrier = carrier
        self.flaws = flaws
        self.source = .known(
            KnownAnswer(headers: headers, url: effectiveURL, remoteAddress: remoteAddress, trace: trace)
        )
    }
}

/// What is known of an answer that no carrier brought; an object, so that a result stays small.
private final class KnownAnswer {
    /// By name in lower case.
    let headers: [String: String]
    let url: String
    let remoteAddress: String
    let trace: TraceContext?

    init(headers: [String: String], url: String, remoteAddress: String, trace: TraceContext?) {
        self.headers = headers
        self.url = url
        self.remoteAddress = remoteAddress
        self.trace = trace
    }
}
