import Rules
import Transport
import Values
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

/// Playlists that stand still; one finding per viewer and standstill.
struct StandstillCheck: VersionCheck {
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        let shared = version.shared
        guard let previous = version.previous, examination.viewer.facts.isPresent, shared.isReloaded else { return }
        let since = examination.viewer.facts.changedAt(of: version.rendition)
        let unchanged = examination.answer.sentAt &- since
        guard unchanged >= shared.standstillNanoseconds, !version.isChanged || !shared.isNews(after: previous) else {
            return
        }
        let record = examination.viewer.record
        let watch = record.watch(
            version.rendition,
            generation: examination.viewer.facts.generation(of: version.rendition)
        )
        guard record.watches[watch].staleSince != since else { return }
        record.watches[watch].staleSince = since
        let violation = Standstill.violation(
            of: shared.playlist,
            unchangedFor: .nanoseconds(unchanged),
            targets: shared.staleAfterTargets
        )
        guard let violation else { return }
        examination.found([violation], breakSlot: examination.playlistSlot)
    }
}

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
