enum DeltaWrongFault {
    /// Changes one line of a delta update, so that the merged playlist differs from the whole one.
    static let deltaWrong = FaultKind("delta_wrong", kinds: [.blockingPlaylist, .playlist]) { _, _, effects in
        effects.isDeltaWrong = true
    }
}
