package import Rules

/// Period in which a viewer could not request any break that it met; others saw the breaks that it lost.
package struct ShutOut: Hashable, Codable, Sendable {
    package var meeting: BreakMeeting
    package var cause: BreakFailure
    package var cohort: Cohort
    /// First instant at which the playhead would have reached a lost break, since the Unix epoch.
    package var from: Int64
    /// nil while the viewer is shut out.
    package var until: Int64?

    package init(
        _ meeting: BreakMeeting,
        _ cause: BreakFailure,
        _ cohort: Cohort = Cohort(),
        from: Int64,
        until: Int64?
    ) {
        (self.meeting, self.cause, self.cohort) = (meeting, cause, cohort)
        (self.from, self.until) = (from, until)
    }
}

extension BreakRecord {
    /// Counts viewers whose playheads would have reached a break that any viewer met; open periods last until `end`.
    package mutating func countShutOut(_ rows: some Sequence<(key: ShutOut, value: UInt64)>, end: Int64) {
        guard !isOverflow, meeting == .atInstant || due &+ skipped > 0 else { return }
        // Known playheads give the position of viewers that were shut out.
        let known = personas
        for (stretch, viewers) in rows where stretch.meeting == meeting {
            let behind = meeting == .atInstant ? 0 : known.playhead(of: stretch.cohort.persona)
            let instant = startMicroseconds.addingReportingOverflow(behind)
            guard !instant.overflow, stretch.from <= instant.partialValue, instant.partialValue <= stretch.until ?? end
            else { continue }
            countShutOut(stretch, viewers: viewers)
        }
    }
}

extension PersonaTallies {
    /// Mean of the persona's viewers with a pod, or else of all, in microseconds.
    fileprivate func playhead(of persona: UInt8) -> Int64 {
        if let own = self[min(Int(persona), Self.limit - 1)].playheadMean { return own }
        let known = each.compactMap(\.playheadMean)
        return known.isEmpty ? 0 : known.reduce(0, &+) / Int64(known.count)
    }
}

/// Periods in which viewers of one loop were shut out; confined to that loop.
package final class ShutOutLog {
    private var over: [ShutOut: UInt64] = [:]
    private var open: [ShutOut: UInt64] = [:]
    private var taken: [ShutOut: UInt64] = [:]
    private var isChanged = false

    package func add(_ stretch: ShutOut) {
        guard let until = stretch.until, stretch.from <= until else { return }
        over[stretch, default: 0] &+= 1
        isChanged = true
    }

    package func goOn(_ stretches: [ShutOut: UInt64]) {
        guard stretches != open else { return }
        open = stretches
        isChanged = true
    }

    /// Discards closed periods that no known break can fall into, met up to `room` microseconds after its start.
    package func forget(endedBefore time: Int64, room: Int64, starts: [Int64]) {
        let before = over.count
        over = over.filter { stretch, _ in
            guard let until = stretch.until, until < time else { return true }
            return starts.contains { $0 <= until && $0 >= stretch.from &- room }
        }
        isChanged = isChanged || over.count != before
    }

    /// Periods with no viewers any more have zero.
    func takeChanges() -> [ShutOut: UInt64] {
        guard isChanged else { return [:] }
        isChanged = false
        let (before, now) = (taken, now)
        taken = now
        return before.filter { now[$0.key] == nil }.mapValues { _ in 0 }
            .merging(now.filter { before[$0.key] != $0.value }) { $1 }
    }

    var now: [ShutOut: UInt64] { over.merging(open, uniquingKeysWith: &+) }
}
