import COpenSSL
import Values

/// A self-signed certificate and its key, which live as long as the process; only clients that were given the PEM trust it.
package struct ServerIdentity: Sendable {
    /// Certificate without the key, for clients to trust.
    package let certificatePEM: String
    let keyPEM: String

    /// Makes a P-256 key and a certificate for `localhost`, `127.0.0.1` and `::1`.
    ///
    /// `name` is the common name of subject and issuer. The certificate is valid from one hour before `now`, in seconds since
    /// 1970, for thirty days. Throws `ServerTLSError` with OpenSSL's message.
    package init(name: String, epochSeconds now: Int64) throws(ServerTLSError) {
        guard let key = podswarm_new_p256_key() else { throw .refused(by: "EVP_EC_gen") }
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw .refused(by: "X509_new") }
        defer { X509_free(certificate) }
        try Self.describe(certificate, name: name, at: now)
        for (kind, value) in Self.extensions { try Self.add(kind, value, to: certificate) }
        guard X509_set_pubkey(certificate, key) == 1, X509_sign(certificate, key, EVP_sha256()) > 0 else {
            throw .refused(by: "X509_sign")
        }
        certificatePEM = try Self.text { PEM_write_bio_X509($0, certificate) == 1 }
        keyPEM = try Self.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) == 1 }
    }

    /// Extensions of RFC 5280 4.2.1, in the notation of x509v3_config(5).
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
        // Version 3 is encoded as 2.
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

    private static func text(_ write: (OpaquePointer) -> Bool) throws(ServerTLSError) -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { throw .refused(by: "BIO_new") }
        defer { BIO_free(memory) }
        guard write(memory) else { throw .refused(by: "PEM_write_bio") }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        guard BIO_read(memory, &bytes, Int32(clamping: bytes.count)) == bytes.count else {
            throw .refused(by: "BIO_read")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
