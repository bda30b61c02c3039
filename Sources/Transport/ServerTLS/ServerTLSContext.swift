import COpenSSL
import Values

/// `@unchecked Sendable`: set up in the initialiser and then only read, which OpenSSL allows from any thread
/// (openssl-threads(7)).
package final class ServerTLSContext: @unchecked Sendable {
    let context: OpaquePointer
    /// BIO method for the bytes that handlers pass.
    let bytes: OpaquePointer

    /// The self-signed certificate, which only clients with this PEM trust; empty with files of one's own.
    package private(set) var certificatePEM = ""

    /// P-256, for `localhost`, `127.0.0.1` and `::1`, valid from one hour before `now`, in seconds since 1970, for thirty days;
    /// `name` is the common name.
    ///
    /// Accepts TLS 1.2 and later, with session tickets, which cost the server no memory; `offersHTTP2` lets ALPN (RFC 7301)
    /// prefer `h2` to `http/1.1`, else nothing is selected.
    package convenience init(selfSigned name: String, epochSeconds now: Int64, offersHTTP2: Bool) throws(ServerTLSError)
    {
        try self.init(offersHTTP2: offersHTTP2)
        guard let key = podswarm_new_p256_key() else { throw .refused(by: "EVP_EC_gen") }
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw .refused(by: "X509_new") }
        defer { X509_free(certificate) }
        try Self.describe(certificate, name: name, at: now)
        for (kind, value) in Self.extensions { try Self.add(kind, value, to: certificate) }
        guard X509_set_pubkey(certificate, key) == 1, X509_sign(certificate, key, EVP_sha256()) > 0 else {
            throw .refused(by: "X509_sign")
        }
        guard SSL_CTX_use_certificate(context, certificate) == 1, SSL_CTX_use_PrivateKey(context, key) == 1 else {
            throw .refused(by: "SSL_CTX_use")
        }
        certificatePEM = try Self.text(of: certificate)
    }

    /// HTTP/1.1 only; `certificateFile` holds the server's certificate followed by the intermediate ones; throws if a file
    /// cannot be read or the key does not match.
    package convenience init(certificateFile: String, keyFile: String) throws(ServerTLSError) {
        try self.init(offersHTTP2: false)
        do throws(TransportError) {
            for file in [certificateFile, keyFile] { try TransportError.refuseSpecial(file) }
        } catch {
            throw ServerTLSError(description: "no TLS for the server: \(error)")
        }
        guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
            throw .refused(by: certificateFile)
        }
        guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else { throw .refused(by: keyFile) }
    }

    private init(offersHTTP2: Bool) throws(ServerTLSError) {
        guard let bytes = TLSBytes.newMethod() else { throw .refused(by: "BIO_meth_new") }
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            BIO_meth_free(bytes)
            throw .refused(by: "SSL_CTX_new")
        }
        (self.bytes, self.context) = (bytes, context)
        podswarm_tls_prepare(context)
        podswarm_tls_require_12(context)
        if offersHTTP2 { Self.chooseProtocols(in: context) }
    }

    deinit {
        SSL_CTX_free(context)
        BIO_meth_free(bytes)
    }

    /// A client that offers neither `h2` nor `http/1.1` is not refused.
    private static func chooseProtocols(in context: OpaquePointer) {
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, chosenLength, offered, count, _ in
                let names: StaticString = "\u{2}h2\u{8}http/1.1"
                let length = UInt32(names.utf8CodeUnitCount)
                var name: UnsafeMutablePointer<UInt8>?
                let outcome = SSL_select_next_proto(&name, chosenLength, names.utf8Start, length, offered, count)
                guard outcome == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_NOACK }
                chosen?.pointee = UnsafePointer(name)
                return SSL_TLSEXT_ERR_OK
            },
            nil
        )
    }

    /// RFC 5280 4.2.1, in the notation of x509v3_config(5).
    private static let extensions: [(kind: Int32, value: String)] = [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
        (NID_key_usage, "critical,digitalSignature,keyCertSign"),
        (NID_ext_key_usage, "serverAuth"),
        (NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1"),
    ]

    private static func describe(_ certificate: OpaquePointer, name: String, at now: Int64) throws(ServerTLSError) {
        // Positive, as RFC 5280 4.1.2.2 requires.
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        let subject = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
            X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1,
            X509_set_issuer_name(certificate, subject) == 1,
            ASN1_TIME_set(X509_getm_notBefore(certificate), Int(now - 3_600)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(certificate), Int(now + 30 * 86_400)) != nil
        else { throw .refused(by: "X509_set") }
    }

    private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) throws(ServerTLSError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
        guard let made = X509V3_EXT_conf_nid(nil, &context, kind, value) else {
            throw .refused(by: "X509V3_EXT_conf_nid")
        }
        defer { X509_EXTENSION_free(made) }
        guard X509_add_ext(certificate, made, -1) == 1 else { throw .refused(by: "X509_add_ext") }
    }

    private static func text(of certificate: OpaquePointer) throws(ServerTLSError) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { throw .refused(by: "BIO_new") }
        defer { BIO_free(memory) }
        guard PEM_write_bio_X509(memory, certificate) == 1 else { throw .refused(by: "PEM_write_bio") }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        guard BIO_read(memory, &bytes, Int32(clamping: bytes.count)) == bytes.count else {
            throw .refused(by: "BIO_read")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Failed connections throw nothing.
package struct ServerTLSError: Error, CustomStringConvertible {
    package let description: String

    /// Empties the calling thread's error queue.
    static func refused(by call: String) -> ServerTLSError {
        ServerTLSError(description: "no TLS for the server (\(call)): \(OpenSSLError.takeText())")
    }
}
