/// Purpose of a request: the first word of every request metric's name.
///
/// The origin's ground truth uses the same names, so that both can be reconciled.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum RequestKind: UInt8, NamedCase, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podPlaylist
    case podSegment
    case metadata
    case verification
    /// The list of an interstitial's assets.
    case assetList
    /// The first playlist of an interstitial's asset.
    case assetManifest
    /// A playlist that the server holds back until it has news: its time includes the hold.
    case blockingPlaylist
    /// A partial segment, or one that was hinted at.
    case part
    case steering
    /// A tracking ping of ad creative signalling.
    case beacon
    /// New targeting parameters of a running session.
    case sessionUpdate

    package static let names = CaseNames<Self>()

    /// Whether a viewer begins a break with such a request, so that all viewers may send theirs at one instant.
    @inlinable public var beginsBreak: Bool {
        switch self {
        case .podManifest, .assetList: true
        default: false
        }
    }

    /// Whether the server delays the answer on purpose, so that its time does not measure the server's speed.
    public var isHeldBack: Bool { self == .blockingPlaylist }
}

extension RequestKind: Codable {
    /// Throws `DecodingError` for an unknown name.
    public init(from decoder: any Decoder) throws {
        let name = try String(from: decoder)
        guard let kind = Self(name: name) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: name))
        }
        self = kind
    }

    /// Writes the kind's name.
    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
