import CCurl
import COpenSSL
import Glibc
import OpenSSL

/// What all TLS connections of a process share: one parsed trust store, the client's certificate, the offer.
///
/// `@unchecked Sendable`: the OpenSSL object is set up in the initialiser and only read afterwards, which OpenSSL allows
/// from any thread (openssl-threads(7)).
package final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer
    let verifies: Bool

    /// Reads the files that the configuration names, or the system's authorities where it names no file.
    package init(_ configuration: TransportConfiguration) throws(TransportError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw .library(call: "SSL_CTX_new", message: OpenSSLError.takeText())
        }
        self.context = context
        self.verifies = configuration.verifyTLS
        podswarm_tls_prepare(context)
        SSL_CTX_set_verify(context, configuration.verifyTLS ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        let offer = Array("\u{8}http/1.1".utf8)
        _ = SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count))
        // From here on, `deinit` frees it, also where one of these throws.
        if configuration.verifyTLS { try Self.trust(configuration.caFile, in: context) }
        try Self.identify(configuration, in: context)
    }

    deinit { SSL_CTX_free(context) }

    private static func trust(_ file: String?, in context: OpaquePointer) throws(TransportError) {
        // The same authorities as libcurl's, so that both carriers trust alike.
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

    private static func identify(_ configuration: TransportConfiguration, in context: OpaquePointer)
        throws(TransportError)
    {
        guard let certificate = configuration.clientCertificateFile else { return }
        // OpenSSL would ask on the terminal for the passphrase of a key, and wait.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
            throw .unusableFile(certificate, OpenSSLError.takeText())
        }
        let key = configuration.clientKeyFile ?? certificate
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else { throw .unusableFile(key, OpenSSLError.takeText()) }
    }
}
