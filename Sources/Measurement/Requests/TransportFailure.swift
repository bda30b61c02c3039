/// How a request ended when no complete answer came back.
package enum TransportFailure: UInt8, CaseIterable, Sendable {
    case dns
    case connectRefused
    case connectTimeout
    case connectFailed
    case tls
    case firstByteTimeout
    case totalTimeout
    case reset
    case truncated
    case protocolError
    case bodyTooLarge
    case unauthorisedHost
    case redirectLimit
    case localResources
    case abandoned
    case other

    /// The stable code under which results count this failure.
    package var code: String {
        switch self {
        case .dns: "dns_failed"
        case .connectRefused: "connect_refused"
        case .connectTimeout: "connect_timeout"
        case .connectFailed: "connect_failed"
        case .tls: "tls_failed"
        case .firstByteTimeout: "first_byte_timeout"
        case .totalTimeout: "total_timeout"
        case .reset: "connection_reset"
        case .truncated: "truncated"
        case .protocolError: "protocol_error"
        case .bodyTooLarge: "body_too_large"
        case .unauthorisedHost: "unauthorised_host"
        case .redirectLimit: "redirect_limit"
        case .localResources: "local_resources"
        case .abandoned: "abandoned"
        case .other: "other_failure"
        }
    }

    /// Whether the request cannot have reached the target, because no connection to it ever stood.
    package var neverReachedTarget: Bool {
        switch self {
        case .dns, .connectRefused, .connectTimeout, .connectFailed, .tls, .unauthorisedHost, .localResources: true
        case .firstByteTimeout, .totalTimeout, .reset, .truncated, .protocolError, .bodyTooLarge, .redirectLimit,
            .abandoned, .other:
            false
        }
    }

    /// Whether waiting ran out, so that the time spent belongs in the latency histograms.
    ///
    /// Leaving timeouts out would flatter exactly the runs that suffered most.
    package var isTimeout: Bool { self == .firstByteTimeout || self == .totalTimeout }
}
