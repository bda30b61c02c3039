import COpenSSL
import Glibc
import OpenSSL

/// What a TLS call came to.
package enum TLSOutcome {
    case done(Int)
    case wantsRead
    case wantsWrite
    /// The peer closed its side in order.
    case closed
    /// The connection broke: the peer reset it, or closed it without saying so in TLS.
    case reset
    case failed
}

/// One TLS connection over a socket that somebody else owns; freed by `free`.
package struct TLSConnection {
    private let ssl: OpaquePointer

    /// Nil when memory is out, or when OpenSSL does not accept the name to verify: it would then verify no name.
    ///
    /// With `wantsHTTP2` false it is not offered, even where others of the context offer it.
    package init?(_ shared: TLSContext, descriptor: Int32, host: String, session: TLSSession?, wantsHTTP2: Bool) {
        guard let ssl = SSL_new(shared.context) else { return nil }
        self.ssl = ssl
        guard let bio = SocketBIO.new(descriptor) else {
            SSL_free(ssl)
            return nil
        }
        // The one reference to the BIO, as its reading and its writing side.
        SSL_set_bio(ssl, bio, bio)
        guard Self.expect(host, of: ssl, verifies: shared.verifies) else {
            SSL_free(ssl)
            return nil
        }
        if !wantsHTTP2 { TLSContext.offer(http2: false, SSL_set_alpn_protos, ssl) }
        if let session { SSL_set_session(ssl, session.session) }
    }

    /// Names the peer that is wanted; false when OpenSSL refuses.
    private static func expect(_ host: String, of ssl: OpaquePointer, verifies: Bool) -> Bool {
        if SocketAddress.isNumeric(host) {
            return !verifies || X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
        }
        podswarm_tls_set_server_name(ssl, host)
        guard verifies else { return true }
        SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return SSL_set1_host(ssl, host) == 1
    }

    /// Goes on with the handshake.
    package func handshake() -> TLSOutcome {
        ERR_clear_error()
        return outcome(SSL_connect(ssl))
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSOutcome {
        ERR_clear_error()
        return outcome(SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    /// Moment of CLOCK_REALTIME, in nanoseconds, at which the kernel received the last that was read from the socket; 0
    /// where that is unknown.
    ///
    /// A record that was read ahead came no later.
    package var lastReceipt: Int64 { SocketBIO.lastReceipt(SSL_get_rbio(ssl)) }

    package func write(_ bytes: UnsafeRawBufferPointer) -> TLSOutcome {
        ERR_clear_error()
        return outcome(SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Whether the peer chose HTTP/2 by ALPN (RFC 7301).
    package var choseHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual("h2".utf8)
    }

    /// Whether bytes of the peer wait in here that epoll cannot know of.
    package var hasPending: Bool { SSL_has_pending(ssl) == 1 }

    /// Why the handshake failed, for people.
    package func explanation() -> String {
        let verification = SSL_get_verify_result(ssl)
        // Where nothing is verified, a result that is not good is not what the handshake failed by.
        guard verification == X509_V_OK || SSL_get_verify_mode(ssl) == SSL_VERIFY_NONE else {
            return X509_verify_cert_error_string(verification).map { String(cString: $0) } ?? ""
        }
        return OpenSSLError.takeText()
    }

    /// Whether the peer has said something after what was read: a close, or what nobody asked for.
    package var hasMore: Bool {
        guard hasPending else { return false }
        ERR_clear_error()
        var byte: UInt8 = 0
        let code = SSL_peek(ssl, &byte, 1)
        return code > 0 || SSL_get_error(ssl, code) != SSL_ERROR_WANT_READ
    }

    /// The session that another connection may resume, if the peer has given one.
    package func takeSession(of peer: ObjectIdentifier) -> TLSSession? {
        guard let current = SSL_get_session(ssl), SSL_SESSION_is_resumable(current) == 1,
            let session = SSL_get1_session(ssl)
        else { return nil }
        return TLSSession(session, of: peer)
    }

    /// Says that nothing more will be sent, as far as that goes at once.
    package func sayGoodbye() {
        ERR_clear_error()
        SSL_shutdown(ssl)
    }

    package func free() { SSL_free(ssl) }

    private func outcome(_ code: Int32) -> TLSOutcome {
        guard code <= 0 else { return .done(Int(code)) }
        switch SSL_get_error(ssl, code) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL: return .reset
        case SSL_ERROR_SSL where ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING: return .reset
        default: return .failed
        }
    }
}
