import Audience
import Conformance
import Viewer

/// The rules that a version of a playlist breaks by itself, and what its answer's head says of it.
struct BodyCheck: VersionCheck {
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.isChanged, examination.viewer.facts.isPresent else { return }
        Self.found(version.shared.sight.violations, examination)
    }

    /// Books what a body breaks, and what its answer's head says of it.
    static func found(_ violations: [Violation], _ examination: borrowing Examination) {
        let all = violations + examination.headViolations(offersGzip: examination.context.acceptsGzip)
        guard !all.isEmpty else { return }
        examination.found(all, breakSlot: examination.playlistSlot)
    }
}
