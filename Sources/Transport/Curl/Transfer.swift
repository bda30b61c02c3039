import CCurl
import COpenSSL
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
    /// The request that the handle is set to; libcurl points into it.
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
    var clearHTTP2 = ClearHTTP2()
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
        guard version == .http2OrHTTP1 else { return CURLE_OK.rawValue }
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
        guard !isRepeated, stopReason == nil, firstByteAt == .zero, clearHTTP2.attempt == nil, newConnections == 0,
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
        guard clearHTTP2.mayUseConnection() else { return CURL_PREREQFUNC_ABORT }
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

    var requestAsksForRange: Bool { carried?.hop.asksForRange ?? false }

    var lastRequest: PreparedRequest? { carried?.hop }

    var requestTrace: TraceContext? { request?.request.trace }

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

/// Chooses, hop by hop, how libcurl 7.88 gets HTTP/2 without TLS.
///
/// With prior knowledge it switches a connection to HTTP/2 at every request, and a reused one then fails (`CURLE_HTTP2`). With
/// the version left to TLS it reuses well, but would open a new one for HTTP/1.1. A hop asks for reuse first and, where libcurl
/// wants to connect, again with prior knowledge; or the other way round when a connection has come up meanwhile. The failed try
/// sends nothing.
struct ClearHTTP2 {
    enum Attempt {
        case reuse
        case connect
    }

    /// Limit of tries: connections may keep opening and closing under a hop.
    private static let limit = 8

    /// nil for HTTP/1.1 and for TLS.
    private(set) var attempt: Attempt?
    private var hasConnected = false
    private var mustChange = false
    private var tries = 0

    mutating func begin(isNeeded: Bool) {
        attempt = isNeeded ? .reuse : nil
        hasConnected = false
        mustChange = false
        tries = 0
    }

    mutating func mayConnect() -> Bool {
        guard attempt == .reuse else {
            hasConnected = true
            return true
        }
        mustChange = true
        return false
    }

    mutating func mayUseConnection() -> Bool {
        guard attempt == .connect, !hasConnected else { return true }
        mustChange = true
        return false
    }

    /// nil when the last attempt's end is final.
    mutating func next() -> Attempt? {
        guard mustChange, tries < Self.limit else { return nil }
        tries += 1
        mustChange = false
        hasConnected = false
        attempt = attempt == .reuse ? .connect : .reuse
        return attempt
    }
}

// None may call back into libcurl's multi interface (libcurl-multi(3)), so the functions called here only record.

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func carrier(_ context: UnsafeMutableRawPointer?) -> CurlCarrier? {
    context.map { Unmanaged<CurlCarrier>.fromOpaque($0).takeUnretainedValue() }
}

/// `CURLOPT_WRITEFUNCTION`; 0 makes libcurl stop with a write error.
func bodyCallback(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?)
    -> Int
{
    transfer(context)?.bodyArrived(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
}

func headerCallback(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.headerArrived(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
}

/// `CURLOPT_PREREQFUNCTION`: right before a request is written.
func prerequestCallback(
    _ context: UnsafeMutableRawPointer?,
    _ primaryIP: UnsafeMutablePointer<CChar>?,
    _ localIP: UnsafeMutablePointer<CChar>?,
    _ primaryPort: Int32,
    _ localPort: Int32
) -> Int32 {
    transfer(context)?.requestIsSent(localPort: localPort, to: primaryIP, port: primaryPort) ?? CURL_PREREQFUNC_ABORT
}

func openSocketCallback(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = transfer(context), let address,
        let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
    else { return -1 }
    // An IPv6 address is longer than the structure declares.
    let start = UnsafeRawPointer(address).advanced(by: place).assumingMemoryBound(to: sockaddr.self)
    transfer.connects(to: SocketAddress(start, size: address.pointee.addrlen))
    return transfer.carrier.openSocket(for: transfer, address.pointee)
}

/// `CURLOPT_CLOSESOCKETFUNCTION`; the carrier is its context, because a connection outlives its transfer.
func closeSocketCallback(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    carrier(context)?.closeSocket(socket) ?? 0
}

/// Limits TLS messages as the own exchange does, and tells the owner, whom the connection's socket keeps.
func tlsContextCallback(
    _ easy: UnsafeMutableRawPointer?,
    _ tls: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let tls, let owner = transfer(context)?.request?.owner else { return CURLE_ABORTED_BY_CALLBACK }
    let settings = OpaquePointer(tls)
    MessageLimit.install(in: settings)
    podswarm_tls_set_message_argument(settings, Unmanaged.passUnretained(owner).toOpaque())
    SSL_CTX_set_msg_callback(settings) { isSent, _, type, _, _, ssl, owner in
        guard MessageLimit.isPassed(ssl, byType: type, isSent: isSent != 0), let owner else { return }
        Unmanaged<ConnectionOwner>.fromOpaque(owner).takeUnretainedValue().isFlooded = true
    }
    return CURLE_OK
}

func socketCallback(
    _ easy: UnsafeMutableRawPointer?,
    _ socket: curl_socket_t,
    _ what: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    carrier(context)?.socketChanged(socket, what)
    return 0
}

func timerCallback(_ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?) -> Int32
{
    carrier(context)?.timerChanged(milliseconds)
    return 0
}
