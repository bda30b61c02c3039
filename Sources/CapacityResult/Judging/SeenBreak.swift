package import Recording
import Rulebook
import RunResult

/// What one process saw of a break, from shortly before its first request until nothing more of it is to come.
package struct SeenBreak: Sendable {
    package private(set) var record: BreakRecord
    private(set) var sums = RunSums()
    private(set) var health: HealthLog
    /// The most viewers that watched at once meanwhile.
    private(set) var watching: Int64 = 0
    /// Those who watch at the end, and those who came meanwhile, whose break it need not be.
    private var present: Int64 = 0
    private var joined: UInt64 = 0
    private(set) var peakPodsPerSecond = 0.0
    private(set) var peakRequestsPerSecond = 0.0

    init(_ record: BreakRecord, health: HealthLog) {
        self.record = record
        self.health = health
    }

    mutating func add(_ interval: RunInterval) {
        // An interval may be cut short at a run's end: what it holds is of one second all the same.
        let seconds = max(1, Double(interval.durationMicroseconds) / 1_000_000)
        sums.add(interval.sums)
        health.add(interval.health, seconds: Int(min(seconds, 1e6)), isOfBreak: true)
        watching = max(watching, interval.counts.activeViewers)
        present = interval.counts.activeViewers
        joined &+= interval.sums.viewers[.joined]
        peakPodsPerSecond = max(peakPodsPerSecond, Double(interval.counts.podRequests) / seconds)
        peakRequestsPerSecond = max(peakRequestsPerSecond, Double(interval.counts.requests) / seconds)
    }

    /// Viewers of whom it is known what the break came to for them, each once, and those who came too late for it; without those
    /// who have left before it.
    private var known: UInt64 {
        // One that came meanwhile may say so of itself.
        let others = min(joined, record.skips(.joinedLate)) &+ record.skips(.leftBefore)
        let all = record.due &+ record.skipped &+ joined
        return all &- min(all, others)
    }

    /// Whether it is known of all who watched what the break came to for them.
    ///
    /// Who leaves before that is replaced by somebody who joins, or makes the others be waited for.
    var isSettled: Bool {
        record.unresolved == 0 && known >= UInt64(max(watching, 0))
    }

    /// Viewers that are there and of whom nothing is known: they wait for their pod, or have not even heard of the break.
    var silent: UInt64 {
        UInt64(max(present, 0)) &- min(UInt64(max(present, 0)), known)
    }

    /// Takes those for due of whom nothing is known.
    mutating func countSilent() { record.countSilent(silent) }

    mutating func replace(_ record: BreakRecord) { self.record = record }

    /// The break as two processes saw it at the same time; the peaks of both are taken to have met.
    ///
    /// - Parameter other: Of the same break.
    /// - Returns: The viewers of both.
    func addingInParallel(_ other: SeenBreak) -> SeenBreak {
        var sum = self
        sum.record = record.adding(other.record)
        sum.sums = sums.adding(other.sums)
        sum.health = health.addingInParallel(other.health)
        sum.watching = watching &+ other.watching
        sum.present = present &+ other.present
        sum.joined = joined &+ other.joined
        sum.peakPodsPerSecond += other.peakPodsPerSecond
        sum.peakRequestsPerSecond += other.peakRequestsPerSecond
        return sum
    }

    /// What was recorded in its time, as of a run that was nothing else.
    ///
    /// - Parameter personaNames: In the order of the personas' numbers.
    /// - Returns: What rules are held against.
    func totals(personaNames: [String]) -> RunTotals {
        var sums = sums
        // Of viewers that come and leave during a break nothing is judged.
        sums.viewers = ViewerCounts()
        return RunTotals(
            sums: sums,
            personaNames: personaNames,
            breaks: [record],
            findings: FindingLedger()
        )
    }
}
