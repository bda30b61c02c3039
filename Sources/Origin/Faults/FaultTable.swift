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
        .emptyPod, .podUnderfilled, .podOverfilled, .podChangedOnRepeat,
        .assetListStatus, .assetListEmpty, .assetListGarbage, .assetFailed,
    ]
    /// Faults of sessions, tokens, redirects and tracking.
    static let sessions: [FaultKind] = [
        .registrationWithoutStreamID, .registrationStatus, .sessionExpired, .accessRefused, .tokenExpired,
        .tokenExpiryInMilliseconds, .tokenOfAnotherBreak, .redirectChain, .redirectLoop, .redirectToOtherHost,
        .verificationNotFound, .verificationDeferred, .metadataLag, .pingLost, .pingDoubled,
    ]
    /// Faults that show only between viewers, or between edges.
    static let audience: [FaultKind] = [.podMismatch, .foreignStreamID, .stitchedMismatch]
}
