package import Rules
import Values

/// Only counters and distributions in use.
package struct RequestSums: Equatable, Sendable {
    package let digits: HistogramLayout
    private var kinds: [RequestKind: KindSums] = [:]

    /// An interval and the base of a result have three digits.
    package init(digits: HistogramLayout) { self.digits = digits }

    package init() { self.init(digits: .three) }

    package var isEmpty: Bool { kinds.values.allSatisfy(\.outcomes.isEmpty) }

    mutating func add(_ loop: RequestCounters) {
        for kind in RequestKind.allCases {
            loop.forEachCount(of: kind) { kinds[kind, default: KindSums()].add($1, at: $0) }
            for metric in LatencyMetric.allCases {
                let histogram = loop.latency(kind, metric)
                guard histogram.count > 0 || histogram.outOfRange > 0 else { continue }
                change(kind, metric.name) { $0.add(histogram) }
            }
        }
    }

    mutating func add(_ other: RequestSums) {
        for (kind, sums) in other.kinds {
            kinds[kind, default: KindSums()].addCounts(sums)
            for (metric, histogram) in sums.latencies { change(kind, metric) { $0.add(histogram) } }
        }
    }

    mutating func takeRoom(like other: RequestSums) {
        for (kind, sums) in other.kinds {
            for (metric, histogram) in sums.latencies { change(kind, metric) { $0.takeRoom(like: histogram) } }
        }
    }

    private mutating func change(_ kind: RequestKind, _ metric: String, _ change: (inout SparseHistogram) -> Void) {
        change(&kinds[kind, default: KindSums()].latencies[metric, default: SparseHistogram(digits: digits)])
    }

    package static func == (lhs: RequestSums, rhs: RequestSums) -> Bool {
        lhs.digits == rhs.digits && lhs.form == rhs.form
    }

    /// Kinds without requests are omitted.
    package func tallies() -> [RequestKind: (count: UInt64, errors: UInt64)] {
        kinds.compactMapValues { sums in
            guard !sums.outcomes.isEmpty else { return nil }
            return (sums.count { _ in true }, sums.count(where: \.isError))
        }
    }

    package func latency(_ kind: RequestKind, _ metric: LatencyMetric) -> SparseHistogram? {
        kinds[kind]?.latencies[metric.name].flatMap { $0.isEmpty ? nil : $0 }
    }

    package func count(_ kind: RequestKind, where matches: (Outcome) -> Bool) -> UInt64 {
        kinds[kind]?.count(where: matches) ?? 0
    }

    package func outcomesByCode(of kind: RequestKind) -> [String: UInt64] { kinds[kind]?.outcomes ?? [:] }

    package func outcomes(of kind: RequestKind) -> [Outcome: UInt64] {
        outcomesByCode(of: kind).reduce(into: [:]) {
            $0[OutcomeSlot.outcomesByCode[$1.key] ?? .failure(.other), default: 0] &+= $1.value
        }
    }

    package var aboveRange: UInt64 { latencies.reduce(0) { $0 &+ $1.aboveRange } }
    package var belowZero: UInt64 { latencies.reduce(0) { $0 &+ $1.belowZero } }

    private var latencies: some Sequence<SparseHistogram> { kinds.values.lazy.flatMap(\.latencies.values) }

    package func count(_ kind: RequestKind, _ counter: RequestCounter) -> UInt64 {
        kinds[kind]?.counters[counter.name] ?? 0
    }

    /// Counted by their last carrier.
    package func carried(_ kind: RequestKind, by carrier: Carrier) -> UInt64 {
        kinds[kind]?.carried[carrier.name] ?? 0
    }
}

extension RequestSums: CodableByForm, EmptyWhereMissing {
    package init(form: [RequestKind: KindSums]) {
        self.init()
        kinds = form
    }

    package var form: [RequestKind: KindSums] {
        kinds.mapValues { sums in
            var sums = sums
            // Empty ones have reserved memory.
            sums.latencies = sums.latencies.filter { !$0.value.isEmpty }
            return sums
        }
        .filter { !$0.value.isEmpty }
    }
}

/// Names replace indices, whose layout a later version may change.
package struct KindSums: Equatable, Codable, Sendable {
    fileprivate var outcomes: [String: UInt64] = [:]
    fileprivate var counters: [String: UInt64] = [:]
    fileprivate var carried: [String: UInt64] = [:]
    fileprivate var latencies: [String: SparseHistogram] = [:]

    fileprivate init() {}

    fileprivate var isEmpty: Bool { outcomes.isEmpty && carried.isEmpty && latencies.isEmpty }

    fileprivate func count(where matches: (Outcome) -> Bool) -> UInt64 {
        outcomes.reduce(0) { sum, entry in
            guard let outcome = OutcomeSlot.outcomesByCode[entry.key], matches(outcome) else { return sum }
            return sum &+ entry.value
        }
    }

    /// `counter` is an index of `RequestCounters`.
    fileprivate mutating func add(_ count: UInt64, at counter: Int) {
        if counter < OutcomeSlot.count {
            outcomes[OutcomeSlot.code(at: counter), default: 0] &+= count
        } else if let named = RequestCounter(rawValue: UInt8(clamping: counter - OutcomeSlot.count)) {
            counters[named.name, default: 0] &+= count
        } else if let carrier = Carrier(rawValue: UInt8(clamping: counter - RequestCounters.carriersOffset)) {
            carried[carrier.name, default: 0] &+= count
        }
    }

    fileprivate mutating func addCounts(_ other: KindSums) {
        outcomes.merge(other.outcomes, uniquingKeysWith: &+)
        counters.merge(other.counters, uniquingKeysWith: &+)
        carried.merge(other.carried, uniquingKeysWith: &+)
    }
}

extension KindSums: CheckedWhenRead {
    package var problem: String? {
        let isKnown =
            outcomes.keys.allSatisfy { OutcomeSlot.outcomesByCode[$0] != nil }
            && counters.keys.allSatisfy { RequestCounter(name: $0) != nil }
            && carried.keys.allSatisfy { Carrier(name: $0) != nil }
            && latencies.allSatisfy { LatencyMetric(name: $0.key) != nil && $0.value.digits == .three }
        let counts = [outcomes, counters, carried].flatMap(\.values)
        return isKnown && counts.allSatisfy { $0 < 1 << 60 } ? nil : "no requests of a run"
    }
}
