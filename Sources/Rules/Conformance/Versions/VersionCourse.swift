import HLS

/// Follows a playlist's versions, so that the end of a fault is not reported as another fault.
///
/// A version that follows from the last good one heals the breach, and nothing more is reported. Delta updates must have been
/// merged before.
package struct VersionCourse<Version: Sendable>: Sendable {
    /// Versions without healing after which the playlist is assumed to continue from the breach.
    private static var patience: Int { 12 }
    /// Versions to wait for one that reverses an unlikely live edge.
    private static var glitchPatience: Int { 4 }

    /// The last version that followed from the previous one; nil without a breach.
    private var trusted: Version?
    private var age = 0
    /// Reported unless the next versions reverse an unlikely live edge.
    private var held: [Violation] = []
    private var glitch: Violation?
    private var breach: Set<FindingCode> = []
    private var vanished: Set<String> = []
    /// Whether the next version may bring the segments that a shrunk one withheld.
    private var catchesUp = false

    package init() {}

    package var isSettled: Bool { trusted == nil && !catchesUp }

    /// Violations to report for `next`, which came after `last`.
    package mutating func violations(
        of next: Version,
        after last: Version,
        _ transition: (_ from: Version, _ to: Version) -> VersionTransition
    ) -> [Violation] {
        guard let trusted else {
            var found = transition(last, next)
            if catchesUp {
                catchesUp = false
                found.violations.removeAll { $0.code == .windowExplosion }
            }
            return begin(found, last)
        }
        age += 1
        let fromTrusted = transition(trusted, next)
        if fromTrusted.isOlder { return [] }
        if fromTrusted.isClean {
            // After a mere standstill, everything withheld comes at once.
            let catchesUp = breach.contains(.playlistShrunk)
            // A range that vanished at the breach is over by now.
            let isKnown = fromTrusted.removedEarly.map(vanished.contains) ?? false
            defer {
                self = VersionCourse()
                self.catchesUp = catchesUp
            }
            return (glitch.map { [$0] } ?? [])
                + fromTrusted.violations.filter { !isKnown || $0.code != .dateRangeRemovedEarly }
        }
        if glitch != nil, fromTrusted.exitGlitch != nil, age < Self.glitchPatience { return [] }
        let owed = held
        (held, glitch) = ([], nil)
        let fromLast = transition(last, next)
        guard age < Self.patience else {
            self = VersionCourse()
            return owed + fromLast.violations
        }
        guard !fromLast.isOlder else { return owed }
        guard !fromLast.isClean else { return owed + fromLast.violations }
        let codes = Set(fromTrusted.violations.map(\.code))
        let common = fromLast.violations.filter { codes.contains($0.code) }
        return owed + (common.isEmpty ? fromLast.violations : common)
    }

    private mutating func begin(_ found: VersionTransition, _ last: Version) -> [Violation] {
        guard !found.isClean else { return found.violations }
        trusted = last
        age = 0
        breach = Set(found.violations.map(\.code))
        vanished = found.vanished
        guard let glitch = found.exitGlitch else { return found.violations }
        self.glitch = glitch
        held = found.violations
        return []
    }
}

package struct VersionTransition: Sendable {
    /// At most one of each code.
    package internal(set) var violations: [Violation] = []
    /// An earlier state of the playlist, from another edge; no violation here.
    package internal(set) var isOlder = false
    /// Counts once a later version reverses it.
    package internal(set) var exitGlitch: Violation?
    private(set) var vanished: Set<String> = []
    private(set) var removedEarly: String?
    package internal(set) var splice: SpliceState

    /// Advice is not a breach that a later version could heal.
    package var isClean: Bool { exitGlitch == nil && violations.allSatisfy { $0.code.severity == .advice } }
    package var isSilent: Bool { exitGlitch == nil && violations.isEmpty }

    private static let keptVanished = 256

    /// Records a date range that is no longer listed beside its segments.
    mutating func noteRemoval(of id: String, isOver: Bool) {
        if isOver {
            removedEarly = removedEarly ?? id
        } else if vanished.count < Self.keptVanished {
            vanished.insert(id)
        }
    }

    mutating func add(_ violation: Violation) {
        if !violations.contains(where: { $0.code == violation.code }) { violations.append(violation) }
    }
}

/// Two successive versions; delta updates must have been merged before.
struct VersionPair {
    let previous: MediaPlaylist
    let next: MediaPlaylist
    /// Media sequence numbers that both list.
    let overlap: Range<UInt64>

    init(_ previous: MediaPlaylist, _ next: MediaPlaylist) {
        (self.previous, self.next) = (previous, next)
        let lower = max(previous.mediaSequence(at: 0), next.mediaSequence(at: 0))
        let upper = min(previous.endMediaSequence, next.endMediaSequence)
        overlap = lower < upper ? lower..<upper : lower..<lower
    }

    var targetMicroseconds: Int64 { Int64(previous.targetDurationSeconds) * 1_000_000 }

    func segments(_ number: UInt64) -> (previous: Int, next: Int) {
        (Int(clamping: number - previous.mediaSequence(at: 0)), Int(clamping: number - next.mediaSequence(at: 0)))
    }

    /// Index of the first segment that only the later version lists at its end.
    var firstAdded: Int {
        let first = next.mediaSequence(at: 0)
        guard previous.endMediaSequence > first else { return 0 }
        return min(Int(clamping: previous.endMediaSequence - first), next.segments.count)
    }

    /// Live edge after the first segment that only the later version lists at its end; nil without one.
    var firstAddedEnd: WallTime? {
        guard let date = next.ownProgramDate(at: firstAdded) else { return nil }
        return date + .microseconds(next.segments[firstAdded].durationMicroseconds)
    }

    var addedMicroseconds: Int64 {
        next.segments[firstAdded...].reduce(0) { $0.addingClamped($1.durationMicroseconds) }
    }

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

    var shiftText: String { "\(Int64(clamping: magnitude).secondsText) \(self < 0 ? "earlier" : "later")" }
}
