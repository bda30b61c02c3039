enum DeltaWrongFault {
    /// One line of a delta update differs from the whole playlist.
    ///
    /// So what a client puts together is not the playlist that it would have got whole.
    static let deltaWrong = FaultKind("delta_wrong", kinds: [.blockingPlaylist, .playlist]) { _, _, effects in
        effects.isDeltaWrong = true
    }
}
