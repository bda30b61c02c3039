import CCurl
import CLinux
import COpenSSL
import Glibc
package import Rules
import Synchronization
import Values

package enum TLSOutcome {
    case done(Int)
    case wantsRead
    case wantsWrite
    /// With or without close_notify: players take a body that ends either way (RFC 9112 section 9.8).
    case closed
    case reset
    case failed(TransportFailure)
}

/// Released by `free`; a client's socket stays its caller's.
package struct TLSConnection {
    private let ssl: OpaquePointer

    /// Takes the BIO over, also on failure; nil when memory is out.
    init?(accepting context: OpaquePointer, over bio: OpaquePointer) {
        guard let ssl = SSL_new(context) else {
            BIO_free(bio)
            return nil
        }
        self.ssl = ssl
        // One reference serves both reading and writing.
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
    }

    /// nil when memory is out, or when OpenSSL refuses the name: it would then verify no name; `wantsHTTP2` false overrides the
    /// context's offer.
    package init?(_ shared: TLSContext, descriptor: Int32, host: String, session: TLSSession?, wantsHTTP2: Bool) {
        guard let ssl = SSL_new(shared.context) else { return nil }
        self.ssl = ssl
        guard let bio = SocketBIO.new(descriptor) else {
            SSL_free(ssl)
            return nil
        }
        SSL_set_bio(ssl, bio, bio)
        SSL_set_connect_state(ssl)
        guard Self.expect(host, of: ssl, verifies: shared.verifies) else {
            SSL_free(ssl)
            return nil
        }
        if !wantsHTTP2 { TLSContext.offer(http2: false, SSL_set_alpn_protos, ssl) }
        if let session { SSL_set_session(ssl, session.session) }
    }

    /// False when OpenSSL refuses.
    private static func expect(_ host: String, of ssl: OpaquePointer, verifies: Bool) -> Bool {
        if IPAddress(host) != nil { return !verifies || X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1 }
        podswarm_tls_set_server_name(ssl, host)
        guard verifies else { return true }
        SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return SSL_set1_host(ssl, host) == 1
    }

    /// Call again after `wantsRead` or `wantsWrite`.
    package func handshake() -> TLSOutcome {
        ERR_clear_error()
        return outcome(SSL_do_handshake(ssl))
    }

    /// Bounds a client's reads until the next call: a fast peer would hold the loop.
    ///
    /// Further ones want to read, and epoll reports the rest.
    package func beginTurn() { SocketBIO.allowReads(SSL_get_rbio(ssl)) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSOutcome {
        ERR_clear_error()
        return outcome(SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    /// Kernel's receipt of the last bytes read, or later, in nanoseconds of CLOCK_REALTIME; 0 if unknown.
    package var lastReceipt: Int64 { SocketBIO.lastReceipt(SSL_get_rbio(ssl)) }

    package func write(_ bytes: UnsafeRawBufferPointer) -> TLSOutcome {
        ERR_clear_error()
        return outcome(SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Chosen by ALPN (RFC 7301); nil without one.
    package var chosenProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    package var choseHTTP2: Bool { chosenProtocol == "h2" }

    /// epoll cannot see bytes that wait in OpenSSL.
    package var hasPending: Bool { SSL_has_pending(ssl) == 1 }

    /// A close, or unasked data, after the bytes read.
    package var hasMore: Bool {
        guard hasPending else { return false }
        ERR_clear_error()
        var byte: UInt8 = 0
        let code = SSL_peek(ssl, &byte, 1)
        return code > 0 || SSL_get_error(ssl, code) != SSL_ERROR_WANT_READ
    }

    /// nil if the peer has given none.
    package func takeSession(of peer: ObjectIdentifier) -> TLSSession? {
        guard let current = SSL_get_session(ssl), SSL_SESSION_is_resumable(current) == 1,
            let session = SSL_get1_session(ssl)
        else { return nil }
        return TLSSession(session, of: peer)
    }

    /// Whether close_notify came, after all that was read.
    package var isClosedByPeer: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }

    /// Does not wait.
    package func sayGoodbye() {
        ERR_clear_error()
        SSL_shutdown(ssl)
    }

    /// Call it once; no copy may be used afterwards.
    package func free() { SSL_free(ssl) }

    private func outcome(_ code: Int32) -> TLSOutcome {
        guard code <= 0 else { return .done(Int(code)) }
        guard !MessageLimit.isPassed(ssl) else { return .failed(.protocolError) }
        switch SSL_get_error(ssl, code) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL: return .reset
        default: break
        }
        switch ERR_GET_REASON(ERR_peek_error()) {
        case SSL_R_UNEXPECTED_EOF_WHILE_READING: return .closed
        // TLS 1.3 refuses a client only after its handshake.
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED: return .failed(.tls)
        default: return .failed(.reset)
        }
    }
}

/// For one owner and one origin (RFC 8446 section 2.2).
package final class TLSSession {
    let session: OpaquePointer
    /// The peer that gave the session, such as a route.
    package let peer: ObjectIdentifier

    /// Consumes one reference.
    init(_ session: OpaquePointer, of peer: ObjectIdentifier) {
        (self.session, self.peer) = (session, peer)
    }

    deinit { SSL_SESSION_free(session) }
}

/// Limits the handshake messages of one connection: tickets, key updates, requests to renegotiate.
///
/// OpenSSL reads them within one call, for as long as they come.
enum MessageLimit {
    /// A server sends a few for each handshake; a key is updated once in some 2^24 records (RFC 8446 section 5.5).
    private static let most = 1024
    private static let index = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    static func install(in context: OpaquePointer) {
        podswarm_tls_return_after_messages(context)
        SSL_CTX_set_msg_callback(context) { isSent, _, type, _, _, ssl, _ in
            _ = MessageLimit.isPassed(ssl, byType: type, isSent: isSent != 0)
        }
    }

    /// Counts a message of a record type; OpenSSL reads no further once the limit is passed.
    static func isPassed(_ ssl: OpaquePointer?, byType type: Int32, isSent: Bool) -> Bool {
        guard !isSent, type == SSL3_RT_HANDSHAKE, let ssl else { return false }
        SSL_set_ex_data(ssl, index, UnsafeMutableRawPointer(bitPattern: count(ssl) + 1))
        guard isPassed(ssl) else { return false }
        SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN)
        return true
    }

    static func isPassed(_ ssl: OpaquePointer) -> Bool { count(ssl) > most }

    private static func count(_ ssl: OpaquePointer) -> Int { Int(bitPattern: SSL_get_ex_data(ssl, index)) }
}

/// Keeps the kernel's stamp of the last read, which OpenSSL's own BIO does not ask for.
enum SocketBIO {
    private struct State {
        let descriptor: Int32
        /// As `TLSConnection.lastReceipt`.
        var lastReceipt: Int64 = 0
        var hasEnded = false
        var readsLeft = 0
    }

    /// The caller owns the socket.
    static func new(_ descriptor: Int32) -> OpaquePointer? {
        guard let method = method.pointer, let bio = BIO_new(method) else { return nil }
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(descriptor: descriptor))
        BIO_set_data(bio, state)
        BIO_set_init(bio, 1)
        return bio
    }

    /// Each reads up to 16 KiB.
    private static let readsOfTurn = 16

    static func allowReads(_ bio: OpaquePointer?) { state(bio)?.pointee.readsLeft = readsOfTurn }

    static func lastReceipt(_ bio: OpaquePointer?) -> Int64 { state(bio)?.pointee.lastReceipt ?? 0 }

    private static func state(_ bio: OpaquePointer?) -> UnsafeMutablePointer<State>? {
        BIO_get_data(bio)?.assumingMemoryBound(to: State.self)
    }

    /// `@unchecked Sendable`: made once for the process, and only read afterwards; see BIO_meth_new(3).
    private struct Method: @unchecked Sendable {
        let pointer = SocketBIO.newMethod()
    }

    private static let method = Method()

    private static func newMethod() -> OpaquePointer? {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "podswarm socket") else {
            return nil
        }
        BIO_meth_set_read(method) { bio, bytes, count in
            podswarm_bio_clear_retry(bio)
            guard let bytes, count > 0, let state = SocketBIO.state(bio) else { return 0 }
            guard state.pointee.readsLeft > 0 else {
                podswarm_bio_retry_read(bio)
                return -1
            }
            state.pointee.readsLeft -= 1
            var stamp: Int64 = 0
            let received = podswarm_receive(state.pointee.descriptor, bytes, Int(count), &stamp)
            if received > 0 {
                state.pointee.lastReceipt = stamp
            } else if BIO_sock_should_retry(Int32(received)) != 0 {
                podswarm_bio_retry_read(bio)
            } else if received == 0 {
                state.pointee.hasEnded = true
            }
            return Int32(received)
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            podswarm_bio_clear_retry(bio)
            guard let bytes, count > 0, let state = SocketBIO.state(bio) else { return 0 }
            let sent = Int32(send(state.pointee.descriptor, bytes, Int(count), Int32(MSG_NOSIGNAL)))
            if sent <= 0, BIO_sock_should_retry(sent) != 0 { podswarm_bio_retry_write(bio) }
            return sent
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: SocketBIO.state(bio)?.pointee.hasEnded == true ? 1 : 0
            default: 0
            }
        }
        BIO_meth_set_destroy(method) { bio in
            SocketBIO.state(bio)?.deallocate()
            BIO_set_data(bio, nil)
            return 1
        }
        return method
    }
}

/// One parsed trust store for all TLS connections of a process.
///
/// `@unchecked Sendable`: its context is set up in the initialiser and then only read, which OpenSSL allows from any thread
/// (openssl-threads(7)).
package final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer
    let verifies: Bool
    /// When each chain was verified, by its certificates and the name.
    private let known = Mutex<[[UInt8]: ContinuousClock.Instant]>([:])
    /// A later step of the wall clock is not a fault of a certificate.
    private let made = (at: ContinuousClock.now, epochSeconds: time(nil))

    private static let validity = Duration.seconds(60)
    /// Further chains are verified for each viewer.
    private static let maximumCount = 256

    /// PEM files; nil means the system's authorities, no client certificate, and the key in the certificate's file; throws
    /// where a file cannot be used, or OpenSSL has no memory.
    package init(verifies: Bool, authorities: String?, certificate: String?, key: String?, offersHTTP2: Bool)
        throws(TransportError)
    {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw .library(call: "SSL_CTX_new", message: OpenSSLError.takeText())
        }
        (self.context, self.verifies) = (context, verifies)
        podswarm_tls_prepare(context)
        MessageLimit.install(in: context)
        SSL_CTX_set_verify(context, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        Self.offer(http2: offersHTTP2, SSL_CTX_set_alpn_protos, context)
        // From here on, `deinit` frees the context, also after a throw.
        for file in [authorities, certificate, key] { if let file { try TransportError.refuseSpecial(file) } }
        if verifies {
            try Self.trust(authorities, in: context)
            let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { store, context in
                guard let store else { return 0 }
                return object(context, TLSContext.self)?.verify(store) ?? 0
            }
            SSL_CTX_set_cert_verify_callback(context, verify, Unmanaged.passUnretained(self).toOpaque())
        }
        if let certificate { try Self.identify(certificate, key: key ?? certificate, in: context) }
    }

    /// For a connection or a context, the preferred first (RFC 7301 section 3.1).
    static func offer(
        http2: Bool,
        _ set: (OpaquePointer?, UnsafePointer<UInt8>?, UInt32) -> Int32,
        _ subject: OpaquePointer
    ) {
        let names = Array((http2 ? "\u{2}h2\u{8}http/1.1" : "\u{8}http/1.1").utf8)
        // Without memory the offer is empty, and the server speaks HTTP/1.1.
        _ = set(subject, names, UInt32(names.count))
    }

    deinit { SSL_CTX_free(context) }

    private static func trust(_ file: String?, in context: OpaquePointer) throws(TransportError) {
        // libcurl's authorities, so that both carriers trust alike.
        let bundle = file ?? podswarm_default_authorities().map { String(cString: $0) }
        guard let bundle, file != nil || access(bundle, R_OK) == 0 else {
            SSL_CTX_set_default_verify_paths(context)
            ERR_clear_error()
            return
        }
        guard SSL_CTX_load_verify_file(context, bundle) == 1 else {
            _ = OpenSSLError.takeText()
            throw .unusableFile(bundle, "holds no certificate in PEM form")
        }
    }

    private static func identify(_ certificate: String, key: String, in context: OpaquePointer)
        throws(TransportError)
    {
        // OpenSSL would ask on the terminal for a key's passphrase, and wait.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
            throw .unusableFile(certificate, OpenSSLError.takeText())
        }
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else { throw .unusableFile(key, OpenSSLError.takeText()) }
    }

    /// Thousands of viewers meet the same certificate chain, which is verified once a minute per name.
    ///
    /// A chain that expires during a run is refused then. Each handshake proves anew that the peer has the key (RFC 8446
    /// section 4.4.3). Only successes are kept.
    private func verify(_ store: OpaquePointer) -> Int32 {
        guard let key = Self.key(of: store) else { return X509_verify_cert(store) }
        let now = ContinuousClock.now
        guard !(known.withLock { $0[key].map { now - $0 < Self.validity } ?? false }) else {
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return 1
        }
        X509_STORE_CTX_set_time(store, 0, made.epochSeconds + time_t((now - made.at).components.seconds))
        let isGood = X509_verify_cert(store)
        if isGood == 1 {
            known.withLock {
                if $0.count >= Self.maximumCount { $0.removeAll() }
                $0[key] = now
            }
        }
        return isGood
    }

    /// Digests of the certificates, and the expected name.
    private static func key(of store: OpaquePointer) -> [UInt8]? {
        guard let parameters = X509_STORE_CTX_get0_param(store) else { return nil }
        var key: [UInt8] = []
        if let address = X509_VERIFY_PARAM_get1_ip_asc(parameters) {
            key += UnsafeRawBufferPointer(start: address, count: strlen(address))
            CRYPTO_free(address, nil, 0)
        } else if let name = X509_VERIFY_PARAM_get0_host(parameters, 0) {
            key += UnsafeRawBufferPointer(start: name, count: strlen(name))
        } else {
            return nil
        }
        let chain = X509_STORE_CTX_get0_untrusted(store)
        let count = podswarm_chain_count(chain)
        guard count > 0 else { return nil }
        for index in 0..<count {
            var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            var length: UInt32 = 0
            guard let certificate = podswarm_chain_certificate(chain, index),
                X509_digest(certificate, EVP_sha256(), &digest, &length) == 1
            else { return nil }
            // No name holds a zero.
            key.append(0)
            key += digest.prefix(Int(length))
        }
        return key
    }
}

package enum TransportError: Error, Equatable, CustomStringConvertible {
    case library(call: String, message: String)
    case unreadableFile(String)
    /// Readable, but not a certificate, key or authority file.
    case unusableFile(String, String)
    case invalidSourceAddress(String)

    package var description: String {
        switch self {
        case .library(let call, let message): "libcurl: \(call) failed: \(message)"
        case .unreadableFile(let path): "cannot read \(path)"
        case .unusableFile(let path, let reason): "cannot use \(path): \(reason)"
        case .invalidSourceAddress(let text): "\(text) is not a numeric IP address"
        }
    }

    /// Throws for files that OpenSSL might wait for, such as a named pipe.
    static func refuseSpecial(_ file: String) throws(TransportError) {
        do throws(UntrustedFile.Refusal) {
            _ = try UntrustedFile.opened(file)
        } catch {
            if error == .special { throw .unusableFile(file, "\(error)") }
        }
    }
}

/// The object that a C library was given as the context of its calls.
func object<Object: AnyObject>(_ context: UnsafeMutableRawPointer?, _ type: Object.Type) -> Object? {
    context.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
