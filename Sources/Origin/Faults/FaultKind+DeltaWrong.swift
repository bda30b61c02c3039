extension FaultKind {
    /// One line of a delta update says something else than the whole playlist, so that what a client puts together is
    /// not what it would have got whole.
    static let deltaWrong = FaultKind("delta_wrong", kinds: [.blockingPlaylist, .playlist]) { _, _, effects in
        effects.isDeltaWrong = true
    }
}
