import AdServing
import HLS
import LoadProfile
import Measurement

// Breaks that the channel has stitched in: nothing is asked for, but they are to be there in time, and the same for all.
extension ViewerMachine {
    /// More than one playlist holds.
    private static let keptStitched = 32

    mutating func followStitched(_ schedule: InterstitialSchedule, now: Int64, actions: inout [ViewerAction]) {
        guard !schedule.stitched.isEmpty || self.events.isInUse else { return }
        guard let playhead = self.playheadDate(at: now) else { return }
        self.events.state.stitched.removeAll { entry in
            // Reported, booked, or withdrawn before it began.
            (entry.isReported || entry.isBooked || playhead < entry.version.start)
                && !schedule.stitched.contains { $0.key == entry.version.key }
        }
        for version in schedule.stitched {
            let known = self.events.state.stitched.firstIndex { $0.version.key == version.key }
            guard let index = known ?? self.recognise(version, playhead: playhead, &actions) else { continue }
            self.events.state.stitched[index].take(version)
            self.settleStitched(index, now: now, &actions)
        }
    }

    /// A break that was not seen before; one whose end the playhead has passed is none of this viewer's.
    private mutating func recognise(
        _ version: StitchedBreakVersion,
        playhead: WallTime,
        _ actions: inout [ViewerAction]
    ) -> Int? {
        guard playhead < version.planned.scheduled.end, self.events.state.stitched.count < Self.keptStitched else {
            return nil
        }
        self.note(.stitchedBreaks, &actions)
        var entry = StitchedEntry(version)
        if version.start < playhead {
            self.note(.joinedMidBreak, &actions)
            actions.append(.noteOfEvent(version.planned, .breakSkipped(.joinedLate)))
            entry.isBooked = true
        }
        self.events.state.stitched.append(entry)
        return self.events.state.stitched.count - 1
    }

    /// Whether the viewer has the first of the ads: listed, and loaded where the viewer loads segments.
    private mutating func settleStitched(_ index: Int, now: Int64, _ actions: inout [ViewerAction]) {
        let entry = self.events.state.stitched[index]
        if entry.inHandAt == .max, !entry.version.segments.isEmpty,
            self.hasBuffered(until: entry.version.start + .microseconds(1))
        {
            self.events.state.stitched[index].inHandAt = now
        }
        if !entry.isBooked, let dueAt = self.playheadInstant(of: entry.version.start), dueAt <= now {
            self.bookStitched(index, dueAt: dueAt, &actions)
        }
        guard entry.version.hasEnded, !entry.isReported else { return }
        self.events.state.stitched[index].isReported = true
        guard entry.isWhole else { return }
        actions.append(.noteOfEvent(entry.version.planned, .stitchedObserved(entry.fingerprint)))
    }

    /// The ad segments of a stitched break that the viewer's last version lists, by name.
    func stitchedNames(of key: String) -> [String] {
        guard self.events.isInUse else { return [] }
        let entry = self.events.state.stitched.first { $0.version.key == key }
        return entry?.version.segments.compactMap(\.name) ?? []
    }

    private mutating func bookStitched(_ index: Int, dueAt: Int64, _ actions: inout [ViewerAction]) {
        let entry = self.events.state.stitched[index]
        guard entry.inHandAt != .max else { return }
        self.events.state.stitched[index].isBooked = true
        self.events.state.notedInHandAt = entry.inHandAt
        let afterStart = entry.inHandAt &- dueAt
        actions.append(.noteOfEvent(entry.version.planned, .breakDue))
        let isOnTime = afterStart <= self.plan.graceNanoseconds
        let late = afterStart &- self.plan.graceNanoseconds
        actions.append(
            .noteOfEvent(
                entry.version.planned,
                isOnTime ? .breakOnTime(afterStart: afterStart) : .breakLate(by: late)
            )
        )
    }

    mutating func progressStitched(now: Int64, actions: inout [ViewerAction]) {
        guard self.events.isInUse else { return }
        for index in self.events.state.stitched.indices where !self.events.state.stitched[index].isBooked {
            self.settleStitched(index, now: now, &actions)
        }
    }

    /// When the playhead reaches the next stitched break that is in hand; .max where there is none.
    var nextStitchedInstant: Int64 {
        var next = Int64.max
        for entry in self.events.state.stitched where !entry.isBooked && entry.inHandAt != .max {
            next = min(next, self.playheadInstant(of: entry.version.start) ?? .max)
        }
        return next
    }

    /// The viewer leaves: a break that was announced and never shown is not held against the target before its time.
    mutating func abandonStitched(now: Int64, _ actions: inout [ViewerAction]) {
        for index in self.events.state.stitched.indices where !self.events.state.stitched[index].isBooked {
            let entry = self.events.state.stitched[index]
            self.events.state.stitched[index].isBooked = true
            let dueAt = self.playheadInstant(of: entry.version.start) ?? .max
            if dueAt.later(by: self.plan.graceNanoseconds) < now {
                actions.append(.noteOfEvent(entry.version.planned, .breakDue))
                actions.append(.noteOfEvent(entry.version.planned, .breakFailed(.deadlineMissed)))
            }
        }
    }
}
