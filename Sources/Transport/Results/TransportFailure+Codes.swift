import CCurl
import Glibc
import Rules

extension TransportFailure {
    init(connectError number: Int32) {
        self =
            switch number {
            case ECONNREFUSED: .connectRefused
            case ETIMEDOUT: .connectTimeout
            case EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL, EADDRINUSE, EACCES, EPERM: .localResources
            default: .connectFailed
            }
    }

    /// RFC 9113 section 7: PROTOCOL_ERROR, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR and COMPRESSION_ERROR break HTTP/2; other codes
    /// end the answer.
    init(streamError code: UInt32) { self = [1, 3, 6, 9].contains(code) ? .protocolError : .reset }

    /// libcurl-errors(3); nil on success; `osError` is 0 when unknown.
    ///
    /// Only `explanation`, libcurl's text, tells a malformed chunk and a refused client from a failed read.
    init?(code: CURLcode, osError: Int32, explanation: UnsafePointer<CChar>) {
        switch code {
        case CURLE_OK: return nil
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .dns
        case CURLE_COULDNT_CONNECT: self.init(connectError: osError)
        case CURLE_INTERFACE_FAILED, CURLE_OUT_OF_MEMORY: self = .localResources
        // libcurl's own limit of five minutes for a connect; podswarm sets all other timeouts. A shorter one would not help
        // libcurl 7.88, which never gets beyond a name's silent first address.
        case CURLE_OPERATION_TIMEDOUT: self = .connectTimeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT:
            self = .tls
        case CURLE_RECV_ERROR where strstr(explanation, "in chunked-encoding") != nil: self = .protocolError
        // TLS 1.3 refuses a client only after its handshake.
        case CURLE_RECV_ERROR where strstr(explanation, "alert certificate required") != nil: self = .tls
        case CURLE_HTTP2_STREAM: self.init(streamError: Self.streamError(explanation))
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR: self = .reset
        case CURLE_PARTIAL_FILE: self = .truncated
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2,
            CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            self = .protocolError
        case CURLE_ABORTED_BY_CALLBACK: self = .abandoned
        default: self = .other
        }
    }

    /// From a text such as "HTTP/2 stream 1 was not closed cleanly: CANCEL (err 8)"; without a code, libcurl itself rejected
    /// the stream.
    private static func streamError(_ explanation: UnsafePointer<CChar>) -> UInt32 {
        let text = String(cString: explanation)
        guard let mark = text.ranges(of: "(err ").last else { return 1 }
        return UInt32(text[mark.upperBound...].prefix { $0.isNumber }) ?? 1
    }
}
