/// Result of one request: the status the target answered with, or the failure that prevented an answer.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum Outcome: Hashable, Sendable {
    case status(UInt16)
    case failure(TransportFailure)

    /// The stable code under which results count this outcome, for example `http_503` or `connect_refused`.
    public var code: String {
        switch self {
        case .status(let status): "http_\(status)"
        case .failure(let failure): failure.code
        }
    }

    /// Whether the target answered with a status from 200 to 299.
    public var isSuccess: Bool {
        if case .status(200...299) = self { true } else { false }
    }

    /// Whether this counts against the target's share of errors.
    ///
    /// A request that podswarm itself cut off or never sent says nothing about the target.
    public var isError: Bool {
        switch self {
        case .status(let status): !(200...299).contains(status)
        case .failure(.abandoned), .failure(.unauthorisedHost), .failure(.localResources): false
        case .failure: true
        }
    }
}

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

/// Headers of an answer that contradict its body.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each answer uses this one.
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
}
