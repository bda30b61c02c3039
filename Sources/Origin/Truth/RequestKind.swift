/// Kind of a request; names are those of a client's own counts, for comparison.
enum RequestKind: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podPlaylist
    case podSegment
    case metadata
    case verification
    case assetList
    /// The first playlist of an interstitial's asset.
    case assetManifest
    /// A playlist that the server holds until it has news: its time includes the hold.
    case blockingPlaylist
    case part
    case steering
    case beacon
    case sessionUpdate
    /// An unknown path, or a method that the path does not allow.
    case other

    var name: String { Self.names[Int(rawValue)] }

    private static let names = allCases.map { kind in
        "\(kind)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
}
