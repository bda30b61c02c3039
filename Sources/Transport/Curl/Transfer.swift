import CCurl
import Glibc
import Rules
import Values

/// One pooled easy handle and the state of the request it carries at the moment.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    let slot: Int32
    /// Valid as long as the handle lives: the carrier frees all handles before it goes.
    unowned let carrier: CurlCarrier

    /// libcurl's text of why a transfer failed (`CURLOPT_ERRORBUFFER`).
    let explanation: UnsafeMutablePointer<CChar>

    var carried: CarriedTransfer?
    var request: TransferRequest? { carried?.request }
    /// The request that the handle's URL, method, headers and body are set to; kept so that libcurl's pointers into it stay
    /// valid.
    var configured: PreparedRequest?
    /// The owner that the handle's cache key and share are set to.
    var configuredScope: UInt32 = 0
    var configuredGroup: ConnectionGroup?
    var isAdded = false

    var firstByteAt = Instant.zero
    var connection = AnsweredOn.nothing
    var headerBytes = 0
    /// The body; nil before its first byte.
    private(set) var assembly: AnswerAssembly?
    /// The answer's head, as far as it describes the body.
    private var head = AnswerHead(decodesContent: false)
    private var isInHead = false
    private var hasUndecodable = false
    /// The carrier's own reason for making libcurl stop; takes precedence over libcurl's code.
    var stopReason: TransportFailure?
    /// Error number of a socket that could not be made or bound.
    var socketErrno: Int32 = 0
    var clearHTTP2 = ClearHTTP2()
    var isRepeated = false
    /// The end of the transfer's whole time.
    var latestEnd = Instant.distantFuture
    /// The failure at its next deadline.
    var timeout = TransportFailure.totalTimeout

    init(easy: UnsafeMutableRawPointer, slot: Int32, carrier: CurlCarrier) {
        self.easy = easy
        self.slot = slot
        self.carrier = carrier
        self.explanation = .allocate(capacity: Int(CURL_ERROR_SIZE))
        self.explanation.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { explanation.deallocate() }

    func begin(_ carried: CarriedTransfer) {
        self.carried = carried
        connection = .nothing
        socketErrno = 0
        beginHop()
    }

    /// Begins the hop again if its reused connection was reset without an answer; false otherwise.
    ///
    /// A server may close a kept connection at any time: what was on its way goes over another one, once (RFC 9112 section
    /// 9.3.1). libcurl does so where the connection ended, not where it was reset.
    func repeats(afterConnections newConnections: Int) -> Bool {
        guard !isRepeated, stopReason == nil, firstByteAt == .zero, clearHTTP2.attempt == nil, newConnections == 0,
            podswarm_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
        else { return false }
        isRepeated = true
        beginHop()
        return true
    }

    func beginHop() {
        firstByteAt = .zero
        headerBytes = 0
        stopReason = nil
        explanation[0] = 0
        isInHead = false
        head = AnswerHead(decodesContent: false)
        returnBody()
        hasUndecodable = false
    }

    /// Contradictions in the answer's description of its body.
    var flaws: AnswerFlaws {
        guard !isInHead else { return [] }
        return hasUndecodable ? head.flaws.union(.codingInvalid) : head.flaws
    }

    /// Ends the answer's body; returns `.truncated` if its coding has not ended by then.
    func ended() -> TransportFailure? {
        guard let assembly, !assembly.isDecodedWhole else { return nil }
        hasUndecodable = true
        return .truncated
    }

    func returnBody() {
        if let assembly { carrier.pool.giveBack(assembly) }
        assembly = nil
    }
}

// MARK: - What libcurl tells

extension Transfer {
    func requestIsSent(localPort: Int32, to address: UnsafePointer<CChar>?, port: Int32) -> Int32 {
        guard clearHTTP2.mayUseConnection() else { return CURL_PREREQFUNC_ABORT }
        let now = MonotonicClock.now()
        carried?.history.sent(at: now)
        let host = address.map { String(cString: $0) } ?? ""
        connection.localPort = UInt16(truncatingIfNeeded: localPort)
        connection.remote = carrier.remotes.number(
            of: host.isEmpty ? "" : SocketAddress.text(host: host, port: UInt16(truncatingIfNeeded: port))
        )
        carrier.requestSent(self, at: now)
        return CURL_PREREQFUNC_OK
    }

    /// Handles one header line or status line; returns the bytes read, fewer to stop.
    func headerArrived(_ line: UnsafeRawBufferPointer) -> Int {
        if firstByteAt == .zero {
            firstByteAt = MonotonicClock.now()
            carrier.answerBegun(self)
        }
        headerBytes += line.count
        guard headerBytes <= carrier.configuration.maximumHeaderBytes else {
            stopReason = .protocolError
            return 0
        }
        readAlong(line)
        return line.count
    }

    /// Parses the head as the exchange does, because libcurl does not report contradictions in it.
    ///
    /// Trailers come after the head and are ignored.
    private func readAlong(_ line: UnsafeRawBufferPointer) {
        if AnswerHead.mayBeginStatusLine(line) {
            head = AnswerHead(after: line, decodesContent: carrier.configuration.acceptEncoding)
            isInHead = true
        } else if isInHead, let start = line.baseAddress, let whole = HeadLine(at: start, of: line.count) {
            let step = head.take(start, whole)
            isInHead = step == .header
            // Nothing in an invalid head counts, however far it was read.
            if step == .malformed { head = AnswerHead(decodesContent: false) }
        }
    }

    /// Handles bytes of the body before decoding; returns the bytes read, fewer to stop.
    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !bytes.isEmpty else { return 0 }
        let assembly = self.assembly ?? beginBody()
        let outcome = assembly.readBody(bytes, keepsBody: request?.keepBody == true)
        hasUndecodable = assembly.hasUndecodable
        guard case .failed(let failure) = outcome else { return bytes.count }
        stopReason = failure
        return 0
    }

    private func beginBody() -> AnswerAssembly {
        let begun = carrier.pool.take()
        let limit = carrier.configuration.maximumBodyBytes
        let own = request?.limits.bodyBytes(atMost: limit) ?? limit
        begun.beginBody(head.codings, bodyLimit: own, pool: carrier.pool)
        assembly = begun
        return begun
    }
}

// MARK: - What a result asks for

extension Transfer: AnswerSource {
    var answerURL: String {
        text(CURLINFO_EFFECTIVE_URL) ?? ""
    }

    func text(_ info: CURLINFO) -> String? {
        var text: UnsafePointer<CChar>?
        guard podswarm_get_string(easy, info, &text) == CURLE_OK else { return nil }
        return text.map { String(cString: $0) }
    }

    var failureExplanation: String { String(cString: explanation) }

    func answerHeader(_ name: String) -> String? { value(of: name).map { String(cString: $0) } }

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        let value = name.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap { self.value(of: $0) } }
        }
        take(value.map { UnsafeRawBufferPointer(start: $0, count: strlen($0)) })
    }

    func copyAnswerHead() -> AnswerHeadCopy {
        var headers: [(name: String, value: String)] = []
        var last: UnsafeMutablePointer<curl_header>?
        while let header = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, last) {
            headers.append((String(cString: header.pointee.name), String(cString: header.pointee.value)))
            last = header
        }
        return AnswerHeadCopy(headers)
    }

    func remoteAddress(_ number: UInt16) -> String { carrier.remotes.text(number) }

    /// libcurl does not say which connection an answer came on.
    func noteConnection(_ note: UInt16) {}

    var requestAsksForRange: Bool { carried?.hop.asksForRange ?? false }

    var requestTrace: TraceContext? { request?.request.trace }

    /// Valid until the transfer is used again; a static string's bytes end with a zero, as C wants it.
    private func value(of name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? {
        var header: UnsafeMutablePointer<curl_header>?
        let origin = UInt32(CURLH_HEADER)
        guard curl_easy_header(easy, name, 0, origin, -1, &header) == CURLHE_OK, let first = header else { return nil }
        let count = first.pointee.amount
        guard count > 1 else { return first.pointee.value }
        guard curl_easy_header(easy, name, count - 1, origin, -1, &header) == CURLHE_OK else { return nil }
        return header?.pointee.value
    }
}
