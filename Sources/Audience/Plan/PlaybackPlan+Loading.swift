import LoadProfile

extension PlaybackPlan {
    /// Whether segments of the channel are loaded.
    package var loadsContent: Bool { segments.includesContent }

    package var loadsAdSegments: Bool { segments.includesAds }

    /// Whether anybody reads what segments of ads carry for moments.
    var readsTimedMetadata: Bool { loadsAdSegments && sendsVerificationPings && timedMetadataShare > 0 }
}
