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
    /// Sent by the viewer's browser before another request.
    case preflight

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
        case .preflight: .preflight
        }
    }

    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8
        /// Other bodies are counted and not read; ads may be read for their media ids all the same.
        package static let keepsBody = Traits(rawValue: 1)
        /// For a viewer with a session.
        package static let isPersonal = Traits(rawValue: 2)
        package static let asksAdServer = Traits(rawValue: 4)
        /// The target gave the URL; that of a pod is built by the viewer.
        package static let comesFromTarget = Traits(rawValue: 8)

        package init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    package var traits: Traits {
        switch self {
        case .registration: [.keepsBody, .asksAdServer]
        case .multivariant, .playlist, .blockingPlaylist: [.keepsBody, .isPersonal]
        case .podManifest, .podRepeat: [.keepsBody, .isPersonal, .asksAdServer]
        case .podPlaylist, .podRepeatPlaylist, .assetList: [.keepsBody, .isPersonal, .asksAdServer, .comesFromTarget]
        case .metadata, .assetManifest: [.keepsBody, .isPersonal, .comesFromTarget]
        case .steering: .keepsBody
        case .sessionUpdate: [.asksAdServer, .comesFromTarget]
        case .podSegment, .verification, .beacon: .comesFromTarget
        case .segment, .part, .key, .preflight: []
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
        case .registration, .metadata, .verification, .beacon, .sessionUpdate, .preflight: nil
        }
    }
}
