package import Recording
import Rules

/// One process's data of a break, from shortly before its first request until it is over.
package struct SeenBreak: Sendable {
    package private(set) var record: BreakRecord
    private(set) var sums = RunSums()
    private(set) var health: HealthLog
    private(set) var watching: Int64 = 0
    /// Viewers at the end, and viewers that joined during the break, which need not be due for it.
    private var present: Int64 = 0
    private var joined: UInt64 = 0
    private(set) var peakPodsPerSecond = 0.0
    private(set) var peakRequestsPerSecond = 0.0

    init(_ record: BreakRecord, health: HealthLog) {
        self.record = record
        self.health = health
    }

    mutating func add(_ interval: RunInterval) {
        // The last interval of a run may be cut short, but its counts are still of one second.
        let seconds = max(1, Double(interval.durationMicroseconds) / 1_000_000)
        sums.add(interval.sums)
        health.add(interval.health, seconds: Int(min(seconds, 1e6)), isOfBreak: true)
        watching = max(watching, interval.counts.activeViewers)
        present = interval.counts.activeViewers
        joined &+= interval.sums.viewers[.joined]
        peakPodsPerSecond = max(peakPodsPerSecond, Double(interval.counts.podRequests) / seconds)
        peakRequestsPerSecond = max(peakRequestsPerSecond, Double(interval.counts.requests) / seconds)
    }

    /// Viewers with a known outcome, each once, and viewers that joined too late; without those that left before.
    private var known: UInt64 {
        // Viewers that joined during the break may be reported as late too.
        let others = min(joined, record.skips(.joinedLate)) &+ record.skips(.leftBefore)
        let all = record.due &+ record.skipped &+ joined
        return all &- min(all, others)
    }

    /// Whether the outcome is known for all viewers that watched.
    ///
    /// A viewer that leaves before is replaced by one that joins, or keeps the break unsettled.
    var isSettled: Bool {
        record.unresolved == 0 && known >= UInt64(max(watching, 0))
    }

    /// Viewers present without a known outcome: they wait for their pod, or have not seen the break yet.
    var silent: UInt64 {
        UInt64(max(present, 0)) &- min(UInt64(max(present, 0)), known)
    }

    mutating func countSilent() { record.countSilent(silent) }

    mutating func replace(_ record: BreakRecord) { self.record = record }

    /// Adds another process's data of the same break at the same time; peaks are assumed to coincide.
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

    /// Totals as of a run that was only this break, for the evaluation of rules.
    ///
    /// `personaNames` are in the order of the personas' numbers.
    func totals(personaNames: [String]) -> RunTotals {
        var sums = sums
        // Viewers that join or leave during a break are not judged.
        sums.viewers = ViewerCounts()
        return RunTotals(
            sums: sums,
            personaNames: personaNames,
            breaks: [record],
            findings: FindingLedger()
        )
    }
}
