extension FindingCode {
    /// Every finding podswarm knows, in the order of the codes.
    ///
    /// A new one is a constant and a row in its topic's file under `Codes`, and a line below for the code that finds it. The
    /// tests also require a planned fault of the origin for it; the page Architecture lists the files.
    package static let table: [FindingCode] = [
        PlaylistTagFindings.rows,
        PlaylistTimingFindings.rows,
        PlaylistAdFindings.rows,
        VersionFindings.rows,
        VersionDateFindings.rows,
        VersionAttributeFindings.rows,
        RenditionFindings.rows,
        PodFindings.rows,
        PodIdentifierFindings.rows,
        AssetListFindings.rows,
        SessionFindings.rows,
        AudienceFindings.rows,
        BreakAudienceFindings.rows,
        EdgeFindings.rows,
        AnswerFindings.rows,
    ].flatMap(\.self).sorted { $0.code < $1.code }
}

extension FindingCode {
    package static let notAPlaylist = PlaylistTagFindings.notAPlaylist
    package static let tagMalformed = PlaylistTagFindings.tagMalformed
    package static let tagRepeated = PlaylistTagFindings.tagRepeated
    package static let tagMissing = PlaylistTagFindings.tagMissing
    package static let tagMisplaced = PlaylistTagFindings.tagMisplaced
    package static let playlistFormLoose = PlaylistTagFindings.playlistFormLoose
    package static let versionTooLow = PlaylistTagFindings.versionTooLow
    package static let variableUndefined = PlaylistTagFindings.variableUndefined
    package static let encryptionInvalid = PlaylistTagFindings.encryptionInvalid
    package static let startOffsetNearEdge = PlaylistTagFindings.startOffsetNearEdge
    package static let contentTypeWrong = PlaylistTagFindings.contentTypeWrong
    package static let compressionMissing = PlaylistTagFindings.compressionMissing

    package static let targetDurationExceeded = PlaylistTimingFindings.targetDurationExceeded
    package static let targetDurationLoose = PlaylistTimingFindings.targetDurationLoose
    package static let segmentDurationShort = PlaylistTimingFindings.segmentDurationShort
    package static let liveWindowShort = PlaylistTimingFindings.liveWindowShort
    package static let livePlaylistTyped = PlaylistTimingFindings.livePlaylistTyped
    package static let serverControlInvalid = PlaylistTimingFindings.serverControlInvalid
    package static let partialSegmentInvalid = PlaylistTimingFindings.partialSegmentInvalid
    package static let partHoldBackShort = PlaylistTimingFindings.partHoldBackShort
    package static let programDateMissing = PlaylistTimingFindings.programDateMissing
    package static let programDateInconsistent = PlaylistTimingFindings.programDateInconsistent
    package static let segmentUnreachable = PlaylistTimingFindings.segmentUnreachable

    package static let dateRangeInvalid = PlaylistAdFindings.dateRangeInvalid
    package static let dateRangeConflict = PlaylistAdFindings.dateRangeConflict
    package static let dateRangeWithoutProgramDate = PlaylistAdFindings.dateRangeWithoutProgramDate
    package static let dateRangeOverlap = PlaylistAdFindings.dateRangeOverlap
    package static let interstitialInvalid = PlaylistAdFindings.interstitialInvalid
    package static let spliceInvalid = PlaylistAdFindings.spliceInvalid
    package static let variantIncomplete = PlaylistAdFindings.variantIncomplete
    package static let renditionGroupInvalid = PlaylistAdFindings.renditionGroupInvalid

    package static let blockingReloadIgnored = VersionFindings.blockingReloadIgnored
    package static let deltaMismatch = VersionFindings.deltaMismatch
    package static let discontinuityChanged = VersionFindings.discontinuityChanged
    package static let discontinuitySequenceWrong = VersionFindings.discontinuitySequenceWrong
    package static let endlistOnLive = VersionFindings.endlistOnLive
    package static let mediaSequenceBackwards = VersionFindings.mediaSequenceBackwards
    package static let mediaSequenceJump = VersionFindings.mediaSequenceJump
    package static let playlistShrunk = VersionFindings.playlistShrunk
    package static let playlistStale = VersionFindings.playlistStale
    package static let playlistUnavailable = VersionFindings.playlistUnavailable
    package static let segmentChanged = VersionFindings.segmentChanged
    package static let segmentDurationChanged = VersionFindings.segmentDurationChanged
    package static let steeringUnavailable = VersionFindings.steeringUnavailable
    package static let targetDurationChanged = VersionFindings.targetDurationChanged
    package static let windowExplosion = VersionFindings.windowExplosion

    package static let breakAnnouncedLate = VersionDateFindings.breakAnnouncedLate
    package static let breakExitUpdateWrong = VersionDateFindings.breakExitUpdateWrong
    package static let dateRangeChanged = VersionDateFindings.dateRangeChanged
    package static let dateRangeReused = VersionDateFindings.dateRangeReused
    package static let dateRangeVanished = VersionDateFindings.dateRangeVanished
    package static let programDateJump = VersionDateFindings.programDateJump
    package static let spliceOrphaned = VersionDateFindings.spliceOrphaned

    package static let discontinuitySequenceMissing = VersionAttributeFindings.discontinuitySequenceMissing
    package static let headerChanged = VersionAttributeFindings.headerChanged
    package static let segmentAttributesChanged = VersionAttributeFindings.segmentAttributesChanged

    package static let renditionDateRangeDiffers = RenditionFindings.renditionDateRangeDiffers
    package static let renditionDiscontinuityDiffers = RenditionFindings.renditionDiscontinuityDiffers
    package static let renditionEdgeLags = RenditionFindings.renditionEdgeLags
    package static let renditionEncryptionDiffers = RenditionFindings.renditionEncryptionDiffers
    package static let renditionProgramDateDiffers = RenditionFindings.renditionProgramDateDiffers
    package static let renditionProgramDateMissing = RenditionFindings.renditionProgramDateMissing
    package static let renditionServerControlDiffers = RenditionFindings.renditionServerControlDiffers
    package static let renditionTargetDurationDiffers = RenditionFindings.renditionTargetDurationDiffers
    package static let renditionTypeDiffers = RenditionFindings.renditionTypeDiffers

    package static let emptyPod = PodFindings.emptyPod
    package static let podChangedOnRepeat = PodFindings.podChangedOnRepeat
    package static let podUnderfilled = PodFindings.podUnderfilled
    package static let podOverfilled = PodFindings.podOverfilled
    package static let slateOnly = PodFindings.slateOnly
    package static let stalePod = PodFindings.stalePod
    package static let podRenditionMismatch = PodFindings.podRenditionMismatch
    package static let podPartUnreachable = PodFindings.podPartUnreachable
    package static let podUnavailable = PodFindings.podUnavailable

    package static let breakIdentifierSplit = PodIdentifierFindings.breakIdentifierSplit
    package static let breakIdentifierReused = PodIdentifierFindings.breakIdentifierReused
    package static let breakIdentifierSkipped = PodIdentifierFindings.breakIdentifierSkipped
    package static let breakIdentifierBackwards = PodIdentifierFindings.breakIdentifierBackwards

    package static let assetListEmpty = AssetListFindings.assetListEmpty
    package static let assetListInvalid = AssetListFindings.assetListInvalid
    package static let assetDurationMissing = AssetListFindings.assetDurationMissing
    package static let assetDurationWrong = AssetListFindings.assetDurationWrong
    package static let podNotFound = AssetListFindings.podNotFound
    package static let podNotFoundHealed = AssetListFindings.podNotFoundHealed
    package static let podNotFoundCached = AssetListFindings.podNotFoundCached

    package static let accessRefused = SessionFindings.accessRefused
    package static let channelUnavailable = SessionFindings.channelUnavailable
    package static let mediaIDUnlisted = SessionFindings.mediaIDUnlisted
    package static let metadataLag = SessionFindings.metadataLag
    package static let pingDoubled = SessionFindings.pingDoubled
    package static let pingLost = SessionFindings.pingLost
    package static let redirectChain = SessionFindings.redirectChain
    package static let redirectLoop = SessionFindings.redirectLoop
    package static let redirectToOtherHost = SessionFindings.redirectToOtherHost
    package static let registrationFailed = SessionFindings.registrationFailed
    package static let registrationWithoutStreamID = SessionFindings.registrationWithoutStreamID
    package static let sessionExpired = SessionFindings.sessionExpired
    package static let tokenExpired = SessionFindings.tokenExpired
    package static let tokenExpiryInMilliseconds = SessionFindings.tokenExpiryInMilliseconds
    package static let tokenOfAnotherBreak = SessionFindings.tokenOfAnotherBreak
    package static let verificationDeferred = SessionFindings.verificationDeferred
    package static let verificationNotFound = SessionFindings.verificationNotFound

    package static let assetListMismatch = AudienceFindings.assetListMismatch
    package static let foreignStreamID = AudienceFindings.foreignStreamID
    package static let podLadderDiffers = AudienceFindings.podLadderDiffers
    package static let podMismatch = AudienceFindings.podMismatch
    package static let stitchedMismatch = AudienceFindings.stitchedMismatch

    package static let breakAnnouncementDiffers = BreakAudienceFindings.breakAnnouncementDiffers
    package static let breakAnnouncementMissing = BreakAudienceFindings.breakAnnouncementMissing
    package static let breakStartDiffers = BreakAudienceFindings.breakStartDiffers
    package static let earlyReturnMissed = BreakAudienceFindings.earlyReturnMissed

    package static let edgeContentDiffers = EdgeFindings.edgeContentDiffers
    package static let edgeTimeTravel = EdgeFindings.edgeTimeTravel

    package static let contentCodingInvalid = AnswerFindings.contentCodingInvalid
    package static let contentLengthInvalid = AnswerFindings.contentLengthInvalid
    package static let contentLengthWithTransferCoding = AnswerFindings.contentLengthWithTransferCoding
    package static let partialContentUnasked = AnswerFindings.partialContentUnasked
}
