import AdServing
import Rules
import Viewer

/// Transitions between versions: computed once for all viewers, recorded for each that gets one.
final class CourseCheck: VersionCheck {
    private let library: PlaylistLibrary

    init(_ library: PlaylistLibrary) {
        self.library = library
    }

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard let previous = version.previous, version.isChanged, examination.viewer.facts.isPresent else { return }
        let record = examination.viewer.record
        let shared = version.shared
        let index = version.index
        guard
            record.isWatching(version.rendition, generation: examination.viewer.facts.generation(of: version.rendition))
        else {
            if library.transition(from: previous, to: shared, at: index).isSilent { return }
            follow(version, after: previous, examination)
            return
        }
        follow(version, after: previous, examination)
    }

    private func follow(
        _ version: borrowing GivenVersion,
        after previous: SharedPlaylist,
        _ examination: borrowing Examination
    ) {
        let (library, index) = (library, version.index)
        let record = examination.viewer.record
        let watch = record.watch(
            version.rendition,
            generation: examination.viewer.facts.generation(of: version.rendition)
        )
        let violations = record.watches[watch].course.violations(of: version.shared, after: previous) { from, to in
            library.transition(from: from, to: to, at: index)
        }
        record.endWatchIfSettled(watch)
        guard !violations.isEmpty else { return }
        for (id, found) in Dictionary(grouping: violations, by: \.dateRangeID).sorted(by: {
            $0.key ?? "" < $1.key ?? ""
        }) {
            let notice = id.flatMap { id in
                version.shared.audience.notices.first { $0.scheduled.dateRangeID == id || $0.scheduled.key == id }
            }
            let slot = notice.map { examination.viewer.slot(of: $0, in: version.shared) }
            examination.found(found, breakSlot: slot ?? examination.playlistSlot)
        }
    }
}
