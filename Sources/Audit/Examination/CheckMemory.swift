import AdServing
import HLS
import Results
import Values
import Viewer

/// Memory of the checks of one loop, to which it is confined; a full store is cleared, so that a finding may be missed but none
/// made up.
///
/// A check is a method of `Examination`; `Conformance` has the rules for a single playlist.
final class CheckMemory {
    let library: PlaylistLibrary
    let assets: AssetLibrary
    let manifests = SteeringLibrary()
    let breaks = KnownBreaks()
    var earlyReturns: [EarlyReturn] = []
    /// Keyed by the pod identifier of the first request.
    var starts: [String: WallTime] = [:]
    /// Keyed by the fingerprint of the body without the viewer's own id.
    var pods: [UInt64: GivenPod] = [:]
    /// Time of the first success, by a name that is equal for all viewers.
    var foundAt: [UInt64: Instant] = [:]
    var missing: Set<UInt64> = []

    init(library: PlaylistLibrary, assets: AssetLibrary) { (self.library, self.assets) = (library, assets) }
}

struct GivenVersion: ~Copyable {
    let shared: SharedPlaylist
    let rendition: PlayedRendition
    let known: KnownPlaylist
    let latest: SharedPlaylist?
    /// Nil for the first version of its playlist.
    let previous: SharedPlaylist?

    var isNew: Bool { latest?.version != shared.version }

    var isChanged: Bool { previous?.version != shared.version }
}

/// Break that ends earlier than it was announced, as some viewers know.
struct EarlyReturn {
    let key: String
    let slot: BreakSlot
    let end: WallTime
    /// When the first viewer knew.
    let firstAt: Instant
    var missed: Set<Int> = []
}

/// Bounded: the oldest breaks are forgotten.
final class KnownBreaks {
    private struct Known {
        let key: String
        let slot: BreakSlot
        let start: WallTime
        let end: WallTime
        var earliestEnd: WallTime
    }

    private static let keptBreaks = 32
    private static let keptVersions = 8

    private var known: [Known] = []
    /// Rises when the result for a version may change.
    private var revision = 0
    private var lacking: [Int: (revision: Int, slots: [BreakSlot])] = [:]

    /// Nil for a break that had begun before this loop knew of it.
    func announced(_ notice: BreakNotice, now: WallTime, slot: @autoclosure () -> BreakSlot) -> BreakSlot? {
        if let index = index(of: notice.scheduled.key) {
            if notice.end < known[index].earliestEnd {
                known[index].earliestEnd = notice.end
                revision += 1
            }
            return known[index].slot
        }
        guard notice.scheduled.start > now else { return nil }
        let slot = slot()
        let (key, start, end) = (notice.scheduled.key, notice.scheduled.start, notice.scheduled.end)
        let new = Known(key: key, slot: slot, start: start, end: end, earliestEnd: notice.end)
        known.append(new, atMost: Self.keptBreaks)
        revision += 1
        return slot
    }

    private func index(of key: String) -> Int? { known.firstIndex { $0.key == key } }

    func slot(ofKey key: String) -> BreakSlot? { index(of: key).map { known[$0].slot } }

    /// Slots of breaks that other versions announce and this one lacks.
    ///
    /// A playlist may drop a break whose start it does not cover, but must do so for all viewers.
    func lacking(_ shared: SharedPlaylist, of playlist: KnownPlaylist) -> [BreakSlot] {
        if let kept = lacking[shared.version], kept.revision == revision { return kept.slots }
        let facts = shared.audience
        guard let covered = facts.covered else { return [] }
        let slack = Duration.nanoseconds(shared.targetNanoseconds)
        var slots: [BreakSlot] = []
        for index in known.indices {
            let start = known[index].start
            guard start + slack * 3 / 2 <= covered.upperBound else { continue }
            let coversStart = covered.lowerBound <= start
            let last = playlist[confirmed: known[index].key]
            if facts.notices.contains(where: { $0.scheduled.key == known[index].key }) {
                guard last.map({ $0 < covered.lowerBound }) ?? coversStart else { continue }
                playlist[confirmed: known[index].key] = covered.lowerBound
                revision += 1
            } else if let last, !Self.announces(facts, near: start, within: slack) {
                let isOwed = last > covered.lowerBound && covered.lowerBound + slack * 3 / 2 <= known[index].earliestEnd
                if coversStart || isOwed { slots.append(known[index].slot) }
            }
        }
        lacking.keep((revision, slots), for: shared.version, atMost: Self.keptVersions)
        return slots
    }

    /// Whether a break near `start` is announced: another name of the break is then the real problem.
    private static func announces(_ facts: AudienceFacts, near start: WallTime, within slack: Duration) -> Bool {
        facts.notices.contains { $0.scheduled.start > start - slack && $0.scheduled.start < start + slack }
    }

    /// The viewer's own break within three target durations, else an announced one.
    func slot(near date: WallTime, of shared: SharedPlaylist, for viewer: borrowing AuditedViewer) -> BreakSlot {
        let slack = Duration.nanoseconds(shared.targetNanoseconds) * 3
        if let current = viewer.record.current, current.planned.scheduled.isNear(date, within: slack) {
            return current.slot
        }
        return known.last { date >= $0.start - slack && date <= $0.end + slack }?.slot ?? .outside
    }
}
