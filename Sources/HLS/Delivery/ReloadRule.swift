/// The reload interval of a live media playlist, after a load that brought something new.
package enum ReloadRule: Hashable, Sendable, CaseIterable {
    /// See bis-22 section 6.3.4.
    case lastSegmentDuration
    /// RFC 8216 section 6.3.4.
    case targetDuration

    /// A playlist of empty segments must not be requested without a pause.
    private static let shortestDelayNanoseconds: Int64 = 100_000_000

    /// Counts from when the last load *began*; call ``isReloaded(_:)`` first.
    package func delay(after playlist: MediaPlaylist, changed: Bool) -> Duration {
        .nanoseconds(delayNanoseconds(after: playlist, changed: changed))
    }

    package func delayNanoseconds(after playlist: borrowing MediaPlaylist, changed: Bool) -> Int64 {
        let target = playlist.targetDurationNanoseconds
        guard changed else { return max(target / 2, Self.shortestDelayNanoseconds) }
        switch self {
        case .lastSegmentDuration:
            let last = playlist.segments.last?.durationMicroseconds.multipliedClamped(by: 1_000)
            return max(last ?? target, Self.shortestDelayNanoseconds)
        case .targetDuration:
            return max(target, Self.shortestDelayNanoseconds)
        }
    }

    /// Not with EXT-X-ENDLIST and not as VOD (RFC 8216 section 6.3.4).
    package static func isReloaded(_ playlist: MediaPlaylist) -> Bool {
        !playlist.hasEndList && playlist.playlistType != .vod
    }
}

/// Blocking playlist requests (bis-22 section 6.2.5.2).
package enum BlockingRule {
    /// Parts that a request may run ahead of the last one listed.
    package static func advancePartLimit(partTargetMicroseconds: Int64) -> UInt64 {
        guard (1..<1_000_000).contains(partTargetMicroseconds) else { return 3 }
        return UInt64((3_000_000 + partTargetMicroseconds - 1) / partTargetMicroseconds)
    }
}

/// Finding the live edge behind caches (bis-22 appendix C).
package enum CDNTuneIn {
    /// Media missing from an answer, by its Age header; nil when current.
    ///
    /// Below a part target of one second a second is added, since Age is rounded down.
    package static func goal(ageSeconds: Int?, partTargetMicroseconds: Int64) -> Duration? {
        guard let ageSeconds, ageSeconds > 0 else { return nil }
        return .seconds(min(ageSeconds, 86_400) + (partTargetMicroseconds < 1_000_000 ? 1 : 0))
    }

    /// Asks for `goal` more media; nil with less than a part missing.
    package static func directives(goal: Duration, playlist: MediaPlaylist) -> DeliveryDirectives? {
        guard var next = DeliveryDirectives.next(after: playlist), let target = playlist.partTargetMicroseconds,
            target > 0, playlist.targetDurationSeconds > 0
        else { return nil }
        let missing = goal.wholeMicroseconds
        guard missing >= target else { return nil }
        let segment = Int64(playlist.targetDurationSeconds) * 1_000_000
        let perSegment = UInt64(max(1, segment / target))
        // `next` already names the first missing part.
        let parts = (next.part ?? 0).addingClamped(UInt64(clamping: missing / target) - 1)
        next.mediaSequence = next.mediaSequence.map { $0.addingClamped(parts / perSegment) }
        next.part = parts % perSegment
        return next
    }
}

extension MediaPlaylist {
    /// Three target durations without HOLD-BACK (bis-22 section 4.4.3.8).
    package var holdBack: Duration {
        serverControl?.holdBackSeconds.map { .microseconds(SecondsText.microseconds($0)) }
            ?? .seconds(3) * targetDurationSeconds
    }

    package var partHoldBack: Duration? {
        serverControl?.partHoldBackSeconds.map { .microseconds(SecondsText.microseconds($0)) }
    }

    /// For X-SNAP; of two equally near boundaries the earlier (bis-22 appendix D.2).
    package func nearestBoundary(to date: WallTime) -> WallTime? {
        func distance(_ boundary: WallTime) -> UInt64 { boundary.duration(since: date).wholeMicroseconds.magnitude }
        let boundaries = segments.indices.map(programDate(at:)) + [endProgramDate]
        return boundaries.compactMap(\.self).min { distance($0) < distance($1) }
    }
}
