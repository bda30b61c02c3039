package import Rules

/// Counter of a request kind besides its outcomes and carriers.
package enum RequestCounter: UInt8, NamedCase {
    case bodyBytes
    case newConnections
    case repeated
    /// Answers whose end the kernel has not stamped.
    case unstamped
    case outgrown

    package static let names = CaseNames<Self>()
    static var count: Int { Int(Self.outgrown.rawValue) + 1 }
}

/// Flat arrays, without allocation per request.
struct RequestCounters: Sendable {
    private var latencies = [DenseHistogram](
        repeating: DenseHistogram(digits: .three),
        count: RequestKind.allCases.count * LatencyMetric.count
    )
    /// Counters by kind: outcomes, the `RequestCounter`s, then sent requests by carrier.
    private var counts = [UInt64](repeating: 0, count: RequestKind.allCases.count * Self.stride)

    @inline(__always)
    static func offset(_ counter: RequestCounter) -> Int { OutcomeSlot.count + Int(counter.rawValue) }

    static var carriersOffset: Int { OutcomeSlot.count + RequestCounter.count }
    private static var stride: Int { carriersOffset + Carrier.count }

    func latency(_ kind: RequestKind, _ metric: LatencyMetric) -> DenseHistogram {
        latencies[Int(kind.rawValue) * LatencyMetric.count + Int(metric.rawValue)]
    }

    func forEachCount(of kind: RequestKind, _ visit: (_ counter: Int, _ count: UInt64) -> Void) {
        let own = counts[Int(kind.rawValue) * Self.stride..<(Int(kind.rawValue) + 1) * Self.stride]
        for index in own.indices where own[index] > 0 { visit(index - own.startIndex, own[index]) }
    }

    /// Keeps the memory.
    mutating func clear() {
        for index in latencies.indices { latencies[index].clear() }
        for index in counts.indices { counts[index] = 0 }
    }

    mutating func takeRoom(like other: RequestCounters) {
        for index in latencies.indices { latencies[index].takeRoom(like: other.latencies[index]) }
    }

    mutating func countRepeated(_ kind: RequestKind, by amount: UInt64) {
        counts[Int(kind.rawValue) * Self.stride + Self.offset(.repeated)] &+= amount
    }

    /// Returns the response time in microseconds, or -1.
    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample) -> Int64 {
        let kind = Int(sample.kind.rawValue)
        let counters = kind &* Self.stride
        counts[counters &+ OutcomeSlot.index(of: sample.outcome)] &+= 1
        counts[counters &+ Self.offset(.bodyBytes)] &+= UInt64(clamping: sample.bodyBytes)
        if sample.isNewConnection { counts[counters &+ Self.offset(.newConnections)] &+= 1 }
        guard sample.sentAt != 0 else { return -1 }
        counts[counters &+ Self.carriersOffset &+ Int(sample.carrier.rawValue)] &+= 1
        let base = kind &* LatencyMetric.count
        record(.lateness, base, sample.latenessMicroseconds)
        if sample.connectMicroseconds != 0 { record(.connect, base, Int64(sample.connectMicroseconds)) }
        if sample.tlsMicroseconds != 0 { record(.tls, base, Int64(sample.tlsMicroseconds)) }
        if sample.firstByteAt != 0 { record(.firstByte, base, (sample.firstByteAt &- sample.sentAt) / 1_000) }
        guard sample.outcome.hasLatency, sample.doneAt != 0 else { return -1 }
        let end: Int64
        if sample.receivedAt != 0 {
            end = sample.receivedAt
            record(.handling, base, (sample.doneAt &- sample.receivedAt) / 1_000)
        } else {
            end = sample.doneAt
            if sample.firstByteAt != 0 { counts[counters &+ Self.offset(.unstamped)] &+= 1 }
        }
        if sample.outgrewBuffer { counts[counters &+ Self.offset(.outgrown)] &+= 1 }
        let response = (end &- sample.plannedAt) / 1_000
        record(.service, base, (end &- sample.sentAt) / 1_000)
        record(.response, base, response)
        return response
    }

    @inline(__always)
    private mutating func record(_ metric: LatencyMetric, _ base: Int, _ microseconds: Int64) {
        latencies[base &+ Int(metric.rawValue)].record(microseconds)
    }
}

extension Outcome {
    /// A refused connection ends at once and would make a dead target look fast.
    @inline(__always)
    var hasLatency: Bool {
        switch self {
        case .status: true
        case .failure(let failure): failure.isTimeout
        }
    }
}

/// One slot per status below 600, one for all others, one per failure.
enum OutcomeSlot {
    static let otherStatus = 600
    static let firstFailure = 601
    static var count: Int { firstFailure + TransportFailure.count }

    @inline(__always)
    static func index(of outcome: Outcome) -> Int {
        switch outcome {
        case .status(let status): min(Int(status), otherStatus)
        case .failure(let failure): firstFailure + Int(failure.rawValue)
        }
    }

    static func outcome(at index: Int) -> Outcome? {
        if index < firstFailure { return .status(UInt16(clamping: index)) }
        return TransportFailure(rawValue: UInt8(clamping: index - firstFailure)).map { .failure($0) }
    }

    static let outcomesByCode = Dictionary(
        (0..<count).compactMap { slot in outcome(at: slot).map { (code(at: slot), $0) } },
        uniquingKeysWith: { first, _ in first }
    )

    static func code(at index: Int) -> String {
        index == otherStatus ? "http_other" : outcome(at: index)?.code ?? "other_failure"
    }
}
