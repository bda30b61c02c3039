import CCurl
import Rules
import Values

extension Transfer {
    /// The failure, as the proxy's where the request did not get past it.
    ///
    /// `code` is libcurl's. A tunnel that is there is the target's: what is wrong in it came from either end.
    func behindProxy(_ failure: TransportFailure?, _ code: CURLcode = CURLE_OK) -> TransportFailure? {
        guard isProxied, let scheme = carrier.configuration.proxy?.scheme, failure != .abandoned else { return failure }
        guard code != CURLE_PROXY else {
            return TransportFailure(proxyError: CURLproxycode(UInt32(clamping: number(CURLINFO_PROXY_ERROR))))
        }
        guard !isSent else {
            guard !scheme.isSOCKS, configured?.target?.scheme == "http" else { return failure }
            if failure == nil, answer.status == Self.proxyAuthenticationRequired { return .proxyUnauthorised }
            // A proxy answers with 502 for a target that does not answer, or not in HTTP (RFC 9110 section 15.6.3).
            let isUnanswered = firstByteAt == .zero && (failure == .reset || failure == .protocolError)
            return isUnanswered ? .proxyBroken : failure
        }
        switch number(CURLINFO_HTTP_CONNECTCODE) {
        case 200..<300: return failure
        case Self.proxyAuthenticationRequired: return .proxyUnauthorised
        case 1...: return .proxyRefused
        // TLS comes after SOCKS, and is the target's.
        default: return scheme.isSOCKS && failure == .tls ? failure : failure?.ofProxy
        }
    }

    /// RFC 9110 section 15.5.8.
    private static let proxyAuthenticationRequired = 407
}

extension TransportFailure {
    /// Failure of a proxy that has let nothing through.
    fileprivate var ofProxy: TransportFailure {
        switch self {
        case .dns: .proxyUnresolved
        case .connectRefused, .connectFailed, .tls: .proxyUnreachable
        case .connectTimeout, .firstByteTimeout, .totalTimeout: .proxyTimeout
        case .reset, .protocolError: .proxyBroken
        default: self
        }
    }

    /// Maps the code of a SOCKS proxy (`CURLINFO_PROXY_ERROR`).
    ///
    /// Its replies of RFC 1928 section 6 about the target are the target's failures.
    fileprivate init(proxyError code: CURLproxycode) {
        self =
            switch code {
            case CURLPX_REPLY_CONNECTION_REFUSED: .connectRefused
            case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED:
                .connectFailed
            case CURLPX_RESOLVE_HOST: .dns
            case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: .proxyUnauthorised
            case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, CURLPX_REPLY_COMMAND_NOT_SUPPORTED,
                CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REPLY_NOT_ALLOWED, CURLPX_REPLY_UNASSIGNED:
                .proxyRefused
            default: .proxyBroken
            }
    }
}
