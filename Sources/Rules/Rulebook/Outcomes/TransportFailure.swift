/// The reason why a request got no complete answer.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum TransportFailure: UInt8, NamedCase, Error, Sendable {
    case dns
    /// The peer answered the connect with a reset.
    case connectRefused
    /// No connection, TLS included, within the connect timeout.
    case connectTimeout
    /// The connect failed for another reason: no route, network down.
    case connectFailed
    /// The TLS handshake or the verification of the peer failed.
    case tls
    /// The request was sent, and nothing came back within the first-byte timeout.
    case firstByteTimeout
    /// The whole transfer, redirects included, took longer than the total timeout.
    case totalTimeout
    /// The peer closed or reset the connection before the answer began, or reset it in the middle.
    case reset
    /// The answer ended before the length it had announced, or its content before the end of its coding.
    case truncated
    /// The answer breaks HTTP, its content coding, or the limit on header size.
    case protocolError
    /// The decoded body passed the limit; reading stopped there.
    case bodyTooLarge
    /// The URL, or one that a redirect led to, is not on an authorised host; nothing was sent there.
    case unauthorisedHost
    /// More redirects in a row than allowed.
    case redirectLimit
    /// This machine ran out of descriptors, ports or memory, or a source address is not its own.
    case localResources
    /// podswarm gave up: the owner left, or the transport was cancelled or shut down.
    case abandoned
    case other

    /// Number of cases, as a constant for the recording of samples.
    @inlinable public static var count: Int { 16 }

    /// The stable code under which results count this failure.
    public var code: String {
        switch self {
        case .dns: "dns_failed"
        case .tls: "tls_failed"
        case .reset: "connection_reset"
        case .other: "other_failure"
        default: name
        }
    }

    package static let names = CaseNames<Self>()

    /// Whether the request cannot have reached the target, because no connection to it was established.
    public var neverReachedTarget: Bool {
        switch self {
        case .dns, .connectRefused, .connectTimeout, .connectFailed, .tls, .unauthorisedHost, .localResources: true
        case .firstByteTimeout, .totalTimeout, .reset, .truncated, .protocolError, .bodyTooLarge, .redirectLimit,
            .abandoned, .other:
            false
        }
    }

    /// Whether a timeout ended the request, so that its time belongs in the latency histograms.
    ///
    /// Leaving timeouts out would flatter exactly the runs that suffered most.
    @inlinable public var isTimeout: Bool { self == .firstByteTimeout || self == .totalTimeout }
}
