/// What happened to the viewers of one break: punctuality, the burst around its start, identifiers and pods.
package struct BreakRecord: Sendable {
    /// The stable identity of the break, the same for every viewer.
    package let key: String
    package let startMicroseconds: Int64
    package let durationMilliseconds: Int
    /// Whether this record stands for every break that came after the limit; such a record keeps no burst,
    /// identifiers or pods, because mixing breaks would make false findings.
    package let isOverflow: Bool

    package private(set) var due: UInt64 = 0
    package private(set) var onTime: UInt64 = 0
    package private(set) var late: UInt64 = 0
    private(set) var failureCounts = [UInt64](repeating: 0, count: BreakFailure.allCases.count)
    private(set) var skipCounts = [UInt64](repeating: 0, count: SkipReason.allCases.count)

    /// Earliest and latest instant at which an on-time viewer had its pod, in microseconds from the break's start.
    package private(set) var inHandFirst: Int64?
    package private(set) var inHandLast: Int64?
    package private(set) var latenessMaximumMicroseconds: Int64 = 0
    package private(set) var latenessSumMicroseconds: Int64 = 0

    /// Finished requests of this break, of every kind, and those of them that count as errors.
    package private(set) var requests: UInt64 = 0
    package private(set) var errors: UInt64 = 0
    package private(set) var slowestResponseMicroseconds: Int64 = 0

    /// Planned to sent, connecting excluded, of the pod manifest requests that were sent.
    package private(set) var sendLateness = CompactHistogram()
    package private(set) var burst = BurstWindow()
    package private(set) var pods = PodLedger()

    init(key: String, startMicroseconds: Int64, durationMilliseconds: Int, isOverflow: Bool = false) {
        self.key = key
        self.startMicroseconds = startMicroseconds
        self.durationMilliseconds = durationMilliseconds
        self.isOverflow = isOverflow
    }

    package var failed: UInt64 { failureCounts.reduce(0, &+) }
    package var skipped: UInt64 { skipCounts.reduce(0, &+) }
    /// Viewers that were due and of whom nothing more was heard before the run ended.
    ///
    /// One without a stream id is due and skips the break: it is not on time, and it is known why.
    package var unresolved: UInt64 {
        let resolved = onTime &+ late &+ failed &+ skips(.noStreamID)
        return due > resolved ? due - resolved : 0
    }

    package func failures(_ failure: BreakFailure) -> UInt64 { failureCounts[failure.slot] }
    package func skips(_ reason: SkipReason) -> UInt64 { skipCounts[reason.slot] }

    /// Share of the due viewers that had a playable pod in time; nil while nobody was due.
    package var onTimeShare: Double? { due == 0 ? nil : Double(onTime) / Double(due) }
}

extension BreakRecord {
    mutating func countDue() { due &+= 1 }

    mutating func countOnTime(inHandAfterStart nanoseconds: Int64) {
        onTime &+= 1
        let offset = nanoseconds / 1_000
        inHandFirst = min(inHandFirst ?? offset, offset)
        inHandLast = max(inHandLast ?? offset, offset)
    }

    mutating func countLate(microseconds: Int64) {
        late &+= 1
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, microseconds)
        latenessSumMicroseconds &+= microseconds
    }

    mutating func countFailed(_ failure: BreakFailure) { failureCounts[failure.slot] &+= 1 }
    mutating func countSkipped(_ reason: SkipReason) { skipCounts[reason.slot] &+= 1 }

    @inline(__always)
    mutating func countRequest(isError: Bool, responseMicroseconds: Int64) {
        requests &+= 1
        if isError { errors &+= 1 }
        if responseMicroseconds > slowestResponseMicroseconds { slowestResponseMicroseconds = responseMicroseconds }
    }

    mutating func countSend(latenessMicroseconds: Int64) { sendLateness.record(latenessMicroseconds) }

    mutating func countPodRequest(_ identifier: String, viewer: Int?, wallMicroseconds: Int64) {
        guard !isOverflow else { return }
        burst.count(offset: wallMicroseconds.subtractingReportingOverflow(startMicroseconds).partialValue)
        pods.requested(identifier, viewer: viewer)
    }

    mutating func countPod(_ identifier: String, fingerprint: UInt64, viewer: Int, evidence: () -> Evidence) {
        guard !isOverflow else { return }
        pods.observed(identifier, fingerprint: fingerprint, viewer: viewer, evidence: evidence)
    }

    mutating func add(_ other: BreakRecord) {
        due &+= other.due
        onTime &+= other.onTime
        late &+= other.late
        for index in failureCounts.indices { failureCounts[index] &+= other.failureCounts[index] }
        for index in skipCounts.indices { skipCounts[index] &+= other.skipCounts[index] }
        inHandFirst = [inHandFirst, other.inHandFirst].compactMap(\.self).min()
        inHandLast = [inHandLast, other.inHandLast].compactMap(\.self).max()
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, other.latenessMaximumMicroseconds)
        latenessSumMicroseconds &+= other.latenessSumMicroseconds
        requests &+= other.requests
        errors &+= other.errors
        slowestResponseMicroseconds = max(slowestResponseMicroseconds, other.slowestResponseMicroseconds)
        sendLateness.add(other.sendLateness)
        burst.add(other.burst)
        pods.add(other.pods)
    }
}
