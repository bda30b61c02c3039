import AdServing
import HLS

/// What the viewers of one loop were told, as far as it takes to see who was told something else.
///
/// Confined to its loop, and bounded: breaks and early returns are forgotten, oldest first.
final class AudienceWatch {
    /// A break that a playlist announced.
    struct KnownBreak {
        let key: String
        let slot: Int32
        let start: WallTime
        let end: WallTime
        /// The earliest end that anybody was told of.
        var earliestEnd: WallTime
        /// The playlists that both announced it and covered its start, with where the last version that announced it
        /// began: their versions up to then must announce it, too.
        var confirmed: [PlaylistCache.Place: WallTime] = [:]
    }

    /// A break that was cut short.
    struct EarlyReturn {
        let key: String
        let slot: Int32
        /// The end that viewers are told of now.
        let end: WallTime
        /// Monotonic nanoseconds of the first viewer's knowing.
        let firstAt: Int64
        var missed: Set<Int> = []
    }

    private static let keptBreaks = 32
    private static let keptReturns = 8
    private static let keptVersions = 8
    private static let keptConflicts = 8

    private(set) var known: [KnownBreak] = []
    private(set) var returns: [EarlyReturn] = []
    /// Segments of which versions of one playlist said different things, with the break that they lie in.
    private(set) var conflicts: [PlaylistCache.Place: [UInt64: Int32]] = [:]
    /// Rises with each change of `known` that versions must be looked at again for.
    private var revision = 0
    /// Slots of the breaks that a version should announce and does not, by version.
    private var lacking: [Int: (revision: Int, slots: [Int32])] = [:]
    private var examined: [PlaylistCache.Place: Int] = [:]

    /// Takes in a break that a version announces.
    ///
    /// - Returns: Its slot; nil for a break that had begun before anybody here knew of it.
    func announced(_ notice: BreakNotice, now: WallTime, slot: @autoclosure () -> Int32) -> Int32? {
        if let index = self.index(of: notice.scheduled.key) {
            if notice.end < self.known[index].earliestEnd {
                self.known[index].earliestEnd = notice.end
                self.revision += 1
            }
            return self.known[index].slot
        }
        guard notice.scheduled.start > now else { return nil }
        if self.known.count >= Self.keptBreaks { self.known.removeFirst() }
        let slot = slot()
        self.known.append(
            KnownBreak(
                key: notice.scheduled.key,
                slot: slot,
                start: notice.scheduled.start,
                end: notice.scheduled.end,
                earliestEnd: notice.end
            )
        )
        self.revision += 1
        return slot
    }

    private func index(of key: String) -> Int? { self.known.firstIndex { $0.key == key } }

    /// The breaks that a version covers the start or the middle of, that other versions of the playlist announce, and
    /// that this one does not.
    ///
    /// A playlist may drop a break whose start it does not cover any more, where it does so for everybody: what counts is
    /// a version that begins later and still has it.
    func lacking(_ shared: SharedPlaylist, at place: PlaylistCache.Place) -> [Int32] {
        if let kept = self.lacking[shared.version], kept.revision == self.revision { return kept.slots }
        let facts = shared.audience
        guard let covered = facts.covered else { return [] }
        let slack = Duration.nanoseconds(shared.targetNanoseconds)
        var slots: [Int32] = []
        for index in self.known.indices {
            let known = self.known[index]
            guard known.start + slack * 3 / 2 <= covered.upperBound else { continue }
            let coversStart = covered.lowerBound <= known.start
            let last = known.confirmed[place]
            if facts.notices.contains(where: { $0.scheduled.key == known.key }) {
                guard last.map({ $0 < covered.lowerBound }) ?? coversStart else { continue }
                self.known[index].confirmed[place] = covered.lowerBound
                self.revision += 1
            } else if let last, !Self.announces(facts, near: known.start, within: slack) {
                let isOwed = last > covered.lowerBound && covered.lowerBound + slack * 3 / 2 <= known.earliestEnd
                if coversStart || isOwed { slots.append(known.slot) }
            }
        }
        if self.lacking.count >= Self.keptVersions { self.lacking.removeAll(keepingCapacity: true) }
        self.lacking[shared.version] = (self.revision, slots)
        return slots
    }

    /// Whether there is a break at that start by another name: then that is what is wrong.
    private static func announces(_ facts: AudienceFacts, near start: WallTime, within slack: Duration) -> Bool {
        facts.notices.contains { $0.scheduled.start > start - slack && $0.scheduled.start < start + slack }
    }

    /// The break that a moment of the programme lies in or near, three target durations either side.
    func slot(near date: WallTime, targetNanoseconds: Int64) -> Int32? {
        let slack = Duration.nanoseconds(targetNanoseconds) * 3
        return self.known.last { date >= $0.start - slack && date <= $0.end + slack }?.slot
    }

    /// A viewer saw a break's end move forward.
    func cutShort(_ notice: BreakNotice, slot: Int32, at now: Int64) {
        guard !self.returns.contains(where: { $0.key == notice.scheduled.key }) else { return }
        if self.returns.count >= Self.keptReturns { self.returns.removeFirst() }
        self.returns.append(EarlyReturn(key: notice.scheduled.key, slot: slot, end: notice.end, firstAt: now))
    }

    /// Notes that a viewer was not told of an early return in time.
    ///
    /// - Returns: Whether that is news.
    func missed(_ index: Int, viewer: Int) -> Bool { self.returns[index].missed.insert(viewer).inserted }

    /// Whether a version of a playlist was never seen on this loop before.
    func isFirstSight(of version: Int, at place: PlaylistCache.Place) -> Bool {
        guard version > self.examined[place] ?? 0 else { return false }
        self.examined[place] = version
        return true
    }

    /// Notes a segment of which versions disagree.
    ///
    /// - Returns: Whether that is news.
    func disagreed(on mediaSequence: UInt64, at place: PlaylistCache.Place, slot: Int32) -> Bool {
        guard self.conflicts[place]?[mediaSequence] == nil else { return false }
        self.conflicts[place, default: [:]][mediaSequence] = slot
        if let oldest = self.conflicts[place]?.keys.min(), self.conflicts[place]?.count ?? 0 > Self.keptConflicts {
            self.conflicts[place]?[oldest] = nil
        }
        return true
    }
}
