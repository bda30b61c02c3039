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
