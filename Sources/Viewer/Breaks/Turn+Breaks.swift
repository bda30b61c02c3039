import AdServing
package import LoadProfile

extension Turn {
    /// What `_HLS_primary_id` is to tell; nil for players that do not send it.
    var sentPrimaryID: String? {
        persona.interstitials.sendsPrimaryID ? plan.identity(of: number).primaryID : nil
    }
}

extension PlaybackPlan {
    var loadsAdSegments: Bool {
        switch segments {
        case .ads, .all: true
        case .none, .content: false
        }
    }
}

extension RequestFacts {
    /// The rule for one kind of request; nil where a player has none of its own.
    package func rule(for role: ViewerRole) -> RequestRule? {
        switch role {
        case .multivariant: multivariant
        case .assetManifest: asset
        case .playlist, .blockingPlaylist, .podPlaylist: playlist
        case .segment, .part, .podSegment: segment
        case .assetList, .podManifest, .podRepeat: assetList
        case .steering: steering
        case .registration, .metadata, .verification, .beacon: nil
        }
    }
}
