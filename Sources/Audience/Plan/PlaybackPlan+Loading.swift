import LoadProfile

extension PlaybackPlan {
    /// Whether segments of the channel are loaded.
    package var loadsContent: Bool {
        switch segments {
        case .content, .all: true
        case .none, .ads: false
        }
    }

    /// Whether anybody reads what segments of ads carry for moments.
    var readsTimedMetadata: Bool { loadsAdSegments && sendsVerificationPings && timedMetadataShare > 0 }

    package var loadsAdSegments: Bool {
        switch segments {
        case .ads, .all: true
        case .none, .content: false
        }
    }
}
