/// What happened to the viewers of one break: punctuality, the burst around its start, identifiers and pods.
package struct BreakRecord: Equatable, Sendable {
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
    /// Viewers by when they had their pod, on time or late.
    package private(set) var inHand = BurstWindow()
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

    /// Without the zeros.
    var failuresByName: [String: UInt64] {
        BreakFailure.allCases.reduce(into: [:]) { if failures($1) > 0 { $0[$1.rawValue] = failures($1) } }
    }

    /// Without the zeros.
    var skipsByName: [String: UInt64] {
        SkipReason.allCases.reduce(into: [:]) { if skips($1) > 0 { $0[$1.rawValue] = skips($1) } }
    }

    /// Share of the due viewers that had a playable pod in time; nil while nobody was due.
    package var onTimeShare: Double? { due == 0 ? nil : Double(onTime) / Double(due) }
}

extension BreakRecord {
    mutating func countDue() { due &+= 1 }

    mutating func countOnTime(inHandAfterStart nanoseconds: Int64, wallMicroseconds: Int64?) {
        onTime &+= 1
        countInHand(wallMicroseconds ?? startMicroseconds &+ nanoseconds / 1_000)
        let offset = nanoseconds / 1_000
        inHandFirst = min(inHandFirst ?? offset, offset)
        inHandLast = max(inHandLast ?? offset, offset)
    }

    mutating func countLate(microseconds: Int64, wallMicroseconds: Int64?) {
        late &+= 1
        countInHand(wallMicroseconds ?? startMicroseconds &+ microseconds)
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, microseconds)
        latenessSumMicroseconds &+= microseconds
    }

    private mutating func countInHand(_ wallMicroseconds: Int64) {
        guard !isOverflow else { return }
        inHand.count(offset: wallMicroseconds.subtractingReportingOverflow(startMicroseconds).partialValue)
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
        inHand.add(other.inHand)
        pods.add(other.pods)
    }
}

extension BreakRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case key
        case startMicroseconds = "start_us"
        case durationMilliseconds = "duration_ms"
        case isOverflow = "overflow"
        case due
        case onTime = "on_time"
        case late
        case failures = "failed"
        case skips = "skipped"
        case inHandFirst = "in_hand_first"
        case inHandLast = "in_hand_last"
        case latenessMaximum = "late_max"
        case latenessSum = "late_sum"
        case requests
        case errors
        case slowest
        case sendLateness = "send"
        case burst
        case inHand = "in_hand"
        case pods
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            key: try values.decode(String.self, forKey: .key),
            startMicroseconds: try values.decode(Int64.self, forKey: .startMicroseconds),
            durationMilliseconds: try values.decode(Int.self, forKey: .durationMilliseconds),
            isOverflow: try values.decodeIfPresent(Bool.self, forKey: .isOverflow) ?? false
        )
        due = try values.largeCount(.due)
        onTime = try values.largeCount(.onTime)
        late = try values.largeCount(.late)
        failureCounts = try Self.counts(values, .failures) { BreakFailure(rawValue: $0)?.slot }
        skipCounts = try Self.counts(values, .skips) { SkipReason(rawValue: $0)?.slot }
        inHandFirst = try values.decodeIfPresent(Int64.self, forKey: .inHandFirst)
        inHandLast = try values.decodeIfPresent(Int64.self, forKey: .inHandLast)
        latenessMaximumMicroseconds = try values.decodeIfPresent(Int64.self, forKey: .latenessMaximum) ?? 0
        latenessSumMicroseconds = try values.decodeIfPresent(Int64.self, forKey: .latenessSum) ?? 0
        requests = try values.largeCount(.requests)
        errors = try values.largeCount(.errors)
        slowestResponseMicroseconds = try values.decodeIfPresent(Int64.self, forKey: .slowest) ?? 0
        if let sends = try values.decodeIfPresent(SparseHistogram.self, forKey: .sendLateness) {
            sendLateness.add(sends)
        }
        burst = try values.decodeIfPresent(BurstWindow.self, forKey: .burst) ?? BurstWindow()
        inHand = try values.decodeIfPresent(BurstWindow.self, forKey: .inHand) ?? BurstWindow()
        pods = try values.decodeIfPresent(PodLedger.self, forKey: .pods) ?? PodLedger()
    }

    private static func counts(
        _ values: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys,
        slot: (String) -> Int?
    ) throws -> [UInt64] {
        var counts = [UInt64](
            repeating: 0,
            count: key == .failures ? BreakFailure.allCases.count : SkipReason.allCases.count
        )
        for (name, count) in try values.decodeIfPresent([String: UInt64].self, forKey: key) ?? [:] {
            guard let slot = slot(name), count < 1 << 48 else {
                throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "\(name): \(count)")
            }
            counts[slot] = count
        }
        return counts
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(key, forKey: .key)
        try values.encode(startMicroseconds, forKey: .startMicroseconds)
        try values.encode(durationMilliseconds, forKey: .durationMilliseconds)
        if isOverflow { try values.encode(true, forKey: .isOverflow) }
        for (key, count) in [
            (CodingKeys.due, due), (.onTime, onTime), (.late, late), (.requests, requests), (.errors, errors),
        ] where count > 0 { try values.encode(count, forKey: key) }
        if failed > 0 { try values.encode(failuresByName, forKey: .failures) }
        if skipped > 0 { try values.encode(skipsByName, forKey: .skips) }
        try values.encodeIfPresent(inHandFirst, forKey: .inHandFirst)
        try values.encodeIfPresent(inHandLast, forKey: .inHandLast)
        for (key, figure) in [
            (CodingKeys.latenessMaximum, latenessMaximumMicroseconds), (.latenessSum, latenessSumMicroseconds),
            (.slowest, slowestResponseMicroseconds),
        ] where figure != 0 { try values.encode(figure, forKey: key) }
        let sends = SparseHistogram(sendLateness)
        if !sends.isEmpty { try values.encode(sends, forKey: .sendLateness) }
        if burst != BurstWindow() { try values.encode(burst, forKey: .burst) }
        if inHand != BurstWindow() { try values.encode(inHand, forKey: .inHand) }
        if pods != PodLedger() { try values.encode(pods, forKey: .pods) }
    }
}
