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
    /// The request that the handle is set to; libcurl points into its headers.
    private(set) var configured: PreparedRequest?
    private var addresses: UnsafeMutablePointer<curl_slist>?
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
    private(set) var socketErrno: Int32 = 0
    var isRepeated = false
    var latestEnd = Instant.distantFuture
    /// The failure at the next deadline.
    var timeout = TransportFailure.totalTimeout

    init(easy: UnsafeMutableRawPointer, slot: Int32, carrier: CurlCarrier) {
        (self.easy, self.slot, self.carrier) = (easy, slot, carrier)
        answer = carrier.freshReader
        self.explanation = .allocate(capacity: Int(CURL_ERROR_SIZE))
        self.explanation.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        explanation.deallocate()
        curl_slist_free_all(addresses)
    }

    /// Sets what differs between hops.
    func set(_ next: CarriedTransfer) throws(TransportError) {
        let (hop, route) = (next.hop, carrier.origins.route(of: next.hop))
        try set(CURLOPT_URL, hop.url)
        isProxied = route?.proxy != nil
        // None sends it past every proxy: an http_proxy in the environment would carry the load to a host not authorised.
        try set(CURLOPT_PROXY, route?.proxy?.address.description ?? "")
        try check(CURLOPT_HTTPHEADER, podswarm_set_list(easy, CURLOPT_HTTPHEADER, hop.keepHeaders()?.curlForm))
        let isNamed = hop.method == .put || hop.method == .options
        try set(CURLOPT_CUSTOMREQUEST, isNamed ? hop.method.rawValue : nil)
        switch hop.method {
        case .get, .options: try set(CURLOPT_HTTPGET, 1)
        case .post, .put:
            try set(CURLOPT_POST, 1)
            let body = hop.body ?? []
            try set(CURLOPT_POSTFIELDSIZE, body.count)
            // libcurl would read an empty body without an address from the standard input.
            var bytes = body + [0]
            try check(CURLOPT_COPYPOSTFIELDS, podswarm_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, &bytes))
        }
        configured = hop
        // Parallel requests wait to share one connection, as in players' stacks. Without TLS none is shared, which libcurl would
        // learn from the first answer only.
        let shares = carrier.configuration.httpVersion != .http1 && hop.target?.scheme == "https"
        try set(CURLOPT_PIPEWAIT, shares ? 1 : 0)
        try setAddresses(
            [route?.proxy?.looksUpNames == true ? nil : route, route?.proxy?.route],
            of: next.request.owner
        )
    }

    /// Gives libcurl the addresses of a hop's name, and of its proxy's, in the owner's order.
    ///
    /// Each request does, because the handles of all owners have one cache of names, which keeps what it was given last.
    private func setAddresses(_ routes: [Route?], of owner: ConnectionOwner) throws(TransportError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in routes.compactMap({ $0?.resolveLine(for: owner) }) {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                return try check(CURLOPT_RESOLVE, CURLE_OUT_OF_MEMORY)
            }
            list = longer
        }
        guard list != nil else { return }
        let code = podswarm_set_list(easy, CURLOPT_RESOLVE, list)
        curl_slist_free_all(addresses)
        addresses = list
        try check(CURLOPT_RESOLVE, code)
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
        answer.keepsBody = request?.keepBody == true
        answer.limitBody(to: limits.bodyBytes(atMost: carrier.configuration.maximumBodyBytes))
    }

    func requestIsSent(localPort: Int32, to address: UnsafePointer<CChar>?, port: Int32) -> Int32 {
        let now = MonotonicClock.now()
        isSent = true
        if let owner = request?.owner { (owner.isFlooded, owner.isEndAnnounced) = (false, false) }
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
        let progress = answer.read(bytes)
        guard case .failed(let failure) = progress else { return bytes.count }
        stopReason = failure
        return 0
    }

    // Options that stay for a handle's life, and libcurl's calls.

    /// Sets the options that all pooled handles have, measured on libcurl 7.88.1.
    func setLastingOptions() throws(TransportError) {
        try set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(explanation))
        try setProtocol(carrier.configuration)
        try setTLS(carrier.configuration)
        try setProxy(carrier.configuration)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let options = [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA, CURLOPT_OPENSOCKETDATA,
            CURLOPT_SSL_CTX_DATA,
        ]
        for option in options { try set(option, context) }
        // A connection outlives its transfer.
        try set(CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(carrier).toOpaque())
        try setFunctions()
    }

    private func setProtocol(_ configuration: TransportConfiguration) throws(TransportError) {
        try set(CURLOPT_NOSIGNAL, 1)
        // 1024 hangs HTTP/2; freed after each transfer, so idle viewers pay nothing.
        try set(CURLOPT_BUFFERSIZE, 4096)
        // The least libcurl takes: allocated for each request over TLS.
        try set(CURLOPT_UPLOAD_BUFFERSIZE, 16384)
        // Other values make libcurl look through its host cache after every transfer.
        try set(CURLOPT_DNS_CACHE_TIMEOUT, -1)
        // libcurl would not reuse a connection idle for two minutes.
        try set(CURLOPT_MAXAGE_CONN, 86400)
        if let longest = configuration.connectionLife?.longest {
            try set(CURLOPT_MAXLIFETIME_CONN, max(1, Int(longest / 1_000_000_000)))
        }
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        switch configuration.httpVersion {
        case .http1:
            try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2, .http2OrHTTP1:
            // ALPN, with HTTP/1.1 where the server offers no other; and without TLS.
            try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        }
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        if configuration.acceptEncoding { try set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        // libcurl does not report a coded body that is cut off.
        try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        if let connectTo = carrier.connectTo {
            try check(CURLOPT_CONNECT_TO, podswarm_set_list(easy, CURLOPT_CONNECT_TO, connectTo))
        }
    }

    private func setTLS(_ configuration: TransportConfiguration) throws(TransportError) {
        try set(CURLOPT_SSL_VERIFYPEER, configuration.verifyTLS ? 1 : 0)
        try set(CURLOPT_SSL_VERIFYHOST, configuration.verifyTLS ? 2 : 0)
        // The session cache lives in the pooled handle: a viewer would resume another's session.
        try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        // Debian's default path switches off the cache of parsed authorities: 0.9 MB and 20 ms a connection.
        try set(CURLOPT_CAPATH, nil)
        if let file = configuration.caFile { try set(CURLOPT_CAINFO, file) }
        if let file = configuration.clientCertificateFile { try set(CURLOPT_SSLCERT, file) }
        if let file = configuration.clientKeyFile { try set(CURLOPT_SSLKEY, file) }
    }

    /// Each hop sets the proxy itself.
    private func setProxy(_ configuration: TransportConfiguration) throws(TransportError) {
        // A no_proxy in the environment would carry the load past the proxy.
        try set(CURLOPT_NOPROXY, "")
        guard let proxy = configuration.proxy else { return }
        if let user = proxy.user { try set(CURLOPT_PROXYUSERNAME, user) }
        if let password = proxy.password { try set(CURLOPT_PROXYPASSWORD, password) }
        // The answer to CONNECT is not an answer of the target.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_PROXY_SSL_VERIFYPEER, configuration.verifyTLS ? 1 : 0)
        try set(CURLOPT_PROXY_SSL_VERIFYHOST, configuration.verifyTLS ? 2 : 0)
        // As for the target's TLS.
        try set(CURLOPT_PROXY_CAPATH, nil)
        if let file = configuration.caFile { try set(CURLOPT_PROXY_CAINFO, file) }
    }

    /// None may call back into libcurl's multi interface (libcurl-multi(3)): they only record.
    private func setFunctions() throws(TransportError) {
        let codes = [
            podswarm_set_data_function(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
                object(transfer, Transfer.self)?.bodyArrived(.init(start: bytes, count: size &* count)) ?? 0
            },
            podswarm_set_data_function(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
                object(transfer, Transfer.self)?.headerArrived(.init(start: bytes, count: size &* count)) ?? 0
            },
            podswarm_set_prerequest_function(easy) { transfer, address, _, port, localPort in
                object(transfer, Transfer.self)?.requestIsSent(localPort: localPort, to: address, port: port)
                    ?? CURL_PREREQFUNC_ABORT
            },
            podswarm_set_open_socket_function(easy) { transfer, _, address in
                address.flatMap { object(transfer, Transfer.self)?.openSocket(to: $0) } ?? -1
            },
            podswarm_set_close_socket_function(easy) { object($0, CurlCarrier.self)?.closeSocket($1) ?? 0 },
            podswarm_set_ssl_context_function(easy) { _, tls, transfer in
                guard let tls, let owner = object(transfer, Transfer.self)?.request?.owner else {
                    return CURLE_ABORTED_BY_CALLBACK
                }
                limitMessages(in: OpaquePointer(tls), of: owner)
                return CURLE_OK
            },
        ]
        for (option, code) in zip(Self.functions, codes) { try check(option, code) }
    }

    private static let functions = [
        CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION, CURLOPT_PREREQFUNCTION, CURLOPT_OPENSOCKETFUNCTION,
        CURLOPT_CLOSESOCKETFUNCTION, CURLOPT_SSL_CTX_FUNCTION,
    ]

    /// Called before each try, also when libcurl repeats a request whose kept connection was closed; -1 on failure.
    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        carrier.loop.assertOnLoop()
        guard let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr), let owner = request?.owner else { return -1 }
        // An IPv6 address is longer than the structure declares.
        let start = UnsafeRawPointer(address).advanced(by: place).assumingMemoryBound(to: sockaddr.self)
        isSent = false
        connection.remote = carrier.remotes.number(of: SocketAddress(start, size: address.pointee.addrlen)?.text ?? "")
        let family = address.pointee.family
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, type, address.pointee.protocol)
        var number = descriptor < 0 ? errno : 0
        if number == 0, let source = owner.source {
            number = SocketAddress.bind(descriptor, family: family, to: carrier.origins.sources[Int(source)])
        }
        guard number == 0 else {
            socketErrno = number
            if descriptor >= 0 { Glibc.close(descriptor) }
            return -1
        }
        carrier.sockets[descriptor] = SocketTable.Socket(owner: owner)
        owner.sockets.insert(descriptor, at: 0)
        owner.connectionsOpened += 1
        return descriptor
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(option, podswarm_set_long(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String?) throws(TransportError) {
        try check(option, podswarm_set_string(easy, option, value))
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) throws(TransportError) {
        try check(option, podswarm_set_pointer(easy, option, value))
    }

    func check(_ option: CURLoption, _ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else {
            throw .library(
                call: "curl_easy_setopt(\(option.rawValue))",
                message: String(cString: curl_easy_strerror(code))
            )
        }
    }

    /// Without TLS nothing vouches for an end, and a length, chunks and HTTP/2 need nothing that does.
    var isEndAnnounced: Bool {
        configured?.target?.scheme != "https" || answer.isFramed
            || number(CURLINFO_HTTP_VERSION) > CURL_HTTP_VERSION_1_1
            || request?.owner.isEndAnnounced == true
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return podswarm_get_long(easy, info, &value) == CURLE_OK ? value : 0
    }

    func time(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return podswarm_get_offset(easy, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    func osError(_ code: CURLcode) -> Int32 {
        guard code == CURLE_COULDNT_CONNECT else { return 0 }
        return socketErrno == 0 ? Int32(clamping: number(CURLINFO_OS_ERRNO)) : socketErrno
    }

    /// The failure, as the proxy's where the request did not get past it.
    ///
    /// `code` is libcurl's. A tunnel that is there is the target's: what is wrong in it came from either end.
    func behindProxy(_ failure: TransportFailure?, _ code: CURLcode = CURLE_OK) -> TransportFailure? {
        guard isProxied, let scheme = carrier.configuration.proxy?.scheme, failure != .abandoned else { return failure }
        guard code != CURLE_PROXY else {
            return TransportFailure(proxyError: CURLproxycode(UInt32(clamping: number(CURLINFO_PROXY_ERROR))))
        }
        guard !isSent else {
            guard !scheme.isSOCKS, configured?.target?.scheme == "http" else { return failure }
            if failure == nil, answer.status == Self.proxyAuthenticationRequired { return .proxyUnauthorised }
            // A proxy answers with 502 for a target that does not answer, or not in HTTP (RFC 9110 section 15.6.3).
            let isUnanswered = firstByteAt == .zero && (failure == .reset || failure == .protocolError)
            return isUnanswered ? .proxyBroken : failure
        }
        switch number(CURLINFO_HTTP_CONNECTCODE) {
        case 200..<300: return failure
        case Self.proxyAuthenticationRequired: return .proxyUnauthorised
        case 1...: return .proxyRefused
        // TLS comes after SOCKS, and is the target's.
        default: return scheme.isSOCKS && failure == .tls ? failure : failure?.ofProxy
        }
    }

    /// RFC 9110 section 15.5.8.
    private static let proxyAuthenticationRequired = 407
}

/// Limits TLS messages as the own exchange does.
///
/// A flood and an alert are noted in the owner, whom the connection's socket keeps; next to no alert is sent but close_notify.
private func limitMessages(in settings: OpaquePointer, of owner: ConnectionOwner) {
    MessageLimit.install(in: settings)
    podswarm_tls_set_message_argument(settings, Unmanaged.passUnretained(owner).toOpaque())
    SSL_CTX_set_msg_callback(settings) { isSent, _, type, _, _, ssl, owner in
        guard isSent == 0, let told = object(owner, ConnectionOwner.self) else { return }
        if type == SSL3_RT_ALERT { told.isEndAnnounced = true }
        if MessageLimit.isPassed(ssl, byType: type, isSent: false) { told.isFlooded = true }
    }
}

extension TransportFailure {
    init(connectError number: Int32) {
        self =
            switch number {
            case ECONNREFUSED: .connectRefused
            case ETIMEDOUT: .connectTimeout
            case EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL, EADDRINUSE, EACCES, EPERM: .localResources
            default: .connectFailed
            }
    }

    /// RFC 9113 section 7: PROTOCOL_ERROR, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR and COMPRESSION_ERROR break HTTP/2; other codes
    /// end the answer.
    init(streamError code: UInt32) { self = [1, 3, 6, 9].contains(code) ? .protocolError : .reset }

    /// libcurl-errors(3); nil on success; `osError` is 0 when unknown.
    ///
    /// Only `explanation`, libcurl's text, tells a malformed chunk and a refused client from a failed read.
    init?(code: CURLcode, osError: Int32, explanation: UnsafePointer<CChar>) {
        switch code {
        case CURLE_OK: return nil
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .dns
        case CURLE_COULDNT_CONNECT: self.init(connectError: osError)
        case CURLE_INTERFACE_FAILED, CURLE_OUT_OF_MEMORY: self = .localResources
        // libcurl's own limit of five minutes for a connect; podswarm sets all other timeouts. A shorter one would not help
        // libcurl 7.88, which never gets beyond a name's silent first address.
        case CURLE_OPERATION_TIMEDOUT: self = .connectTimeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT:
            self = .tls
        case CURLE_RECV_ERROR where strstr(explanation, "in chunked-encoding") != nil: self = .protocolError
        // TLS 1.3 refuses a client only after its handshake.
        case CURLE_RECV_ERROR where strstr(explanation, "alert certificate required") != nil: self = .tls
        case CURLE_HTTP2_STREAM: self.init(streamError: Self.streamError(explanation))
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR: self = .reset
        case CURLE_PARTIAL_FILE: self = .truncated
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2,
            CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            self = .protocolError
        case CURLE_ABORTED_BY_CALLBACK: self = .abandoned
        default: self = .other
        }
    }

    /// From a text such as "HTTP/2 stream 1 was not closed cleanly: CANCEL (err 8)"; without a code, libcurl itself rejected
    /// the stream.
    private static func streamError(_ explanation: UnsafePointer<CChar>) -> UInt32 {
        let text = String(cString: explanation)
        guard let mark = text.ranges(of: "(err ").last else { return 1 }
        return UInt32(text[mark.upperBound...].prefix { $0.isNumber }) ?? 1
    }

    /// Failure of a proxy that has let nothing through.
    var ofProxy: TransportFailure {
        switch self {
        case .dns: .proxyUnresolved
        case .connectRefused, .connectFailed, .tls: .proxyUnreachable
        case .connectTimeout, .firstByteTimeout, .totalTimeout: .proxyTimeout
        case .reset, .protocolError: .proxyBroken
        default: self
        }
    }

    /// Maps the code of a SOCKS proxy (`CURLINFO_PROXY_ERROR`).
    ///
    /// Its replies of RFC 1928 section 6 about the target are the target's failures.
    init(proxyError code: CURLproxycode) {
        self =
            switch code {
            case CURLPX_REPLY_CONNECTION_REFUSED: .connectRefused
            case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED:
                .connectFailed
            case CURLPX_RESOLVE_HOST: .dns
            case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: .proxyUnauthorised
            case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, CURLPX_REPLY_COMMAND_NOT_SUPPORTED,
                CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REPLY_NOT_ALLOWED, CURLPX_REPLY_UNASSIGNED:
                .proxyRefused
            default: .proxyBroken
            }
    }
}
