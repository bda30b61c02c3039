import Rules

/// Collects each break's data until all due viewers had or missed their pod.
package struct BreakGathering: Sendable {
    package struct Timing: Equatable, Sendable {
        package var leadMicroseconds: Int64
        /// Pods are in time until this long after the break's start.
        package var graceMicroseconds: Int64
        /// Longest wait for a break's end; less than the time between breaks.
        package var patienceMicroseconds: Int64
        /// Whether playheads reach a break one after the other: an unfinished break then shows the first viewers only.
        package var isSpread: Bool

        package init(
            leadMicroseconds: Int64,
            graceMicroseconds: Int64,
            patienceMicroseconds: Int64,
            isSpread: Bool = false
        ) {
            self.isSpread = isSpread
            self.leadMicroseconds = max(0, leadMicroseconds)
            self.graceMicroseconds = max(0, graceMicroseconds)
            self.patienceMicroseconds = max(self.graceMicroseconds &+ 1_000_000, patienceMicroseconds)
        }
    }

    /// Kept because a break's first requests are sent in the interval in which it becomes known.
    private static let keptIntervals = 8
    /// Microseconds within which answers in time are still counted.
    private static let settling: Int64 = 1_000_000

    private let timing: Timing
    private let generator: HealthResult
    private let runStartMicroseconds: Int64
    private var recent: [RunInterval] = []
    /// Keyed by loop, without findings.
    private var loops: [Int: LoopLedger] = [:]
    private var stretches: [String: SeenBreak] = [:]
    private var closed: Set<String> = []
    package private(set) var endMicroseconds: Int64 = 0

    package init(timing: Timing, generator: HealthResult, runStartMicroseconds: Int64) {
        (self.timing, self.generator, self.runStartMicroseconds) = (timing, generator, runStartMicroseconds)
    }

    /// Returns each break that ended and had viewers due, once.
    package mutating func add(_ interval: RunInterval) -> [SeenBreak] {
        endMicroseconds = max(endMicroseconds, interval.endMicroseconds)
        for var changes in interval.changes {
            changes.breaks.removeAll { $0.isOverflow || closed.contains($0.key) }
            changes.findings = [:]
            loops[changes.loop, default: LoopLedger()].replace(changes)
        }
        var over: [SeenBreak] = []
        for record in open {
            if stretches[record.key] == nil {
                stretches[record.key] = SeenBreak(record, health: generator)
                for earlier in recent { take(earlier, into: record) }
            }
            stretches[record.key]?.record = record
            take(interval, into: record)
            guard isOver(record) else { continue }
            if record.due > 0, let seen = stretches[record.key] { over.append(seen) }
            closed.insert(record.key)
            stretches[record.key] = nil
            for loop in loops.keys { loops[loop]?.breaks[record.key] = nil }
        }
        recent.append(interval)
        if recent.count > Self.keptIntervals { recent.removeFirst() }
        return over
    }

    /// Unfinished breaks past their grace; empty if `isSpread`.
    package var rest: [SeenBreak] {
        timing.isSpread ? [] : open.filter { $0.due > 0 && isPastGrace($0) }.compactMap { stretches[$0.key] }
    }

    private var open: [BreakRecord] {
        loops.values.breaks(until: runStartMicroseconds &+ endMicroseconds).values
            .sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
    }

    private func passed(since record: BreakRecord) -> Int64 {
        runStartMicroseconds &+ endMicroseconds &- record.startMicroseconds
    }

    private func isPastGrace(_ record: BreakRecord) -> Bool {
        passed(since: record) >= timing.graceMicroseconds &+ Self.settling
    }

    private func isOver(_ record: BreakRecord) -> Bool {
        let isSettled = record.due > 0 && stretches[record.key]?.isSettled ?? false
        return isPastGrace(record) && (isSettled || passed(since: record) >= timing.patienceMicroseconds)
    }

    private mutating func take(_ interval: RunInterval, into record: BreakRecord) {
        let start = runStartMicroseconds &+ interval.startMicroseconds
        let end = runStartMicroseconds &+ interval.endMicroseconds
        guard end > record.startMicroseconds &- timing.leadMicroseconds,
            start < record.startMicroseconds &+ timing.patienceMicroseconds
        else { return }
        stretches[record.key]?.add(interval)
    }
}

/// One process's data of a break.
package struct SeenBreak: Sendable {
    package internal(set) var record: BreakRecord
    private(set) var sums = RunSums()
    private(set) var health: HealthResult
    private(set) var watching: Int64 = 0
    /// Viewers at the end, and viewers that joined during the break, which need not be due.
    private var present: Int64 = 0
    private var joined: UInt64 = 0
    private(set) var peakPodsPerSecond = 0.0
    private(set) var peakRequestsPerSecond = 0.0

    init(_ record: BreakRecord, health: HealthResult) {
        (self.record, self.health) = (record, health)
    }

    mutating func add(_ interval: RunInterval) {
        // The last interval may be short, but its counts are of one second.
        let seconds = max(1, Double(interval.durationMicroseconds) / 1_000_000)
        sums.add(interval.sums)
        health.add(interval.health, seconds: Int(min(seconds, 1e6)), isOfBreak: true)
        watching = max(watching, interval.counts.activeViewers)
        present = interval.counts.activeViewers
        joined &+= interval.sums.viewers[.joined]
        peakPodsPerSecond = max(peakPodsPerSecond, Double(interval.counts.podRequests) / seconds)
        peakRequestsPerSecond = max(peakRequestsPerSecond, Double(interval.counts.requests) / seconds)
    }

    /// Viewers with an outcome or that joined too late, each once; not those that left before.
    private var known: UInt64 {
        // Viewers that joined may be reported as late too.
        let others = min(joined, record.skips(.joinedLate)) &+ record.skips(.leftBefore)
        let all = record.due &+ record.skipped &+ joined
        return all &- min(all, others)
    }

    /// Whether the outcome of all watching viewers is known; one that leaves before counts until another joins.
    var isSettled: Bool { record.unresolved == 0 && known >= UInt64(max(watching, 0)) }

    /// Present viewers without a known outcome.
    var silent: UInt64 { UInt64(max(present, 0)) &- min(UInt64(max(present, 0)), known) }

    /// Peaks are assumed to coincide.
    func addingInParallel(_ other: SeenBreak) -> SeenBreak {
        var sum = self
        sum.record = record.adding(other.record)
        sum.sums = sums.adding(other.sums)
        sum.health.addInParallel(other.health)
        sum.watching = watching &+ other.watching
        sum.present = present &+ other.present
        sum.joined = joined &+ other.joined
        sum.peakPodsPerSecond += other.peakPodsPerSecond
        sum.peakRequestsPerSecond += other.peakRequestsPerSecond
        return sum
    }

    func totals(personaNames: [String]) -> RunTotals {
        var sums = sums
        // Joining and leaving viewers are not judged.
        sums.viewers = ViewerCounts()
        return RunTotals(sums: sums, personaNames: personaNames, breaks: [record], findings: FindingLedger())
    }
}
