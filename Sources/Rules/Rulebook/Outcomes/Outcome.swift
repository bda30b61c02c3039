/// Result of one request; public as ``RequestKind`` is.
public enum Outcome: Hashable, Sendable {
    case status(UInt16)
    case failure(TransportFailure)

    /// The stable code in results, for example `http_503` or `connect_refused`.
    public var code: String {
        switch self {
        case .status(let status): "http_\(status)"
        case .failure(let failure): failure.code
        }
    }

    /// A status from 200 to 299.
    public var isSuccess: Bool { if case .status(200...299) = self { true } else { false } }

    /// Whether this counts as an error of the target, which a request that podswarm cut off or never sent does not.
    public var isError: Bool {
        switch self {
        case .status(let status): !(200...299).contains(status)
        case .failure(.abandoned), .failure(.unauthorisedHost), .failure(.localResources): false
        case .failure(let failure): !failure.isOfProxy
        }
    }
}

/// The reason why a request got no complete answer; public as ``RequestKind`` is.
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
    /// The request was sent, and nothing came back in time.
    case firstByteTimeout
    /// The whole transfer, redirects included, took too long.
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
    case redirectLimit
    /// This machine ran out of descriptors, ports or memory for bodies, or a source address is not its own.
    case localResources
    /// The owner left, or the transport was cancelled or shut down.
    case abandoned
    case other
    /// A whole answer that a browser would keep from its page (Fetch standard, "CORS check").
    case corsRefused
    /// The name of the proxy has no address.
    case proxyUnresolved
    /// No connection to the proxy: refused, no route, or its TLS failed.
    case proxyUnreachable
    /// No connection through the proxy within the connect timeout.
    case proxyTimeout
    /// The proxy wants other credentials: status 407, or a method or user that SOCKS refuses.
    case proxyUnauthorised
    /// The proxy answered that it does not connect: another status to CONNECT, or a reply of SOCKS.
    case proxyRefused
    /// The proxy closed the connection unanswered, or answered with something else than HTTP or SOCKS.
    case proxyBroken

    /// Number of cases, as a constant for the recording of samples.
    @inlinable public static var count: Int { 23 }

    /// The stable code in results.
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

    /// Whether the target cannot have received the request.
    public var neverReachedTarget: Bool {
        switch self {
        case .dns, .connectRefused, .connectTimeout, .connectFailed, .tls, .unauthorisedHost,
            .proxyUnresolved, .proxyUnreachable, .proxyTimeout, .proxyUnauthorised, .proxyRefused:
            true
        case .firstByteTimeout, .totalTimeout, .reset, .truncated, .protocolError, .bodyTooLarge, .redirectLimit,
            .localResources, .abandoned, .other, .corsRefused, .proxyBroken:
            false
        }
    }

    /// Whether the proxy failed, which belongs to the generator's side.
    package var isOfProxy: Bool {
        switch self {
        case .proxyUnresolved, .proxyUnreachable, .proxyTimeout, .proxyUnauthorised, .proxyRefused, .proxyBroken: true
        default: false
        }
    }

    /// Whether its time belongs in the latency histograms: without timeouts, the runs that suffered most look best.
    @inlinable public var isTimeout: Bool { self == .firstByteTimeout || self == .totalTimeout }
}

/// Headers of an answer that contradict its body; public as ``RequestKind`` is.
public struct AnswerFlaws: OptionSet, Hashable, Sendable {
    /// One bit for each flaw.
    public let rawValue: UInt8

    /// Makes a set from the bits of its flaws.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Lines of Content-Length that differ, or one that is not a length.
    public static let lengthInvalid = AnswerFlaws(rawValue: 1)
    /// Content-Length beside Transfer-Encoding.
    public static let lengthWithTransferCoding = AnswerFlaws(rawValue: 2)
    /// Status 206 to a request without Range.
    public static let partialUnasked = AnswerFlaws(rawValue: 4)
    /// A body that cannot be decoded to its end with its coding.
    public static let codingInvalid = AnswerFlaws(rawValue: 8)
    /// A body that ends with its TLS connection, which ends without close_notify.
    public static let closeUnannounced = AnswerFlaws(rawValue: 16)
}
