import Profile

extension PlaybackPlan {
    package var loadsContent: Bool { segments.includesContent }

    package var loadsAdSegments: Bool { segments.includesAds }

    var readsTimedMetadata: Bool { loadsAdSegments && sendsVerificationPings && timedMetadataShare > 0 }
}
