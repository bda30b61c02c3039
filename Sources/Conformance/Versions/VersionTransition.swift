import HLS
import Rulebook

/// The differences between one version of a playlist and the one that a viewer had before.
package struct VersionTransition: Sendable {
    /// One of each code at the most; empty where the later version follows from the earlier one.
    package internal(set) var violations: [Violation] = []
    /// The later version is an earlier state of the playlist: another edge's business, and held against nobody here.
    package internal(set) var isOlder = false
    /// Notes that the live edge moved in an unlikely way at a break's end.
    ///
    /// It counts once a later version takes the move back.
    package internal(set) var exitGlitch: Violation?
    /// What is known of splices at the end of the later version.
    package internal(set) var splice: SpliceState

    /// Whether the later version breaks no rule; advice is no breach that a version after it could heal.
    package var isClean: Bool { exitGlitch == nil && violations.allSatisfy { $0.code.severity == .advice } }
    /// Whether there is nothing to tell of it.
    package var isSilent: Bool { exitGlitch == nil && violations.isEmpty }

    init(splice: SpliceState) {
        self.splice = splice
    }

    mutating func add(_ violation: Violation) {
        guard !violations.contains(where: { $0.code == violation.code }) else { return }
        violations.append(violation)
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

    /// The two segments of a media sequence number that both list.
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
        next.segments[firstAdded...].reduce(0) { $0.adding($1.durationMicroseconds) }
    }

    /// The duration of the segments that the later version lists no more at its end.
    var withdrawnMicroseconds: Int64 {
        let first = previous.mediaSequence(at: 0)
        guard next.endMediaSequence > first else { return previous.durationMicroseconds }
        let kept = min(Int(clamping: next.endMediaSequence - first), previous.segments.count)
        return previous.segments[kept...].reduce(0) { $0.adding($1.durationMicroseconds) }
    }
}

extension Int64 {
    /// The sum, limited to what 64 bits hold.
    func adding(_ other: Int64) -> Int64 {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? (other < 0 ? .min : .max) : sum.partialValue
    }

    /// The difference, limited to what 64 bits hold.
    func less(_ other: Int64) -> Int64 {
        let difference = subtractingReportingOverflow(other)
        return difference.overflow ? (other < 0 ? .max : .min) : difference.partialValue
    }

    /// A time in microseconds as seconds, for people.
    var secondsText: String {
        let milliseconds = self / 1_000
        let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let digits = String(rest + 1_000).dropFirst()
        return "\(milliseconds < 0 ? "-" : "")\(whole).\(digits) s"
    }
}
