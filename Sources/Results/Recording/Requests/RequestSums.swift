package import Rules
import Values

/// Finished requests of an interval or a whole run, over all loops; only counters and distributions in use.
package struct RequestSums: Equatable, Sendable {
    package let digits: SparseHistogram.Digits
    /// Keyed by index in `RequestCounters`; some may be empty, with reserved memory.
    private(set) var latencies: [Int: SparseHistogram] = [:]
    /// Keyed by index in `RequestCounters`, without zeros.
    private(set) var counts: [Int: UInt64] = [:]

    /// An interval and the base of a result have three digits.
    package init(digits: SparseHistogram.Digits) {
        self.digits = digits
    }

    package init() { self.init(digits: .three) }

    package var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ loop: RequestCounters) {
        loop.forEachCount { index, count in counts[index, default: 0] &+= count }
        for (index, histogram) in loop.latencies.enumerated() where histogram.count > 0 || histogram.outOfRange > 0 {
            latencies[index, default: SparseHistogram(digits: digits)].add(histogram)
        }
    }

    mutating func add(_ other: RequestSums) {
        for (index, count) in other.counts { counts[index, default: 0] &+= count }
        for (index, histogram) in other.latencies {
            latencies[index, default: SparseHistogram(digits: digits)].add(histogram)
        }
    }

    /// Reserves the memory that another part of the run needed.
    mutating func takeRoom(like other: RequestSums) {
        for (index, histogram) in other.latencies {
            latencies[index, default: SparseHistogram(digits: digits)].takeRoom(like: histogram)
        }
    }

    package static func == (lhs: RequestSums, rhs: RequestSums) -> Bool {
        lhs.digits == rhs.digits && lhs.counts == rhs.counts
            && lhs.latencies.filter { !$0.value.isEmpty } == rhs.latencies.filter { !$0.value.isEmpty }
    }

    /// Finished requests and those counted as errors, by kind; kinds without requests are omitted.
    package func tallies() -> [RequestKind: (count: UInt64, errors: UInt64)] {
        var tallies: [RequestKind: (count: UInt64, errors: UInt64)] = [:]
        for (index, count) in counts {
            let (kind, slot) = RequestCounters.kindAndCounter(at: index)
            guard slot < OutcomeSlot.count, let kind, let outcome = OutcomeSlot.outcome(at: slot) else { continue }
            tallies[kind, default: (0, 0)].count &+= count
            if outcome.isError { tallies[kind, default: (0, 0)].errors &+= count }
        }
        return tallies
    }

    package func latency(_ kind: RequestKind, _ metric: LatencyMetric) -> SparseHistogram? {
        latencies[RequestCounters.index(kind, metric)].flatMap { $0.isEmpty ? nil : $0 }
    }

    package func count(_ kind: RequestKind, where matches: (Outcome) -> Bool) -> UInt64 {
        slots(of: kind).reduce(0) { sum, entry in
            guard let outcome = OutcomeSlot.outcome(at: entry.slot), matches(outcome) else { return sum }
            return sum &+ entry.count
        }
    }

    package func outcomesByCode(of kind: RequestKind) -> [String: UInt64] {
        slots(of: kind).reduce(into: [:]) { $0[OutcomeSlot.code(at: $1.slot), default: 0] &+= $1.count }
    }

    private func slots(of kind: RequestKind) -> [(slot: Int, count: UInt64)] {
        counts.compactMap { index, count in
            let (itsKind, slot) = RequestCounters.kindAndCounter(at: index)
            return itsKind == kind && slot < OutcomeSlot.count ? (slot, count) : nil
        }
    }

    package var aboveRange: UInt64 { latencies.values.reduce(0) { $0 &+ $1.aboveRange } }
    package var belowZero: UInt64 { latencies.values.reduce(0) { $0 &+ $1.belowZero } }

    package func count(_ kind: RequestKind, _ counter: RequestCounter) -> UInt64 {
        count(kind, at: RequestCounters.offset(counter))
    }

    /// Sent requests by their last carrier.
    package func carried(_ kind: RequestKind, by carrier: Carrier) -> UInt64 {
        count(kind, at: RequestCounters.carriersOffset + Int(carrier.rawValue))
    }

    private func count(_ kind: RequestKind, at counter: Int) -> UInt64 {
        counts[RequestCounters.index(kind, counter)] ?? 0
    }

    package func outcomes(of kind: RequestKind) -> [Outcome: UInt64] {
        (0..<OutcomeSlot.count).reduce(into: [:]) { outcomes, slot in
            guard let count = counts[RequestCounters.index(kind, slot)] else { return }
            outcomes[OutcomeSlot.outcome(at: slot) ?? .failure(.other), default: 0] &+= count
        }
    }
}

extension RequestSums: Codable, EmptyWhereMissing {
    /// Stored form of one kind, with names instead of indices, whose layout a later version may change.
    private struct Kind: Codable {
        var outcomes: [String: UInt64] = [:]
        var bytes: UInt64 = 0
        var connections: UInt64 = 0
        var carried: [String: UInt64] = [:]
        var repeated: UInt64 = 0
        var unstamped: UInt64 = 0
        var outgrown: UInt64 = 0
        var latencies: [String: SparseHistogram] = [:]

        subscript(_ counter: RequestCounter) -> UInt64 {
            get { self[keyPath: Self.path(counter)] }
            set { self[keyPath: Self.path(counter)] = newValue }
        }

        private static func path(_ counter: RequestCounter) -> WritableKeyPath<Kind, UInt64> {
            switch counter {
            case .bodyBytes: \.bytes
            case .newConnections: \.connections
            case .repeated: \.repeated
            case .unstamped: \.unstamped
            case .outgrown: \.outgrown
            }
        }
    }

    private typealias Counters = RequestCounters

    package init(from decoder: any Decoder) throws {
        self.init()
        for (name, written) in try [String: Kind](from: decoder) {
            guard let kind = RequestKind(name: name) else { throw Self.unknown(name, decoder) }
            try read(written, of: kind, decoder)
        }
        guard counts.values.allSatisfy({ $0 < 1 << 60 }) else {
            throw Self.unknown("a count that no run can reach", decoder)
        }
    }

    private mutating func read(_ written: Kind, of kind: RequestKind, _ decoder: any Decoder) throws {
        for (code, count) in written.outcomes {
            guard let slot = OutcomeSlot.slot(code: code) else { throw Self.unknown(code, decoder) }
            counts[Counters.index(kind, slot)] = count
        }
        for (name, count) in written.carried {
            guard let carrier = Carrier.allCases.first(where: { $0.name == name }) else {
                throw Self.unknown(name, decoder)
            }
            counts[Counters.index(kind, Counters.carriersOffset + Int(carrier.rawValue))] = count
        }
        for counter in RequestCounter.allCases where written[counter] > 0 {
            counts[Counters.index(kind, Counters.offset(counter))] = written[counter]
        }
        for (name, histogram) in written.latencies {
            guard let metric = LatencyMetric(name: name), histogram.digits == .three else {
                throw Self.unknown(name, decoder)
            }
            latencies[Counters.index(kind, metric)] = histogram
        }
    }

    private static func unknown(_ name: String, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "unknown: \(name)"))
    }

    package func encode(to encoder: any Encoder) throws {
        let written = RequestKind.allCases.reduce(into: [String: Kind]()) { kinds, kind in
            guard let written = self.written(kind) else { return }
            kinds[kind.name] = written
        }
        try written.encode(to: encoder)
    }

    private func written(_ kind: RequestKind) -> Kind? {
        let carried = Carrier.allCases.map { ($0.name, self.carried(kind, by: $0)) }
        let latencies = LatencyMetric.allCases.compactMap { metric in
            latency(kind, metric).map { (metric.name, $0) }
        }
        guard !slots(of: kind).isEmpty || !latencies.isEmpty || carried.contains(where: { $0.1 > 0 }) else {
            return nil
        }
        var written = Kind(outcomes: outcomesByCode(of: kind))
        written.carried = Dictionary(carried.filter { $0.1 > 0 }, uniquingKeysWith: &+)
        written.latencies = Dictionary(latencies) { first, _ in first }
        for counter in RequestCounter.allCases { written[counter] = count(kind, counter) }
        return written
    }
}
