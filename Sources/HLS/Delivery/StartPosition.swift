// Start of playback behind the live edge, and the segment boundaries at which it may be interrupted.
extension MediaPlaylist {
    /// HOLD-BACK, or three target durations without it (bis-22 section 4.4.3.8).
    package var holdBack: Duration {
        serverControl?.holdBackSeconds.map { .microseconds(SecondsText.microseconds($0)) }
            ?? .seconds(3) * targetDurationSeconds
    }

    package var partHoldBack: Duration? {
        serverControl?.partHoldBackSeconds.map { .microseconds(SecondsText.microseconds($0)) }
    }

    /// The segment boundary nearest to a date, for X-SNAP; of two equally near ones the earlier (bis-22 appendix D.2).
    ///
    /// Both the start of each segment and the end of the last are boundaries. Nil without EXT-X-PROGRAM-DATE-TIME.
    package func nearestBoundary(to date: WallTime) -> WallTime? {
        var nearest: WallTime?
        for index in segments.indices {
            closer(programDate(at: index), to: date, &nearest)
        }
        closer(endProgramDate, to: date, &nearest)
        return nearest
    }

    private func closer(_ candidate: WallTime?, to date: WallTime, _ nearest: inout WallTime?) {
        guard let candidate else {
            return
        }
        let distance = candidate.duration(since: date).wholeMicroseconds.magnitude
        if let known = nearest, known.duration(since: date).wholeMicroseconds.magnitude <= distance {
            return
        }
        nearest = candidate
    }
}
