package import Rulebook

/// A stretch of time in which a viewer could ask for no break that it met.
///
/// Such a viewer knows of no break of the channel, so that its own record cannot say which breaks it lost. They follow from
/// this and from the breaks that other viewers saw (``BreakRecord/countShutOut(_:end:)``).
package struct ShutOut: Hashable, Codable, Sendable {
    /// The breaks that it counts for.
    package var meeting: BreakMeeting
    package var cause: BreakFailure
    package var persona: UInt8
    /// The first instant at which the playhead would have reached a break that was lost, in microseconds since the epoch.
    package var from: Int64
    /// The last such instant; nil while the viewer is shut out.
    package var until: Int64?

    package init(_ meeting: BreakMeeting, _ cause: BreakFailure, persona: UInt8, from: Int64, until: Int64?) {
        self.meeting = meeting
        self.cause = cause
        self.persona = persona
        self.from = from
        self.until = until
    }

    /// Viewers with the same stretch, as an interval carries them; a row replaces the earlier one.
    package struct Row: Equatable, Codable, Sendable {
        package var stretch: ShutOut
        /// 0 where there are none any more.
        package var viewers: UInt64

        package init(stretch: ShutOut, viewers: UInt64) {
            self.stretch = stretch
            self.viewers = viewers
        }
    }
}

extension ShutOut: Comparable {
    package static func < (lhs: ShutOut, rhs: ShutOut) -> Bool { lhs.order < rhs.order }

    private var order: (Int64, Int64, String, String, UInt8) {
        (from, until ?? .max, meeting.rawValue, cause.rawValue, persona)
    }
}

extension BreakRecord {
    /// Counts the viewers that were shut out when their playheads would have reached the break: each was due and failed.
    ///
    /// A break of the channel that no viewer met, such as one that was cancelled, is no break of these viewers either.
    ///
    /// - Parameters:
    ///   - rows: Stretches with their viewers.
    ///   - end: Until when stretches last that go on, in microseconds since the Unix epoch.
    package mutating func countShutOut(_ rows: some Sequence<(key: ShutOut, value: UInt64)>, end: Int64) {
        guard !isOverflow, meeting == .atInstant || due &+ skipped > 0 else { return }
        // Before any of them is counted: where playheads were tells where those of the others would have been.
        let known = personas
        for (stretch, viewers) in rows where stretch.meeting == meeting {
            let behind = meeting == .atInstant ? 0 : known.playhead(of: stretch.persona)
            let instant = startMicroseconds.addingReportingOverflow(behind)
            guard !instant.overflow, stretch.from <= instant.partialValue, instant.partialValue <= stretch.until ?? end
            else { continue }
            countShutOut(stretch.cause, persona: stretch.persona, viewers: viewers)
        }
    }
}

extension PersonaTallies {
    /// How long after a break's start the playheads of a persona reach it, in microseconds: of its viewers that had their
    /// pod, else of all that had.
    fileprivate func playhead(of persona: UInt8) -> Int64 {
        if let own = self[min(Int(persona), Self.limit - 1)].playheadMean { return own }
        let known = each.compactMap(\.playheadMean)
        return known.isEmpty ? 0 : known.reduce(0, &+) / Int64(known.count)
    }
}

/// The stretches in which viewers of one loop were shut out.
///
/// Confined to its loop.
package final class ShutOutLog {
    /// Stretches that have ended, and stretches that go on, with their viewers.
    private var over: [ShutOut: UInt64] = [:]
    private var open: [ShutOut: UInt64] = [:]
    private var taken: [ShutOut: UInt64] = [:]
    private var isChanged = false

    /// A viewer was shut out for a while.
    package func add(_ stretch: ShutOut) {
        guard let until = stretch.until, stretch.from <= until else { return }
        over[stretch, default: 0] &+= 1
        isChanged = true
    }

    /// The viewers that are shut out now, in place of those that were before.
    package func goOn(_ stretches: [ShutOut: UInt64]) {
        guard stretches != open else { return }
        open = stretches
        isChanged = true
    }

    /// Forgets stretches that ended long ago and that no known break can fall into.
    ///
    /// - Parameters:
    ///   - time: What ended before it is looked at, in microseconds since the Unix epoch.
    ///   - room: How long after its start a break may still be met, in microseconds.
    ///   - starts: Of all breaks that the loop knows.
    package func forget(endedBefore time: Int64, room: Int64, starts: [Int64]) {
        let before = over.count
        over = over.filter { stretch, _ in
            guard let until = stretch.until, until < time else { return true }
            return starts.contains { $0 <= until && $0 >= stretch.from &- room }
        }
        isChanged = isChanged || over.count != before
    }

    /// The rows that changed since they were taken last.
    func takeChanges() -> [ShutOut.Row] {
        guard isChanged else { return [] }
        isChanged = false
        let now = over.merging(open, uniquingKeysWith: &+)
        defer { taken = now }
        let gone = taken.keys.lazy.filter { now[$0] == nil }.map { ShutOut.Row(stretch: $0, viewers: 0) }
        return gone
            + now.lazy.filter { self.taken[$0.key] != $0.value }.map { .init(stretch: $0.key, viewers: $0.value) }
    }

    /// All of them.
    var rows: [ShutOut: UInt64] { over.merging(open, uniquingKeysWith: &+) }
}
