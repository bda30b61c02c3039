import CCurl
import COpenSSL
import Glibc
import Values

/// State shared by all TLS connections of a process: one parsed trust store, the client's certificate, the ALPN offer.
///
/// `@unchecked Sendable`: the OpenSSL object is set up in the initialiser and only read afterwards, which OpenSSL allows from
/// any thread (openssl-threads(7)).
package final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer
    let verifies: Bool
    private let verified = VerifiedChains()

    /// `authorities`, `certificate` and `key` are PEM files: nil means the system's authorities, no client certificate, and the
    /// key in the certificate's file.
    ///
    /// Throws where a file cannot be used, or OpenSSL has no memory.
    package init(verifies: Bool, authorities: String?, certificate: String?, key: String?, offersHTTP2: Bool)
        throws(TransportError)
    {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw .library(call: "SSL_CTX_new", message: OpenSSLError.takeText())
        }
        self.context = context
        self.verifies = verifies
        podswarm_tls_prepare(context)
        SSL_CTX_set_verify(context, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        Self.offer(http2: offersHTTP2, SSL_CTX_set_alpn_protos, context)
        // From here on, `deinit` frees the context, also where one of these throws.
        if verifies {
            try Self.trust(authorities, in: context)
            verified.install(in: context)
        }
        if let certificate { try Self.identify(certificate, key: key ?? certificate, in: context) }
    }

    /// Sets the ALPN offer of a connection, or of all of a context's, the preferred first (RFC 7301 section 3.1).
    static func offer(
        http2: Bool,
        _ set: (OpaquePointer?, UnsafePointer<UInt8>?, UInt32) -> Int32,
        _ subject: OpaquePointer
    ) {
        let names = Array((http2 ? "\u{2}h2\u{8}http/1.1" : "\u{8}http/1.1").utf8)
        // Fails where memory is short; the offer is empty then, and the server speaks HTTP/1.1.
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
        // OpenSSL would ask on the terminal for the passphrase of a key, and wait.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
            throw .unusableFile(certificate, OpenSSLError.takeText())
        }
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else { throw .unusableFile(key, OpenSSLError.takeText()) }
    }
}
