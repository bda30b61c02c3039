extension FaultKind {
    static let answers: [FaultKind] = [
        ErrorStatusFault.errorStatus, DelayFault.delay, ResetFault.reset, TruncateFault.truncate,
        RedirectFault.redirect, FramingFaults.contentCodingInvalid, FramingFaults.contentLengthInvalid,
        FramingFaults.contentLengthWithTransferCoding, FramingFaults.partialContentUnasked,
    ]
    static let playlists: [FaultKind] = [
        NotAPlaylistFault.notAPlaylist, PlaylistTagFaults.tagMalformed, PlaylistTagFaults.tagRepeated,
        PlaylistTagFaults.tagMissing, PlaylistTagFaults.tagMisplaced, PlaylistTagFaults.playlistFormLoose,
        PlaylistTagFaults.versionTooLow,
        PlaylistTagFaults.variableUndefined,
        PlaylistTagFaults.encryptionInvalid, PlaylistTagFaults.startOffsetNearEdge, PlaylistTagFaults.livePlaylistTyped,
        PlaylistTagFaults.serverControlInvalid, PlaylistTagFaults.partialSegmentInvalid,
        PlaylistTagFaults.partHoldBackShort, PlaylistTimingFaults.targetDurationExceeded,
        PlaylistTimingFaults.targetDurationLoose, PlaylistTimingFaults.segmentDurationShort,
        PlaylistTimingFaults.liveWindowShort,
        PlaylistTimingFaults.programDateMissing, PlaylistTimingFaults.programDateInconsistent,
        PlaylistDateRangeFaults.dateRangeInvalid, PlaylistDateRangeFaults.dateRangeConflict,
        PlaylistDateRangeFaults.dateRangeOverlap,
        PlaylistDateRangeFaults.dateRangeWithoutProgramDate, PlaylistDateRangeFaults.interstitialInvalid,
        PlaylistDateRangeFaults.spliceInvalid, PlaylistHeadFaults.contentTypeWrong,
        PlaylistHeadFaults.compressionMissing,
        PlaylistHeadFaults.variantIncomplete, PlaylistHeadFaults.renditionGroupInvalid,
    ]
    static let segments: [FaultKind] = [UnreachableFault.segmentUnreachable]
    static let versions: [FaultKind] = [
        StalePlaylistFault.stalePlaylist, DeltaWrongFault.deltaWrong, VersionSequenceFaults.playlistUnavailable,
        VersionSequenceFaults.mediaSequenceBackwards, VersionSequenceFaults.mediaSequenceJump,
        VersionSequenceFaults.playlistShrunk,
        VersionSequenceFaults.windowExplosion, VersionSequenceFaults.endlistOnLive,
        VersionSequenceFaults.targetDurationChanged, VersionSegmentFaults.segmentChanged,
        VersionSegmentFaults.segmentDurationChanged,
        VersionSegmentFaults.discontinuityChanged, VersionSegmentFaults.discontinuitySequenceWrong,
        VersionSegmentFaults.programDateJump, VersionBreakFaults.dateRangeChanged, VersionBreakFaults.dateRangeVanished,
        VersionBreakFaults.dateRangeReused, VersionBreakFaults.spliceOrphaned, VersionBreakFaults.breakAnnouncedLate,
        VersionBreakFaults.breakExitUpdateWrong, VersionAttributeFaults.headerChanged,
        VersionAttributeFaults.segmentAttributesChanged, VersionAttributeFaults.discontinuitySequenceMissing,
        BlockingReloadFault.blockingReloadIgnored,
        SteeringFault.steeringUnavailable,
    ]
    static let renditions: [FaultKind] = [
        RenditionFaults.renditionTargetDurationDiffers, RenditionFaults.renditionDiscontinuityDiffers,
        RenditionFaults.renditionDateRangeDiffers,
        RenditionFaults.renditionProgramDateDiffers, RenditionFaults.renditionEdgeLags,
        RenditionFaults.renditionEncryptionDiffers,
    ]
    static let pods: [FaultKind] = [
        EmptyPodFault.emptyPod, PodDurationFaults.podUnderfilled, PodDurationFaults.podOverfilled,
        PodContentFaults.slateOnly, PodContentFaults.stalePod, PodChangedOnRepeatFault.podChangedOnRepeat,
        PodContentFaults.podRenditionMismatch,
        PodAvailabilityFaults.podPartUnreachable, UnreachableFault.podUnavailable, PodAvailabilityFaults.podNotFound,
        PodAvailabilityFaults.podNotFoundHealed, PodAvailabilityFaults.podNotFoundCached,
        BreakIdentifierFaults.breakIdentifierSplit, BreakIdentifierFaults.breakIdentifierReused,
        BreakIdentifierFaults.breakIdentifierSkipped, BreakIdentifierFaults.breakIdentifierBackwards,
        AssetListFaults.assetListStatus, AssetListFaults.assetListEmpty, AssetListFaults.assetListGarbage,
        AssetListFaults.assetFailed, AssetListFaults.assetDurationMissing, AssetListFaults.assetDurationWrong,
    ]
    static let sessions: [FaultKind] = [
        RegistrationWithoutStreamIDFault.registrationWithoutStreamID, RegistrationStatusFault.registrationStatus,
        UnreachableFault.channelUnavailable,
        SessionFaults.sessionExpired, SessionFaults.accessRefused, TokenFaults.tokenExpired,
        TokenFaults.tokenExpiryInMilliseconds, TokenFaults.tokenOfAnotherBreak, RedirectFormFaults.redirectChain,
        RedirectFormFaults.redirectLoop, RedirectFormFaults.redirectToOtherHost,
        TrackingFaults.verificationNotFound, TrackingFaults.verificationDeferred, TrackingFaults.metadataLag,
        TrackingFaults.mediaIDUnlisted,
        TrackingFaults.pingLost, TrackingFaults.pingDoubled,
    ]
    static let audience: [FaultKind] = [
        PodMismatchFault.podMismatch, PodMismatchFault.podLadderDiffers, EdgeFaults.assetListMismatch,
        ForeignStreamIDFault.foreignStreamID,
        StitchedMismatchFault.stitchedMismatch, BreakAudienceFaults.breakStartDiffers,
        BreakAudienceFaults.breakAnnouncementDiffers, BreakAudienceFaults.breakAnnouncementMissing,
        BreakAudienceFaults.earlyReturnMissed, EdgeFaults.edgeBehind, EdgeFaults.edgeTimeTravel,
        EdgeFaults.edgeContentDiffers,
    ]
}
