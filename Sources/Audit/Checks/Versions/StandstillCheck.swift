import Rules
import Values
import Viewer

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
