import Rules
import Viewer

/// Edges that give a viewer an older version than it has.
struct EdgeOrderCheck: VersionCheck {
    let breaks: KnownBreaks

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.isNew, let latest = version.latest else { return }
        let shared = version.shared
        guard case .older(let violation) = EdgeChecks.step(from: latest.playlist, to: shared.playlist) else { return }
        examination.viewer.found(
            violation.code,
            url: shared.url,
            expected: violation.expected,
            observed: violation.observed,
            breakSlot: breaks.slot(near: examination.wallTime, of: shared, for: examination.viewer),
            at: examination.answer.doneAt
        )
    }
}
