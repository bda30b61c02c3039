extension FindingCode {
    /// Every finding podswarm knows; a new one is a file under `Codes` and a line here.
    package static let table: [FindingCode] = [
        .breakIdentifierSplit,
        .deltaMismatch,
        .emptyPod,
        .foreignStreamID,
        .notAPlaylist,
        .podChangedOnRepeat,
        .podDurationOff,
        .podMismatch,
        .registrationWithoutStreamID,
        .stitchedMismatch,
    ]
}
