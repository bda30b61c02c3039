extension FaultKind {
    /// Faults of whatever is answered.
    static let answers: [FaultKind] = [.errorStatus, .delay, .reset, .truncate, .redirect]
    /// Faults of one playlist.
    static let playlists: [FaultKind] = [.notAPlaylist]
    /// Faults that show in successive versions of a playlist.
    static let versions: [FaultKind] = [.stalePlaylist, .deltaWrong]
    /// Faults that show when renditions are seen side by side.
    static let renditions: [FaultKind] = [
        .renditionTargetDurationDiffers, .renditionDiscontinuityDiffers, .renditionDateRangeDiffers,
        .renditionProgramDateMissing, .renditionProgramDateDiffers, .renditionEdgeLags,
        .renditionServerControlDiffers, .renditionTypeDiffers, .renditionEncryptionDiffers,
    ]
    /// Faults of pods and asset lists.
    static let pods: [FaultKind] = [
        .emptyPod, .podUnderfilled, .podOverfilled, .slateOnly, .stalePod, .podChangedOnRepeat, .podRenditionMismatch,
        .podPartUnreachable, .podNotFound, .podNotFoundHealed, .podNotFoundCached,
        .breakIdentifierSplit, .breakIdentifierReused, .breakIdentifierSkipped, .breakIdentifierBackwards,
        .assetListStatus, .assetListEmpty, .assetListGarbage, .assetFailed, .assetDurationMissing, .assetDurationWrong,
    ]
    /// Faults of sessions, tokens, redirects and tracking.
    static let sessions: [FaultKind] = [.registrationWithoutStreamID, .registrationStatus]
    /// Faults that show only between viewers, or between edges.
    static let audience: [FaultKind] = [.podMismatch, .foreignStreamID, .stitchedMismatch]
}
