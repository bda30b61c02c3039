import COpenSSL
import NIOCore

/// One server-side TLS connection without a socket: bytes in, bytes out, on one thread at a time.
final class TLSEngine {
    /// What a handshake came to.
    enum Handshake {
        case wantsMore
        /// The protocol that was agreed upon (ALPN); nil when none was.
        case done(protocol: String?)
        case failed
    }

    /// Where reading ended.
    enum Reading {
        case wantsMore
        /// The peer said that it sends nothing more (`close_notify`, RFC 8446 6.1).
        case closed
        case failed
    }

    /// The longest plaintext of a record, which then fits into 16 KiB with all that TLS adds.
    static let recordLength = 16 * 1_024 - 128

    private let ssl: OpaquePointer
    // Both are used by `ssl` as long as it lives.
    private let shared: ServerTLSContext
    private let bytes = TLSBytes()

    /// nil when memory is out.
    init?(_ shared: ServerTLSContext) {
        guard let ssl = SSL_new(shared.context) else { return nil }
        guard let bio = bytes.newBIO(shared.bytes) else {
            SSL_free(ssl)
            return nil
        }
        // The one reference to the BIO, as its reading and its writing side.
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
        self.ssl = ssl
        self.shared = shared
    }

    deinit {
        SSL_free(ssl)
    }

    /// Adds bytes that came from the network.
    func receive(_ received: ByteBuffer) { bytes.receive(received) }

    /// What is to be sent; nil when there is nothing.
    func takeProduced() -> ByteBuffer? { bytes.takeProduced() }

    /// Goes on with the handshake; also a failure may have produced an alert to send.
    func handshake() -> Handshake {
        ERR_clear_error()
        let code = SSL_do_handshake(ssl)
        guard code != 1 else { return .done(protocol: chosenProtocol()) }
        defer { ERR_clear_error() }
        return SSL_get_error(ssl, code) == SSL_ERROR_WANT_READ ? .wantsMore : .failed
    }

    /// Decrypts all that was received; the plaintext is never longer than that.
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

    /// Makes room for the records of so many bytes of plaintext.
    func reserve(plaintext count: Int, from allocator: ByteBufferAllocator) {
        bytes.reserve(count + (count / Self.recordLength + 1) * 128, from: allocator)
    }

    /// Encrypts bytes, at most `recordLength` of them, as one record; false when the connection is of no more use.
    func write(_ plaintext: ByteBuffer) -> Bool {
        guard plaintext.readableBytes > 0 else { return true }
        ERR_clear_error()
        defer { ERR_clear_error() }
        return plaintext.withUnsafeReadableBytes { source in
            SSL_write(ssl, source.baseAddress, Int32(clamping: source.count)) == source.count
        }
    }

    /// Says that nothing more will be sent (`close_notify`).
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
