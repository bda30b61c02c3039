package import Rules
import Values

package struct BreakRecord: Summable, Equatable, Codable, Sendable {
    /// Identity of the break, equal for every viewer.
    package let key: String
    package let startMicroseconds: Int64
    package let durationMilliseconds: Int
    /// Instant at which viewers meet it that were not told of it.
    package var meeting: BreakMeeting = .individual
    /// Whether this record combines all breaks past the limit; it has no burst, identifiers or pods, because mixed breaks would
    /// make false findings.
    package var isOverflow: Bool = false

    package internal(set) var due: UInt64 = 0
    package internal(set) var onTime: UInt64 = 0
    package internal(set) var late: UInt64 = 0
    private(set) var failures: [BreakFailure: UInt64] = [:]
    var skips: [SkipReason: UInt64] = [:]

    /// Earliest and latest instant at which an on-time viewer had its pod, in microseconds from the break's start.
    package internal(set) var inHandFirst: Int64?
    package internal(set) var inHandLast: Int64?
    package internal(set) var latenessMaximumMicroseconds: Int64 = 0
    package internal(set) var latenessSumMicroseconds: Int64 = 0

    /// Finished requests of this break, of every kind, and those counted as errors.
    package internal(set) var requests: UInt64 = 0
    package internal(set) var errors: UInt64 = 0
    package internal(set) var slowestResponseMicroseconds: Int64 = 0

    /// Planned to sent, without connecting, of requests for its pod manifest or asset list that were sent.
    package internal(set) var sendLateness = CompactHistogram()
    package internal(set) var burst = BurstWindow()
    /// Viewers by the time at which they had their pod, on time or late.
    package internal(set) var inHand = BurstWindow()
    package internal(set) var pods = PodLedger()
    package internal(set) var personas = PersonaTallies()
    package internal(set) var discovery = DiscoveryWindow()
    package internal(set) var announcements = AnnouncementLedger()
    package internal(set) var fill = FillLedger()

    package var failed: UInt64 { failures.values.reduce(0, &+) }
    package var skipped: UInt64 { skips.values.reduce(0, &+) }
    /// Viewers that were due and without a known outcome at the end of the run.
    package var unresolved: UInt64 {
        let resolved = onTime &+ late &+ failed
        return due > resolved ? due - resolved : 0
    }

    package func failures(_ failure: BreakFailure) -> UInt64 { failures[failure] ?? 0 }
    package func skips(_ reason: SkipReason) -> UInt64 { skips[reason] ?? 0 }

    package var failuresByName: [String: UInt64] {
        failures.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    }

    package var skipsByName: [String: UInt64] {
        skips.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    }

    package var onTimeShare: Double? { due == 0 ? nil : Double(onTime) / Double(due) }
}

extension BreakRecord {
    mutating func countDue(_ persona: UInt8 = 0) {
        due &+= 1
        personas.countDue(persona)
    }

    /// Adds viewers that were due without a record of it; their personas are unknown.
    package mutating func countSilent(_ viewers: UInt64) { due = due &+ viewers }

    mutating func countOnTime(inHandAfterStart nanoseconds: Int64, wallMicroseconds: Int64?, persona: UInt8 = 0) {
        onTime &+= 1
        let offset = nanoseconds / 1_000
        let inHandAt = wallMicroseconds ?? startMicroseconds &+ offset
        countInHand(inHandAt)
        personas.countOnTime(persona, playhead: inHandAt &- startMicroseconds &- offset)
        inHandFirst = min(inHandFirst ?? offset, offset)
        inHandLast = max(inHandLast ?? offset, offset)
    }

    mutating func countLate(microseconds: Int64, wallMicroseconds: Int64?, persona: UInt8 = 0) {
        late &+= 1
        let inHandAt = wallMicroseconds ?? startMicroseconds &+ microseconds
        countInHand(inHandAt)
        personas.countLate(persona, playhead: inHandAt &- startMicroseconds &- microseconds)
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, microseconds)
        latenessSumMicroseconds &+= microseconds
    }

    private mutating func countInHand(_ wallMicroseconds: Int64) {
        guard !isOverflow else { return }
        inHand.count(offset: offset(of: wallMicroseconds))
    }

    func offset(of wallMicroseconds: Int64) -> Int64 { wallMicroseconds &- startMicroseconds }

    mutating func countShutOut(_ failure: BreakFailure, persona: UInt8, viewers: UInt64) {
        due &+= viewers
        failures[failure, default: 0] &+= viewers
        personas.countShutOut(persona, viewers: viewers)
    }

    mutating func countFailed(_ failure: BreakFailure, persona: UInt8 = 0) {
        failures[failure, default: 0] &+= 1
        personas.countFailed(persona)
    }

    @inline(__always)
    mutating func countRequest(isError: Bool, responseMicroseconds: Int64) {
        requests &+= 1
        if isError { errors &+= 1 }
        if responseMicroseconds > slowestResponseMicroseconds { slowestResponseMicroseconds = responseMicroseconds }
    }

    package mutating func add(_ other: BreakRecord) {
        due &+= other.due
        onTime &+= other.onTime
        late &+= other.late
        failures.merge(other.failures, uniquingKeysWith: &+)
        skips.merge(other.skips, uniquingKeysWith: &+)
        inHandFirst = [inHandFirst, other.inHandFirst].compactMap(\.self).min()
        inHandLast = [inHandLast, other.inHandLast].compactMap(\.self).max()
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, other.latenessMaximumMicroseconds)
        latenessSumMicroseconds &+= other.latenessSumMicroseconds
        requests &+= other.requests
        errors &+= other.errors
        slowestResponseMicroseconds = max(slowestResponseMicroseconds, other.slowestResponseMicroseconds)
        sendLateness.add(other.sendLateness)
        burst.add(other.burst)
        inHand.add(other.inHand)
        pods.add(other.pods)
        personas.add(other.personas)
        discovery.add(other.discovery)
        announcements.add(other.announcements)
        fill.add(other.fill)
    }

    /// Removes viewers without a known outcome because their process was lost; returns their number.
    ///
    /// They were due, but neither result is evidence against the target.
    @discardableResult
    package mutating func leaveOutUnresolved() -> UInt64 {
        let left = unresolved
        due &-= left
        personas.leaveOutUnresolved()
        return left
    }

    /// Removes viewers with pods that must not be compared, as found out later.
    ///
    /// For `manifests` the whole pod is excluded, for `renditions` only the played content.
    package mutating func leaveOutPods(manifestsOf manifests: ViewerSet, renditionsOf renditions: ViewerSet) {
        pods.leaveOut(manifestsOf: manifests, renditionsOf: renditions)
    }
}

extension BreakRecord: CheckedWhenRead {
    package var problem: String? {
        let counts = [due, onTime, late, requests, errors] + failures.values + skips.values
        return counts.allSatisfy { $0 < 1 << 48 } ? nil : "counts that no run can reach"
    }
}
