enum StitchedMismatchFault {
    /// Gives the viewers in the share other ad segments than the rest in the breaks that the channel itself carries.
    static let stitchedMismatch = FaultKind(
        "stitched_mismatch",
        kinds: RequestKind.liveMedia
    ) { _, _, effects in
        effects.stitchedSalt = StitchedMarkup.mismatch
    }
}
