import COpenSSL
import NIOCore

/// One server-side TLS connection without a socket, used by one thread at a time.
final class TLSEngine {
    enum Handshake {
        case wantsMore
        /// The negotiated protocol (ALPN), nil without one.
        case done(protocol: String?)
        case failed
    }

    enum Reading {
        case wantsMore
        /// The peer sent `close_notify` (RFC 8446 6.1).
        case closed
        case failed
    }

    /// Longest plaintext of a record, which then fits into 16 KiB with all that TLS adds.
    static let recordLength = 16 * 1_024 - 128

    private let ssl: OpaquePointer
    // `ssl` uses both as long as it lives.
    private let shared: ServerTLSContext
    private let bytes = TLSBytes()

    init?(_ shared: ServerTLSContext) {
        guard let ssl = SSL_new(shared.context) else { return nil }
        guard let bio = bytes.newBIO(shared.bytes) else {
            SSL_free(ssl)
            return nil
        }
        // Passes on the one reference to the BIO, as reading and writing side.
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
        self.ssl = ssl
        self.shared = shared
    }

    deinit {
        SSL_free(ssl)
    }

    func receive(_ received: ByteBuffer) { bytes.receive(received) }

    func takeProduced() -> ByteBuffer? { bytes.takeProduced() }

    /// Continues the handshake; even a failure may have produced an alert to send.
    func handshake() -> Handshake {
        ERR_clear_error()
        let code = SSL_do_handshake(ssl)
        guard code != 1 else { return .done(protocol: chosenProtocol()) }
        defer { ERR_clear_error() }
        return SSL_get_error(ssl, code) == SSL_ERROR_WANT_READ ? .wantsMore : .failed
    }

    /// Decrypts everything received; the plaintext is never longer than that.
    func read(into plaintext: inout ByteBuffer) -> Reading {
        while true {
            ERR_clear_error()
            var code: Int32 = 0
            plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: 1_024) { target in
                code = SSL_read(ssl, target.baseAddress, Int32(clamping: target.count))
                return max(0, Int(code))
            }
            guard code <= 0 else { continue }
            defer { ERR_clear_error() }
            switch SSL_get_error(ssl, code) {
            case SSL_ERROR_WANT_READ: return .wantsMore
            case SSL_ERROR_ZERO_RETURN: return .closed
            default: return .failed
            }
        }
    }

    func reserve(plaintext count: Int, from allocator: ByteBufferAllocator) {
        bytes.reserve(count + (count / Self.recordLength + 1) * 128, from: allocator)
    }

    /// Encrypts at most `recordLength` bytes as one record; false after a failure of the connection.
    func write(_ plaintext: ByteBuffer) -> Bool {
        guard plaintext.readableBytes > 0 else { return true }
        ERR_clear_error()
        defer { ERR_clear_error() }
        return plaintext.withUnsafeReadableBytes { source in
            SSL_write(ssl, source.baseAddress, Int32(clamping: source.count)) == source.count
        }
    }

    func sayGoodbye() {
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    private func chosenProtocol() -> String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }
}
