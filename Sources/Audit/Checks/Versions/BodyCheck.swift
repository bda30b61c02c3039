import Rules
import Viewer

/// Violations in a version of a playlist alone, and in its answer's head.
struct BodyCheck: VersionCheck {
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.isChanged, examination.viewer.facts.isPresent else { return }
        Self.found(version.shared.sight.violations, examination)
    }

    static func found(_ violations: [Violation], _ examination: borrowing Examination) {
        let all = violations + examination.headViolations(offersGzip: examination.context.acceptsGzip)
        guard !all.isEmpty else { return }
        examination.found(all, breakSlot: examination.playlistSlot)
    }
}
