import CCurl
import COpenSSL
import Glibc
import Synchronization
import Values

/// One parsed trust store for all TLS connections of a process.
///
/// `@unchecked Sendable`: set up in the initialiser and then only read, which OpenSSL allows from any thread
/// (openssl-threads(7)).
package final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer
    let verifies: Bool
    private let verified = VerifiedChains()

    /// PEM files; nil means the system's authorities, no client certificate, and the key in the certificate's file; throws
    /// where a file cannot be used, or OpenSSL has no memory.
    package init(verifies: Bool, authorities: String?, certificate: String?, key: String?, offersHTTP2: Bool)
        throws(TransportError)
    {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw .library(call: "SSL_CTX_new", message: OpenSSLError.takeText())
        }
        self.context = context
        self.verifies = verifies
        podswarm_tls_prepare(context)
        MessageLimit.install(in: context)
        SSL_CTX_set_verify(context, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        Self.offer(http2: offersHTTP2, SSL_CTX_set_alpn_protos, context)
        // From here on, `deinit` frees the context, also after a throw.
        for file in [authorities, certificate, key] {
            if let file { try TransportError.refuseSpecial(file) }
        }
        if verifies {
            try Self.trust(authorities, in: context)
            verified.install(in: context)
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
}

/// Thousands of viewers meet the same certificate chain, which is verified once a minute per name.
///
/// A chain that expires during a run is refused then. Each handshake proves anew that the peer has the key (RFC 8446 section
/// 4.4.3). Only successes are kept.
final class VerifiedChains: Sendable {
    private typealias Key = [UInt8]

    /// A later step of the wall clock is not a fault of a certificate.
    private let made = (at: ContinuousClock.now, epochSeconds: time(nil))
    private let known = Mutex<[Key: ContinuousClock.Instant]>([:])

    private static let validity = Duration.seconds(60)
    /// Further chains are verified for each viewer.
    private static let maximumCount = 256

    /// Must live as long as the context.
    func install(in context: OpaquePointer) {
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, argument in
                guard let store, let argument else { return 0 }
                return Unmanaged<VerifiedChains>.fromOpaque(argument).takeUnretainedValue().verify(store)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

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
    private static func key(of store: OpaquePointer) -> Key? {
        guard let parameters = X509_STORE_CTX_get0_param(store) else { return nil }
        var key: Key = []
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
