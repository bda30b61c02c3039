/// Follows one playlist from version to version, so that the end of a fault is not reported as another fault.
///
/// After a version that breaks a rule, the previous one is kept. A later version that follows from the kept one heals the
/// breach, and nothing more is reported. Delta updates must have been merged before.
package struct VersionCourse<Version: Sendable>: Sendable {
    /// Versions without healing after which the playlist is assumed to continue from the breach.
    private static var patience: Int { 12 }
    /// Maximum number of versions to wait for one that reverses an unlikely live edge.
    private static var glitchPatience: Int { 4 }

    /// The last version that followed from the previous one; nil without a breach.
    private var trusted: Version?
    /// Versions since.
    private var age = 0
    /// Violations to report unless the next versions reverse an unlikely live edge.
    private var held: [Violation] = []
    private var glitch: Violation?
    /// Whether the breach withdrew segments; after a mere standstill, everything withheld comes at once.
    private var isShrunk = false
    /// Whether the next version may bring the segments that a shrunk one withheld.
    private var catchesUp = false

    package init() {}

    package var isSettled: Bool { trusted == nil && !catchesUp }

    /// The violations to report for `next`, which came after `last`.
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
            let catchesUp = isShrunk
            defer {
                settle()
                self.catchesUp = catchesUp
            }
            return (glitch.map { [$0] } ?? []) + fromTrusted.violations
        }
        if glitch != nil, fromTrusted.exitGlitch != nil, age < Self.glitchPatience { return [] }
        let owed = held
        (held, glitch) = ([], nil)
        let fromLast = transition(last, next)
        guard age < Self.patience else {
            settle()
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
        isShrunk = found.violations.contains { $0.code == .playlistShrunk }
        guard let glitch = found.exitGlitch else { return found.violations }
        self.glitch = glitch
        held = found.violations
        return []
    }

    private mutating func settle() {
        trusted = nil
        age = 0
        held = []
        glitch = nil
        isShrunk = false
        catchesUp = false
    }
}
