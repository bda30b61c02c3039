import CLinux
import COpenSSL
import Glibc
package import Rules
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
        if SocketAddress.isNumeric(host) {
            return !verifies || X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
        }
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
        self.session = session
        self.peer = peer
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
