extension LoopRecorder {
    /// A viewer was told of a break in its playlist; only its first sight of the break counts.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - fingerprint: Hash of the attributes.
    ///   - viewer: The viewer's number.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - url: The playlist, redacted; asked for at the first sight of each form, and where forms differ.
    ///   - announcement: What the playlist says; asked for as rarely.
    package func breakAnnounced(
        _ slot: Int32,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String,
        announcement: @autoclosure () -> Announcement
    ) {
        withBreak(slot) {
            $0.countAnnounced(
                fingerprint,
                viewer: viewer,
                wallMicroseconds: wallMicroseconds,
                url: url,
                announcement: announcement
            )
        }
    }

    /// A viewer was given a playlist that covers a break's start or middle and does not announce it.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - viewer: The viewer's number.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - evidence: The playlist; it must not use the recorder.
    package func breakLacked(
        _ slot: Int32,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {
        withBreak(slot) { $0.countLacking(viewer: viewer, wallMicroseconds: wallMicroseconds, evidence: evidence) }
    }
}
