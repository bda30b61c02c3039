package import Recording
import Rulebook
import RunResult

/// What one process saw of a break, from shortly before its first request until nothing more of it is to come.
package struct SeenBreak: Sendable {
    package private(set) var record: BreakRecord
    private(set) var sums = Accumulation()
    private(set) var health: HealthLog
    /// The most viewers that watched at once meanwhile.
    private(set) var watching: Int64 = 0
    private(set) var peakPodsPerSecond = 0.0
    private(set) var peakRequestsPerSecond = 0.0

    init(_ record: BreakRecord, health: HealthLog) {
        self.record = record
        self.health = health
    }

    mutating func add(_ interval: RunInterval) {
        // An interval may be cut short at a run's end: what it holds is of one second all the same.
        let seconds = max(1, Double(interval.durationMicroseconds) / 1_000_000)
        sums.add(interval)
        sums.addBreakLateness(interval.breakLateness)
        health.add(interval.health, seconds: Int(min(seconds, 1e6)), isOfBreak: true)
        watching = max(watching, interval.counts.activeViewers)
        peakPodsPerSecond = max(peakPodsPerSecond, Double(interval.counts.podRequests) / seconds)
        peakRequestsPerSecond = max(peakRequestsPerSecond, Double(interval.counts.requests) / seconds)
    }

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
        sum.peakPodsPerSecond += other.peakPodsPerSecond
        sum.peakRequestsPerSecond += other.peakRequestsPerSecond
        return sum
    }

    /// What was recorded in its time, as of a run that was nothing else.
    ///
    /// - Parameter personaNames: In the order of the personas' numbers.
    /// - Returns: What rules are held against.
    func totals(personaNames: [String]) -> RunTotals {
        RunTotals(
            sums: sums,
            counters: [UInt64](repeating: 0, count: ViewerCounter.allCases.count),
            personaViewers: [UInt64](repeating: 0, count: PersonaTallies.limit),
            personaNames: personaNames,
            breaks: [record],
            findings: FindingLedger()
        )
    }
}
