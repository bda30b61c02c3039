extension FaultKind {
    /// Faults of whatever is answered.
    static let answers: [FaultKind] = [.errorStatus, .delay, .reset, .truncate, .redirect]
    /// Faults of one playlist.
    static let playlists: [FaultKind] = [
        .notAPlaylist, .tagMalformed, .tagRepeated, .tagMissing, .tagMisplaced, .versionTooLow, .variableUndefined,
        .encryptionInvalid, .startOffsetNearEdge, .livePlaylistTyped, .serverControlInvalid, .partialSegmentInvalid,
        .partHoldBackShort, .targetDurationExceeded, .targetDurationLoose, .segmentDurationShort, .liveWindowShort,
        .programDateMissing, .programDateInconsistent, .dateRangeInvalid, .dateRangeConflict, .dateRangeOverlap,
        .dateRangeWithoutProgramDate, .interstitialInvalid, .spliceInvalid, .contentTypeWrong, .compressionMissing,
        .variantIncomplete, .renditionGroupInvalid,
    ]
    /// Faults of what a playlist lists.
    static let segments: [FaultKind] = [.segmentUnreachable]
    /// Faults that show in successive versions of a playlist.
    static let versions: [FaultKind] = [
        .stalePlaylist, .deltaWrong, .playlistUnavailable, .mediaSequenceBackwards, .mediaSequenceJump, .playlistShrunk,
        .windowExplosion, .endlistOnLive, .targetDurationChanged, .segmentChanged, .segmentDurationChanged,
        .discontinuityChanged, .discontinuitySequenceWrong, .programDateJump, .dateRangeChanged, .dateRangeVanished,
        .dateRangeReused, .spliceOrphaned, .breakAnnouncedLate, .breakExitUpdateWrong, .headerChanged,
        .segmentAttributesChanged, .discontinuitySequenceMissing, .blockingReloadIgnored,
        .steeringUnavailable,
    ]
    /// Faults that show when renditions are seen side by side.
    static let renditions: [FaultKind] = [
        .renditionTargetDurationDiffers, .renditionDiscontinuityDiffers, .renditionDateRangeDiffers,
        .renditionProgramDateDiffers, .renditionEdgeLags, .renditionEncryptionDiffers,
    ]
    /// Faults of pods and asset lists.
    static let pods: [FaultKind] = [
        .emptyPod, .podUnderfilled, .podOverfilled, .slateOnly, .stalePod, .podChangedOnRepeat, .podRenditionMismatch,
        .podPartUnreachable, .podUnavailable, .podNotFound, .podNotFoundHealed, .podNotFoundCached,
        .breakIdentifierSplit, .breakIdentifierReused, .breakIdentifierSkipped, .breakIdentifierBackwards,
        .assetListStatus, .assetListEmpty, .assetListGarbage, .assetFailed, .assetDurationMissing, .assetDurationWrong,
    ]
    /// Faults of sessions, tokens, redirects and tracking.
    static let sessions: [FaultKind] = [
        .registrationWithoutStreamID, .registrationStatus, .sessionExpired, .accessRefused, .tokenExpired,
        .tokenExpiryInMilliseconds, .tokenOfAnotherBreak, .redirectChain, .redirectLoop, .redirectToOtherHost,
        .verificationNotFound, .verificationDeferred, .metadataLag, .pingLost, .pingDoubled,
    ]
    /// Faults that show only between viewers, or between edges.
    static let audience: [FaultKind] = [
        .podMismatch, .assetListMismatch, .foreignStreamID, .stitchedMismatch, .breakStartDiffers,
        .breakAnnouncementDiffers, .breakAnnouncementMissing, .earlyReturnMissed, .edgeBehind, .edgeTimeTravel,
        .edgeContentDiffers,
    ]
}
