/// The reload interval of a live media playlist.
package struct ReloadRule: Hashable, Sendable {
    /// Delay after a load that brought something new.
    package enum Basis: String, Hashable, Sendable, CaseIterable {
        /// The duration of the last segment listed: bis-22 section 6.3.4.
        case lastSegmentDuration
        /// The target duration: RFC 8216 section 6.3.4.
        case targetDuration
    }

    /// Lower limit, so that a playlist of empty segments is not requested without a pause.
    private static let shortestDelayNanoseconds: Int64 = 100_000_000

    package var basis: Basis

    package init(basis: Basis = .lastSegmentDuration) {
        self.basis = basis
    }

    /// The least time from the moment when the last load *began* to the next load.
    ///
    /// Half the target duration when that load brought nothing new. Call ``isReloaded(_:)`` first.
    package func delay(after playlist: MediaPlaylist, changed: Bool) -> Duration {
        .nanoseconds(delayNanoseconds(after: playlist, changed: changed))
    }

    /// Clamped to Int64.
    package func delayNanoseconds(after playlist: borrowing MediaPlaylist, changed: Bool) -> Int64 {
        let target = playlist.targetDurationNanoseconds
        guard changed else {
            return max(target / 2, Self.shortestDelayNanoseconds)
        }
        switch basis {
        case .lastSegmentDuration:
            let last = playlist.segments.last?.durationMicroseconds.multipliedClamped(by: 1_000)
            return max(last ?? target, Self.shortestDelayNanoseconds)
        case .targetDuration:
            return max(target, Self.shortestDelayNanoseconds)
        }
    }

    /// Whether the playlist can change at all: not with EXT-X-ENDLIST and not as VOD (RFC 8216 section 6.3.4).
    package static func isReloaded(_ playlist: MediaPlaylist) -> Bool {
        !playlist.hasEndList && playlist.playlistType != .vod
    }
}

/// A server's rules for blocking playlist requests (bis-22 section 6.2.5.2).
package enum BlockingRule {
    /// Maximum number of parts that a request may run ahead of the last one listed: the Advance Part Limit.
    package static func advancePartLimit(partTargetMicroseconds: Int64) -> UInt64 {
        guard (1..<1_000_000).contains(partTargetMicroseconds) else {
            return 3
        }
        return UInt64((3_000_000 + partTargetMicroseconds - 1) / partTargetMicroseconds)
    }
}

/// Finding the live edge behind caches (bis-22 appendix C).
package enum CDNTuneIn {
    /// Media missing from the answer, from its Age header in whole seconds; nil when the answer is current.
    ///
    /// Below a part target of one second a second is added, since Age is rounded down.
    package static func goal(ageSeconds: Int?, partTargetMicroseconds: Int64) -> Duration? {
        guard let ageSeconds, ageSeconds > 0 else {
            return nil
        }
        return .seconds(min(ageSeconds, 86_400) + (partTargetMicroseconds < 1_000_000 ? 1 : 0))
    }

    /// The request that should bring `goal` more media than `playlist` has.
    ///
    /// The goal grows by `elapsed`, the time since the answer came. Nil with less than a part missing, or no blocking reload.
    package static func directives(
        goal: Duration,
        elapsed: Duration = .zero,
        playlist: MediaPlaylist
    ) -> DeliveryDirectives? {
        guard var next = DeliveryDirectives.next(after: playlist), let target = playlist.partTargetMicroseconds,
            target > 0, playlist.targetDurationSeconds > 0
        else {
            return nil
        }
        let missing = (goal + elapsed).wholeMicroseconds
        guard missing >= target else {
            return nil
        }
        let segment = Int64(playlist.targetDurationSeconds) * 1_000_000
        let perSegment = UInt64(max(1, segment / target))
        // `next` already names the first missing part.
        let parts = (next.part ?? 0).addingClamped(UInt64(clamping: missing / target) - 1)
        next.mediaSequence = next.mediaSequence.map { $0.addingClamped(parts / perSegment) }
        next.part = parts % perSegment
        return next
    }
}

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
