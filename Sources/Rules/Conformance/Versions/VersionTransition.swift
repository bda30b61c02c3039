import HLS

package struct VersionTransition: Sendable {
    /// At most one of each code; empty if the later version follows from the earlier one.
    package internal(set) var violations: [Violation] = []
    /// Whether the later version is an earlier state of the playlist, from another edge; that is no violation here.
    package internal(set) var isOlder = false
    /// An unlikely move of the live edge at a break's end, which counts once a later version reverses it.
    package internal(set) var exitGlitch: Violation?
    /// State of splices at the end of the later version.
    package internal(set) var splice: SpliceState

    /// Whether the later version breaks no rule; advice is not a breach that a later version could heal.
    package var isClean: Bool { exitGlitch == nil && violations.allSatisfy { $0.code.severity == .advice } }
    package var isSilent: Bool { exitGlitch == nil && violations.isEmpty }

    mutating func add(_ code: FindingCode, of dateRangeID: String? = nil, expected: String, observed: String) {
        guard !violations.contains(where: { $0.code == code }) else { return }
        violations.add(code, of: dateRangeID, expected: expected, observed: observed)
    }
}

/// Two successive versions of one media playlist; delta updates must have been merged before.
struct VersionPair {
    let previous: MediaPlaylist
    let next: MediaPlaylist
    /// Media sequence numbers that both list.
    let overlap: Range<UInt64>

    init(_ previous: MediaPlaylist, _ next: MediaPlaylist) {
        self.previous = previous
        self.next = next
        let lower = max(previous.mediaSequence(at: 0), next.mediaSequence(at: 0))
        let upper = min(previous.endMediaSequence, next.endMediaSequence)
        overlap = lower < upper ? lower..<upper : lower..<lower
    }

    var targetMicroseconds: Int64 { Int64(previous.targetDurationSeconds) * 1_000_000 }

    /// Indices of a media sequence number that both list.
    func segments(_ number: UInt64) -> (previous: Int, next: Int) {
        (
            Int(clamping: number - previous.mediaSequence(at: 0)),
            Int(clamping: number - next.mediaSequence(at: 0))
        )
    }

    /// Index of the first segment that only the later version lists at its end.
    var firstAdded: Int {
        let first = next.mediaSequence(at: 0)
        guard previous.endMediaSequence > first else { return 0 }
        return min(Int(clamping: previous.endMediaSequence - first), next.segments.count)
    }

    /// The live edge after the first of the segments that only the later version lists at its end; nil without one.
    var firstAddedEnd: WallTime? {
        guard let date = next.programDate(at: firstAdded) else { return nil }
        return date + .microseconds(next.segments[firstAdded].durationMicroseconds)
    }

    /// The duration of the segments that only the later version lists at its end.
    var addedMicroseconds: Int64 {
        next.segments[firstAdded...].reduce(0) { $0.addingClamped($1.durationMicroseconds) }
    }

    /// The duration of the segments at the end that only the earlier version lists.
    var withdrawnMicroseconds: Int64 {
        let first = previous.mediaSequence(at: 0)
        guard next.endMediaSequence > first else { return previous.durationMicroseconds }
        let kept = min(Int(clamping: next.endMediaSequence - first), previous.segments.count)
        return previous.segments[kept...].reduce(0) { $0.addingClamped($1.durationMicroseconds) }
    }
}

extension Int64 {
    /// Rounded towards zero to the millisecond.
    var secondsText: String { SecondsText.decimal(self / 1_000 * 1_000) + " s" }
}
