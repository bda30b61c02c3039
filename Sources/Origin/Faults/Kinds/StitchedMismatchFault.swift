enum StitchedMismatchFault {
    /// Other ad segments for the viewers in the share, in breaks that the channel itself carries.
    static let stitchedMismatch = FaultKind(
        "stitched_mismatch",
        kinds: RequestKind.liveMedia
    ) { _, _, effects in
        effects.stitchedSalt = StitchedMarkup.mismatch
    }
}
