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
    var answer: AnswerReader
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
        answer = carrier.freshReader
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
        stopReason = nil
        explanation[0] = 0
        answer.reset()
        let limits = request?.limits ?? .configured
        answer.limitBody(to: limits.bodyBytes(atMost: carrier.configuration.maximumBodyBytes))
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
        guard answer.readLine(line) else {
            stopReason = .protocolError
            return 0
        }
        return line.count
    }

    /// Bytes are not decoded yet; returns the bytes read, fewer to stop.
    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !bytes.isEmpty else { return 0 }
        let progress = answer.read(bytes, keepsBody: request?.keepBody == true)
        guard case .failed(let failure) = progress else { return bytes.count }
        stopReason = failure
        return 0
    }
}
