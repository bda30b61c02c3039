package import Profile
package import Rules

package enum ViewerRole: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podRepeat
    case podPlaylist
    case podSegment
    case metadata
    case verification
    case assetList
    case assetManifest
    case beacon
    case blockingPlaylist
    case part
    case steering
    case podRepeatPlaylist
    case sessionUpdate
    case key

    package var kind: RequestKind {
        switch self {
        case .registration: .registration
        case .multivariant: .multivariant
        case .playlist: .playlist
        case .segment: .segment
        case .podManifest, .podRepeat: .podManifest
        case .podPlaylist, .podRepeatPlaylist: .podPlaylist
        case .podSegment: .podSegment
        case .metadata: .metadata
        case .verification: .verification
        case .assetList: .assetList
        case .assetManifest: .assetManifest
        case .beacon: .beacon
        case .blockingPlaylist: .blockingPlaylist
        case .part: .part
        case .steering: .steering
        case .sessionUpdate: .sessionUpdate
        case .key: .key
        }
    }

    /// False for answers whose bodies are counted and not read; ads may be read for their media ids all the same.
    package var keepsBody: Bool {
        switch self {
        case .segment, .podSegment, .verification, .beacon, .part, .sessionUpdate, .key: false
        case .registration, .multivariant, .playlist, .podManifest, .podRepeat, .podPlaylist, .metadata: true
        case .podRepeatPlaylist, .assetList, .assetManifest, .blockingPlaylist, .steering: true
        }
    }
}

extension RequestFacts {
    /// Nil if a player has no rule for the kind.
    package func rule(for role: ViewerRole) -> RequestRule? {
        switch role {
        case .multivariant: multivariant
        case .assetManifest: asset
        case .playlist, .blockingPlaylist, .podPlaylist, .podRepeatPlaylist: playlist
        // hls.js has a rule of its own for keys (keyLoadPolicy), with other times; Media3 has none.
        case .segment, .part, .podSegment, .key: segment
        case .assetList, .podManifest, .podRepeat: assetList
        case .steering: steering
        case .registration, .metadata, .verification, .beacon, .sessionUpdate: nil
        }
    }
}
