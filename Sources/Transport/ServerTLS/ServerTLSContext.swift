import COpenSSL
import Values

/// OpenSSL context of all TLS connections of a server: certificate, key and protocols.
///
/// `@unchecked Sendable`: the OpenSSL objects are set up in the initialiser and only read afterwards, which OpenSSL allows from
/// any thread (openssl-threads(7)).
package final class ServerTLSContext: @unchecked Sendable {
    let context: OpaquePointer
    /// BIO method by which connections read and write the bytes that handlers pass.
    let bytes: OpaquePointer

    /// Accepts TLS 1.2 and later, with session tickets, which cost the server no memory.
    ///
    /// With `offersHTTP2`, ALPN (RFC 7301) prefers `h2` to `http/1.1`; without, no protocol is selected and clients use
    /// HTTP/1.1. Throws `ServerTLSError` with OpenSSL's message.
    package convenience init(_ identity: ServerIdentity, offersHTTP2: Bool) throws(ServerTLSError) {
        try self.init(offersHTTP2: offersHTTP2)
        try use(identity)
    }

    /// Loads a certificate from PEM files, HTTP/1.1 only.
    ///
    /// `certificateFile` holds the server's certificate followed by the intermediate ones. Throws `ServerTLSError` if a file
    /// cannot be read or the key does not match.
    package convenience init(certificateFile: String, keyFile: String) throws(ServerTLSError) {
        try self.init(offersHTTP2: false)
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
        self.bytes = bytes
        self.context = context
        podswarm_tls_prepare(context)
        podswarm_tls_require_12(context)
        if offersHTTP2 { Self.chooseProtocols(in: context) }
    }

    deinit {
        SSL_CTX_free(context)
        BIO_meth_free(bytes)
    }

    private func use(_ identity: ServerIdentity) throws(ServerTLSError) {
        let certificate = Self.read(identity.certificatePEM) { PEM_read_bio_X509($0, nil, nil, nil) }
        defer { X509_free(certificate) }
        let key = Self.read(identity.keyPEM) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        defer { EVP_PKEY_free(key) }
        guard let certificate, SSL_CTX_use_certificate(context, certificate) == 1 else {
            throw .refused(by: "SSL_CTX_use_certificate")
        }
        guard let key, SSL_CTX_use_PrivateKey(context, key) == 1 else { throw .refused(by: "SSL_CTX_use_PrivateKey") }
    }

    private static func read(_ pem: String, _ parse: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        let text = Array(pem.utf8)
        return text.withUnsafeBytes { text in
            guard let memory = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return nil }
            defer { BIO_free(memory) }
            return parse(memory)
        }
    }

    /// Selects `h2` if offered, else `http/1.1`; a client that offers neither is not refused.
    private static func chooseProtocols(in context: OpaquePointer) {
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, chosenLength, offered, offeredLength, _ in
                let names = UnsafeBufferPointer(start: offered, count: Int(offeredLength))
                for wanted in ["h2", "http/1.1"] {
                    guard let name = ServerTLSContext.range(of: wanted, in: names), let offered else { continue }
                    chosen?.pointee = offered + name.lowerBound
                    chosenLength?.pointee = UInt8(name.count)
                    return SSL_TLSEXT_ERR_OK
                }
                return SSL_TLSEXT_ERR_NOACK
            },
            nil
        )
    }

    /// Range of a protocol name in a list of length-prefixed names (RFC 7301 3.1).
    private static func range(of wanted: String, in names: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var place = 0
        while place < names.count {
            let name = place + 1..<place + 1 + Int(names[place])
            guard name.upperBound <= names.count else { return nil }
            if names[name].elementsEqual(wanted.utf8) { return name }
            place = name.upperBound
        }
        return nil
    }
}

/// OpenSSL's refusal to set up a server; failed connections are closed and throw nothing.
package struct ServerTLSError: Error, CustomStringConvertible {
    package let description: String

    /// Describes the failed call with the oldest error of the calling thread, whose queue it empties.
    static func refused(by call: String) -> ServerTLSError {
        ServerTLSError(description: "no TLS for the server (\(call)): \(OpenSSLError.takeText())")
    }
}
