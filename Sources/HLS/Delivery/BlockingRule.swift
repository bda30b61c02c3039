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
