package import Rules
package import Values

/// An ended transfer, valid during the handler's call only; instants are zero when they never came.
package struct TransferResult {
    /// nil when an answer arrived in full, whatever its status.
    package private(set) var failure: TransportFailure?
    /// The last status received, 0 when there was none.
    package let status: Int
    /// The decoded body; empty when it was not to be kept.
    package private(set) var body: UnsafeRawBufferPointer
    /// Body bytes before decoding.
    package let bodyBytes: Int
    package private(set) var plannedAt: Instant
    package private(set) var history: TransferHistory
    package let times: AnswerTimes
    package let connection: AnsweredOn
    /// Means nothing for an unsent request.
    package let carrier: Carrier
    /// Redirects' flaws included.
    package let flaws: AnswerFlaws
    private let source: any AnswerSource

    @inlinable package var sentAt: Instant { history.sentAt }
    @inlinable package var firstByteAt: Instant { times.firstByteAt }
    @inlinable package var receivedAt: Instant { times.receivedAt }
    @inlinable package var doneAt: Instant { times.doneAt }
    @inlinable package var redirects: Int { Int(history.redirects) }
    @inlinable package var leftHost: Bool { history.leftHost }

    /// Nanoseconds from the last byte's stamp to the reading, over all hops; 0 without a stamp.
    @inlinable package var handling: Int64 { receivedAt == .zero ? 0 : max(0, doneAt &- receivedAt) }

    @inlinable package var isSuccess: Bool { failure == nil && (200..<300).contains(status) }

    /// The last hop's; not redacted.
    package var url: String { source.answerURL }

    /// The last answer's last value; ignores case.
    package func header(_ name: String) -> String? { HeaderLookup.value(of: name, in: source.answerHead) }

    /// Valid during the call, nil without the header; `name` is in lower case.
    package func readHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        HeaderLookup.read(name, in: source.answerHead, take)
    }

    /// Outlives the handler's call.
    package func copyHead() -> AnswerHeadCopy { AnswerHeadCopy(source.answerHead) }

    /// Such as `192.0.2.1:443` or `[2001:db8::1]:443`; empty where none was tried.
    package var remoteAddress: String { source.remoteAddress(connection.remote) }

    package var trace: TraceContext? { source.lastRequest?.trace }

    /// The last hop's; nil where a scripted transport has none.
    package var request: PreparedRequest? { source.lastRequest }

    /// Comes back with later answers on this connection, except over libcurl.
    package func noteConnection(_ note: UInt16) { source.noteConnection(note) }

    /// RFC 9110 section 10.2.3; nil for a date.
    package var retryAfterSeconds: Int? { wholeNumber("retry-after") }

    /// Seconds, also until a date; a past date means 0; `now` counts seconds since 1970.
    package func retryAfter(now: Int64) -> Int? {
        if let seconds = retryAfterSeconds { return seconds }
        guard let date = header("retry-after").flatMap({ CookieDate.seconds($0) }) else { return nil }
        return Int(clamping: min(max(0, date.subtractingReportingOverflow(now).partialValue), 1 << 31))
    }

    /// Seconds in caches (RFC 9111 section 5.1); nil without the header.
    package var ageSeconds: Int? { wholeNumber("age") }

    private func wholeNumber(_ name: String) -> Int? {
        guard let text = header(name) else { return nil }
        var digits = text[...]
        while let last = digits.last, last == " " || last == "\t" { digits.removeLast() }
        digits = digits.drop { $0 == " " || $0 == "\t" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        // RFC 9111 section 1.2.2: what does not fit is a long time.
        return min(Int(digits) ?? .max, 1 << 31)
    }

    init(
        failure: TransportFailure?,
        status: Int = 0,
        body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        bodyBytes: Int = 0,
        plannedAt: Instant,
        history: TransferHistory,
        times: AnswerTimes,
        on connection: AnsweredOn = .nothing,
        carrier: Carrier = .curl,
        flaws: AnswerFlaws = [],
        source: any AnswerSource
    ) {
        (self.failure, self.status, self.body, self.bodyBytes) = (failure, status, body, bodyBytes)
        (self.plannedAt, self.history, self.connection, self.carrier) = (plannedAt, history, connection, carrier)
        self.times = history.withoutHandling(times)
        let isUnasked = status == 206 && source.lastRequest?.asksForRange == false
        self.flaws = flaws.union(history.flaws).union(isUnasked ? .partialUnasked : [])
        self.source = source
    }

    /// The answer as a page gets it whose browser refuses it (Fetch standard, "CORS check").
    package func refusedByBrowser() -> TransferResult {
        var refused = self
        (refused.failure, refused.body) = (.corsRefused, UnsafeRawBufferPointer(start: nil, count: 0))
        return refused
    }

    /// The end of a transfer that waited for this answer to a preflight.
    package func ending(_ held: TransferRequest, after history: TransferHistory) -> TransferResult {
        var end = self
        end.failure = failure ?? .abandoned
        if history.sends > 0 { (end.plannedAt, end.history) = (held.plannedAt, history) }
        return end
    }

    /// Permission for pages of other origins; nil where the request had no `Origin`, or that of its own URL.
    package var crossOriginPermission: CrossOriginPermission? {
        guard let page = source.lastRequest?.foreignPage else { return nil }
        let head = copyHead()
        return CrossOriginPermission(
            origin: page.origin,
            sendsCookies: page.sendsCookies,
            allowedOrigin: joined("access-control-allow-origin", in: head),
            allowedCredentials: joined("access-control-allow-credentials", in: head)
        )
    }

    package func joined(_ name: StaticString) -> String? { joined(name, in: copyHead()) }

    /// All values of a header, as browsers join them (Fetch standard, "get" of a header list); nil without one.
    private func joined(_ name: StaticString, in head: AnswerHeadCopy) -> String? {
        var joined: String?
        head.readEach(name) { joined = (joined.map { $0 + ", " } ?? "") + String(decoding: $0, as: UTF8.self) }
        // The copy lacks the end of a long head.
        return joined ?? header("\(name)")
    }

    /// The request that was not sent because of its host: the first, or one that a redirect leads to.
    package struct Refused {
        /// nil unless http or https.
        package let target: RequestTarget?
        /// nil for the first request.
        package let redirect: Int?
        package let hasBody: Bool
    }

    package var refused: Refused? {
        guard failure == .unauthorisedHost else { return nil }
        let next = header("location").flatMap { RequestTarget.resolve($0, against: url) }
        let redirect = RedirectStatus(status)
        return Refused(
            target: RequestTarget(url: next ?? url),
            redirect: redirect == nil ? nil : status,
            hasBody: source.lastRequest?.body != nil && redirect?.keepsMethod ?? true
        )
    }

    /// For virtual and scripted transports; names in `headers` are in lower case.
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
        connection: VirtualConnection? = nil,
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
            on: AnsweredOn(
                remote: remoteAddress.isEmpty ? RemoteAddresses.none : 1,
                note: connection?.notes[remoteAddress] ?? 0
            ),
            carrier: carrier,
            flaws: flaws,
            source: KnownAnswer(
                url: url,
                headers: headers,
                remoteAddress: remoteAddress,
                connection: connection,
                lastRequest: redirects > 0
                    ? request?.redirected(to: url, keepsMethod: true, cookies: nil, isOfPage: true) : request
            )
        )
    }
}

/// An answer being reported, see `TransferResult`; not read after the handler's return.
protocol AnswerSource: AnyObject {
    var answerURL: String { get }
    /// As it came, from the first line on.
    var answerHead: UnsafeRawBufferPointer { get }
    /// The last hop's; nil where a script has none.
    var lastRequest: PreparedRequest? { get }

    func remoteAddress(_ number: UInt16) -> String

    func noteConnection(_ note: UInt16)
}

/// Carries all requests of one viewer to a target in this process.
package final class VirtualConnection {
    /// By address.
    fileprivate var notes: [String: UInt16] = [:]

    package init() {}
}

final class KnownAnswer: AnswerSource {
    private let headers: [String: String]
    private let remoteAddress: String
    private let connection: VirtualConnection?
    /// Made when it is first asked for.
    private var head = BodyBuffer()
    let answerURL: String
    let lastRequest: PreparedRequest?

    init(
        url: String,
        headers: [String: String] = [:],
        remoteAddress: String = "",
        connection: VirtualConnection? = nil,
        lastRequest: PreparedRequest?
    ) {
        (self.headers, self.remoteAddress, self.connection) = (headers, remoteAddress, connection)
        (answerURL, self.lastRequest) = (url, lastRequest)
    }

    deinit { head.deallocate() }

    var answerHead: UnsafeRawBufferPointer {
        if head.count == 0, !headers.isEmpty {
            var text = headers.sorted { $0.key < $1.key }.reduce("\n") { $0 + "\($1.key): \($1.value)\n" }
            text.withUTF8 { head.append(UnsafeRawBufferPointer($0)) }
        }
        return head.bytes
    }

    func remoteAddress(_ number: UInt16) -> String { remoteAddress }

    func noteConnection(_ note: UInt16) { connection?.notes[remoteAddress] = note }
}

package protocol TransferHandler: AnyObject {
    /// Called once per transfer, on the loop, never from within `start`, `close` or `cancelAll`; may start transfers and close
    /// owners.
    func transferFinished(token: UInt64, _ result: borrowing TransferResult)

    /// Called before a redirect is followed; returns the cookies for `url`, where it leads, and whether the viewer is a page in a
    /// browser.
    ///
    /// `result` is the answer that redirects, which is not reported otherwise. Throws the reason why the redirect is not
    /// followed: the transfer ends with that failure.
    func redirected(
        to url: String,
        token: UInt64,
        after result: borrowing TransferResult
    ) throws(TransportFailure) -> RedirectedViewer

    /// Called before the next hop of a redirect is sent; true to send it later or never, by `start` with `history`: until then
    /// the transfer is forgotten.
    func holds(_ next: TransferRequest, after history: TransferHistory) -> Bool

    /// A defect of the harness, not of the target; called at most once: all transfers, later ones too, end as
    /// `TransportFailure.other`.
    func transportFailed(_ reason: String)

    /// Called also from within `start`, for each failed connect; libcurl does not report them.
    func connectFailed(at address: String)
}

package typealias RedirectedViewer = (cookies: String?, isPage: Bool)

extension TransferHandler {
    package func redirected(to url: String, token: UInt64, after result: borrowing TransferResult) -> RedirectedViewer {
        (nil, false)
    }

    package func holds(_ next: TransferRequest, after history: TransferHistory) -> Bool { false }

    package func transportFailed(_ reason: String) {}

    package func connectFailed(at address: String) {}
}

extension CookieJar {
    /// Stores the `Set-Cookie` fields of an answer; true if the cookies of requests change.
    package mutating func take(_ answer: borrowing TransferResult, now: @autoclosure () -> Int64) -> Bool {
        var (hasCookies, isChanged) = (false, false)
        answer.readHeader("set-cookie") { hasCookies = $0 != nil }
        guard hasCookies, let place = RequestTarget(url: answer.url) else { return false }
        let now = now()
        answer.copyHead().readEach("set-cookie") {
            isChanged = take(String(decoding: $0, as: UTF8.self), from: place, now: now) || isChanged
        }
        return isChanged
    }
}
