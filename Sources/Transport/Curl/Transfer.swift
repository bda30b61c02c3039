import CCurl
import Glibc
import Rules
import Values

/// One pooled easy handle and the request it carries; confined to its carrier's loop.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    let slot: Int32
    /// The carrier frees all handles before it goes.
    unowned let carrier: CurlCarrier

    /// libcurl's text of a failure (`CURLOPT_ERRORBUFFER`).
    let explanation: UnsafeMutablePointer<CChar>

    var carried: CarriedTransfer?
    var request: TransferRequest? { carried?.request }
    /// The request that the handle is set to; libcurl points into its headers.
    var configured: PreparedRequest?
    var addresses: UnsafeMutablePointer<curl_slist>?
    /// The owner that cache key and share are set to.
    var configuredScope: UInt32 = 0
    var configuredGroup: ConnectionGroup?
    var isAdded = false
    /// Whether the handle is set to the configuration's proxy.
    private(set) var isProxied = false
    /// Whether the hop's request was about to be written to a connection.
    private(set) var isSent = false

    var firstByteAt = Instant.zero
    var connection = AnsweredOn.nothing
    var headerBytes = 0
    /// nil before the body's first byte.
    private(set) var assembly: AnswerAssembly?
    private var head = AnswerHead(decodesContent: false)
    private var isInHead = false
    private var hasUndecodable = false
    /// The carrier's reason for making libcurl stop; overrides libcurl's code.
    var stopReason: TransportFailure?
    /// Error of a socket that could not be made or bound.
    var socketErrno: Int32 = 0
    var isRepeated = false
    var latestEnd = Instant.distantFuture
    /// The failure at the next deadline.
    var timeout = TransportFailure.totalTimeout

    init(easy: UnsafeMutableRawPointer, slot: Int32, carrier: CurlCarrier) {
        self.easy = easy
        self.slot = slot
        self.carrier = carrier
        self.explanation = .allocate(capacity: Int(CURL_ERROR_SIZE))
        self.explanation.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        explanation.deallocate()
        curl_slist_free_all(addresses)
    }

    /// Without TLS no connection is shared, which libcurl would learn from the first answer only.
    func setSharing(_ version: HTTPVersion, _ target: RequestTarget?) -> UInt32 {
        guard version != .http1 else { return CURLE_OK.rawValue }
        return podswarm_set_long(easy, CURLOPT_PIPEWAIT, target?.scheme == "https" ? 1 : 0).rawValue
    }

    /// Sends the next request through the proxy; nil sends it past every proxy.
    func setProxy(_ proxy: ProxyRoute?) -> UInt32 {
        guard isProxied != (proxy != nil) else { return CURLE_OK.rawValue }
        isProxied = proxy != nil
        return podswarm_set_string(easy, CURLOPT_PROXY, proxy?.address.description ?? "").rawValue
    }

    func begin(_ carried: CarriedTransfer) {
        self.carried = carried
        connection = .nothing
        socketErrno = 0
        beginHop()
    }

    /// Begins the hop again if its reused connection was reset without an answer.
    ///
    /// A server may close a kept connection at any time, and the request goes over another one, once (RFC 9112 section 9.3.1).
    /// libcurl repeats it after an end, not after a reset.
    func repeats(afterConnections newConnections: Int) -> Bool {
        guard !isRepeated, stopReason == nil, firstByteAt == .zero, newConnections == 0,
            podswarm_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
        else { return false }
        isRepeated = true
        beginHop()
        return true
    }

    func beginHop() {
        firstByteAt = .zero
        isSent = false
        headerBytes = 0
        stopReason = nil
        explanation[0] = 0
        isInHead = false
        head = AnswerHead(decodesContent: false)
        returnBody()
        hasUndecodable = false
    }

    var flaws: AnswerFlaws {
        guard !isInHead else { return [] }
        return hasUndecodable ? head.flaws.union(.codingInvalid) : head.flaws
    }

    /// `.truncated` if the body's coding has not ended.
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
    /// Called before each try, also when libcurl repeats a request whose kept connection was closed.
    func connects(to address: SocketAddress?) {
        isSent = false
        connection.remote = carrier.remotes.number(of: address?.text ?? "")
    }

    func requestIsSent(localPort: Int32, to address: UnsafePointer<CChar>?, port: Int32) -> Int32 {
        let now = MonotonicClock.now()
        isSent = true
        request?.owner.isFlooded = false
        carried?.history.sent(at: now)
        let host = address.map { String(cString: $0) } ?? ""
        connection.localPort = UInt16(truncatingIfNeeded: localPort)
        connection.remote = carrier.remotes.number(
            of: host.isEmpty ? "" : host.authority(port: UInt16(truncatingIfNeeded: port))
        )
        carrier.requestSent(self, at: now)
        return CURL_PREREQFUNC_OK
    }

    /// Returns the bytes read, fewer to stop.
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

    /// Parses along, because libcurl reports no contradictions in a head; ignores trailers.
    private func readAlong(_ line: UnsafeRawBufferPointer) {
        if AnswerHead.mayBeginStatusLine(line) {
            head = AnswerHead(after: line, decodesContent: carrier.configuration.acceptEncoding)
            isInHead = true
        } else if isInHead, let start = line.baseAddress, let whole = HeadLine(at: start, of: line.count) {
            let step = head.take(start, whole)
            isInHead = step == .header
            // Nothing in an invalid head counts.
            if step == .malformed { head = AnswerHead(decodesContent: false) }
        }
    }

    /// Bytes are not decoded yet; returns the bytes read, fewer to stop.
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
    var answerURL: String { text(CURLINFO_EFFECTIVE_URL) ?? "" }

    func text(_ info: CURLINFO) -> String? {
        var text: UnsafePointer<CChar>?
        guard podswarm_get_string(easy, info, &text) == CURLE_OK else { return nil }
        return text.map { String(cString: $0) }
    }

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

    var lastRequest: PreparedRequest? { carried?.hop }

    /// Valid until the transfer's next use; a static string ends with a zero, as C wants it.
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
