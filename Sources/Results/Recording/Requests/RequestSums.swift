package import Rules
import Values

/// Counters and distributions in use, by names: a later version may change the layout of indices.
package struct RequestSums: Equatable, Sendable, CodableByForm, EmptyWhereMissing, CheckedWhenRead {
    /// Keyed by code of an outcome, or name of a counter or carrier.
    private var counts: [RequestKind: [String: UInt64]] = [:]
    /// Keyed by name of a metric; empty ones have reserved memory.
    private var latencies: [RequestKind: [String: SparseHistogram]] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ loop: RequestCounters) {
        for kind in RequestKind.allCases {
            loop.forEachCount(of: kind) { counts[kind, default: [:]][$0, default: 0] &+= $1 }
            for metric in LatencyMetric.allCases {
                let histogram = loop.latency(kind, metric)
                guard histogram.count > 0 || histogram.outOfRange > 0 else { continue }
                change(kind, metric.name) { $0.add(histogram) }
            }
        }
    }

    mutating func add(_ other: RequestSums) {
        for (kind, theirs) in other.counts { counts[kind, default: [:]].merge(theirs, uniquingKeysWith: &+) }
        for (kind, theirs) in other.latencies {
            for (metric, histogram) in theirs { change(kind, metric) { $0.add(histogram) } }
        }
    }

    mutating func takeRoom(like other: RequestSums) {
        for (kind, theirs) in other.latencies {
            for (metric, histogram) in theirs { change(kind, metric) { $0.takeRoom(like: histogram) } }
        }
    }

    private mutating func change(_ kind: RequestKind, _ metric: String, _ change: (inout SparseHistogram) -> Void) {
        change(&latencies[kind, default: [:]][metric, default: SparseHistogram()])
    }

    package static func == (lhs: RequestSums, rhs: RequestSums) -> Bool { lhs.form == rhs.form }

    /// Kinds without requests are omitted.
    package func tallies() -> [RequestKind: (count: UInt64, errors: UInt64)] {
        counts.keys.reduce(into: [:]) { tallies, kind in
            let all = count(kind) { _ in true }
            if all > 0 { tallies[kind] = (all, count(kind, where: \.isError)) }
        }
    }

    package func latency(_ kind: RequestKind, _ metric: LatencyMetric) -> SparseHistogram? {
        latencies[kind]?[metric.name].flatMap { $0.isEmpty ? nil : $0 }
    }

    package func count(_ kind: RequestKind, where matches: (Outcome) -> Bool) -> UInt64 {
        outcomesByCode(kind, where: matches).values.reduce(0, &+)
    }

    package func outcomesByCode(
        _ kind: RequestKind,
        where matches: (Outcome) -> Bool = { _ in true }
    ) -> [String: UInt64] {
        (counts[kind] ?? [:]).filter { OutcomeSlot.outcomesByCode[$0.key].map(matches) ?? false }
    }

    package var aboveRange: UInt64 { latencies.values.joined().reduce(0) { $0 &+ $1.value.aboveRange } }
    package var belowZero: UInt64 { latencies.values.joined().reduce(0) { $0 &+ $1.value.belowZero } }

    package func count(_ kind: RequestKind, _ counter: RequestCounter) -> UInt64 { counts[kind]?[counter.name] ?? 0 }

    /// Counted by their last carrier.
    package func carried(_ kind: RequestKind, by carrier: Carrier) -> UInt64 { counts[kind]?[carrier.name] ?? 0 }

    package struct Form: Equatable, Codable {
        var counts: [RequestKind: [String: UInt64]]
        var latencies: [RequestKind: [String: SparseHistogram]]
    }

    package init(form: Form) {
        self.init()
        (counts, latencies) = (form.counts, form.latencies)
    }

    package var form: Form {
        let used = latencies.mapValues { $0.filter { !$0.value.isEmpty } }.filter { !$0.value.isEmpty }
        return Form(counts: counts, latencies: used)
    }

    package var problem: String? {
        let isKnown = counts.values.joined().allSatisfy { name, count in
            let isOutcome = OutcomeSlot.outcomesByCode[name] != nil
            return count < 1 << 60 && (isOutcome || RequestCounter(name: name) != nil || Carrier(name: name) != nil)
        }
        let hasMetrics = latencies.values.joined().allSatisfy { name, histogram in
            LatencyMetric(name: name) != nil && histogram.digits == .three
        }
        return isKnown && hasMetrics ? nil : "no requests of a run"
    }
}

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

    /// In the order of a kind's counters.
    private static let names =
        (0..<OutcomeSlot.count).map(OutcomeSlot.code) + RequestCounter.allCases.map(\.name)
        + Carrier.allCases.map(\.name)

    func forEachCount(of kind: RequestKind, _ visit: (_ name: String, _ count: UInt64) -> Void) {
        let own = counts[Int(kind.rawValue) * Self.stride..<(Int(kind.rawValue) + 1) * Self.stride]
        for index in own.indices where own[index] > 0 { visit(Self.names[index - own.startIndex], own[index]) }
    }

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
        // A refused connection ends at once and would make a dead target look fast.
        if case .failure(let failure) = sample.outcome, !failure.isTimeout { return -1 }
        guard sample.doneAt != 0 else { return -1 }
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

/// A name of `report.by` and its values, which are numbered on over all names.
package struct ReportedName: Equatable, Codable, Sendable {
    package var name: String
    package var values: [String]

    package init(name: String, values: [String]) {
        (self.name, self.values) = (name, values)
    }
}

/// Numbers of a viewer's values, one for each name of `report.by`, within `ReportedGroups`.
package struct ViewerGroups: Hashable, Codable, Sendable, CheckedWhenRead, EmptyWhereMissing {
    /// A byte for each number plus 1; 0 ends them.
    private var packed: UInt64 = 0

    package init(_ numbers: [Int]) {
        for number in numbers.reversed() { packed = packed << 8 | UInt64(UInt8(clamping: number + 1)) }
    }

    @inline(__always) package var isEmpty: Bool { packed == 0 }

    package var numbers: some Sequence<Int> {
        sequence(state: packed) { rest -> Int? in
            guard rest != 0 else { return nil }
            defer { rest >>= 8 }
            return Int(rest & 0xFF) - 1
        }
    }

    package var problem: String? {
        numbers.allSatisfy { (0..<ReportedGroups.mostValues).contains($0) } ? nil : "no numbers of values"
    }

    package init() {}
}

/// Persona and groups that a viewer is counted in.
package struct Cohort: Hashable, Codable, Sendable {
    package let persona: UInt8
    package let groups: ViewerGroups

    package init(persona: UInt8 = 0, groups: ViewerGroups = ViewerGroups()) {
        (self.persona, self.groups) = (persona, groups)
    }
}
