import AdServing
import HLS
import Values
import Viewer

/// Breaks that playlists announced to the viewers of one loop.
///
/// Confined to its loop, and bounded: the oldest breaks are forgotten.
final class KnownBreaks {
    private struct Known {
        let key: String
        let slot: Int32
        let start: WallTime
        let end: WallTime
        var earliestEnd: WallTime
        /// Playlists that announced the break while they covered its start, with the beginning of the last version that did:
        /// their versions up to then must announce it, too.
        var confirmed: [PlaylistLibrary.Index: WallTime] = [:]
    }

    private static let keptBreaks = 32
    private static let keptVersions = 8

    private var known: [Known] = []
    /// Incremented by each change of `known` that can change the result for a version.
    private var revision = 0
    private var lacking: [Int: (revision: Int, slots: [Int32])] = [:]

    /// Adds a break that a version announces.
    ///
    /// Returns its slot; nil for a break that had begun before this loop knew of it.
    func announced(_ notice: BreakNotice, now: WallTime, slot: @autoclosure () -> Int32) -> Int32? {
        if let index = index(of: notice.scheduled.key) {
            if notice.end < known[index].earliestEnd {
                known[index].earliestEnd = notice.end
                revision += 1
            }
            return known[index].slot
        }
        guard notice.scheduled.start > now else { return nil }
        let slot = slot()
        known.append(
            Known(
                key: notice.scheduled.key,
                slot: slot,
                start: notice.scheduled.start,
                end: notice.scheduled.end,
                earliestEnd: notice.end
            ),
            atMost: Self.keptBreaks
        )
        revision += 1
        return slot
    }

    private func index(of key: String) -> Int? { known.firstIndex { $0.key == key } }

    func slot(ofKey key: String) -> Int32? { index(of: key).map { known[$0].slot } }

    /// Slots of breaks that other versions of the playlist announce and this one lacks, although it covers their start or
    /// middle.
    ///
    /// A playlist may drop a break whose start it no longer covers, but must do so for all viewers: a later version that still
    /// has the break proves the lack.
    func lacking(_ shared: SharedPlaylist, at playlist: PlaylistLibrary.Index) -> [Int32] {
        if let kept = lacking[shared.version], kept.revision == revision { return kept.slots }
        let facts = shared.audience
        guard let covered = facts.covered else { return [] }
        let slack = Duration.nanoseconds(shared.targetNanoseconds)
        var slots: [Int32] = []
        for index in known.indices {
            let start = known[index].start
            guard start + slack * 3 / 2 <= covered.upperBound else { continue }
            let coversStart = covered.lowerBound <= start
            let last = known[index].confirmed[playlist]
            if facts.notices.contains(where: { $0.scheduled.key == known[index].key }) {
                guard last.map({ $0 < covered.lowerBound }) ?? coversStart else { continue }
                known[index].confirmed[playlist] = covered.lowerBound
                revision += 1
            } else if let last, !Self.announces(facts, near: start, within: slack) {
                let isOwed =
                    last > covered.lowerBound && covered.lowerBound + slack * 3 / 2 <= known[index].earliestEnd
                if coversStart || isOwed { slots.append(known[index].slot) }
            }
        }
        lacking.keep((revision, slots), for: shared.version, atMost: Self.keptVersions)
        return slots
    }

    /// Whether a break with that start has another name, which is then the real problem.
    private static func announces(_ facts: AudienceFacts, near start: WallTime, within slack: Duration) -> Bool {
        facts.notices.contains { $0.scheduled.start > start - slack && $0.scheduled.start < start + slack }
    }

    /// Slot of the break within three target durations of a programme date: the viewer's own, else an announced one; -1 for
    /// none.
    func slot(near date: WallTime, of shared: SharedPlaylist, for viewer: borrowing AuditedViewer) -> Int32 {
        let slack = Duration.nanoseconds(shared.targetNanoseconds) * 3
        if let current = viewer.record.current {
            let scheduled = current.planned.scheduled
            if date >= scheduled.start - slack, date <= scheduled.end + slack { return current.slot }
        }
        return known.last { date >= $0.start - slack && date <= $0.end + slack }?.slot ?? -1
    }
}
