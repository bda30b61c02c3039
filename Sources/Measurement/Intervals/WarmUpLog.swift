/// What fell into the warm-up: kept, shown and judged by nothing.
struct WarmUpLog: Equatable, Sendable {
    private(set) var sums = Accumulation()
    private(set) var counters = [UInt64](repeating: 0, count: ViewerCounter.count)
    private(set) var health: HealthLog

    init(health: HealthLog) {
        self.health = health
    }

    mutating func add(_ interval: RunInterval, seconds: Int) {
        sums.add(interval)
        for (counter, count) in interval.viewers { counters[Int(counter.rawValue)] &+= count }
        health.add(interval.health, seconds: seconds)
    }

    mutating func addBreakLateness(_ histogram: SparseHistogram) { sums.addBreakLateness(histogram) }
}

extension WarmUpLog: Codable {
    private enum CodingKeys: String, CodingKey {
        case sums
        case viewers
        case health
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        sums = try values.decode(Accumulation.self, forKey: .sums)
        counters = try ViewerCounter.counters(named: values.decode([String: UInt64].self, forKey: .viewers), decoder)
        health = try values.decode(HealthLog.self, forKey: .health)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(sums, forKey: .sums)
        try values.encode(ViewerCounter.named(counters), forKey: .viewers)
        try values.encode(health, forKey: .health)
    }
}

extension ViewerCounter {
    /// Counts by name, without the zeros.
    static func named(_ counters: [UInt64]) -> [String: UInt64] {
        allCases.reduce(into: [:]) { if counters[Int($1.rawValue)] > 0 { $0[$1.name] = counters[Int($1.rawValue)] } }
    }

    /// Counts by raw value.
    ///
    /// - Throws: `DecodingError` for a name that no counter has.
    static func counters(named counts: [String: UInt64], _ decoder: any Decoder) throws -> [UInt64] {
        var counters = [UInt64](repeating: 0, count: count)
        for (name, count) in counts {
            guard let counter = ViewerCounter(name: name) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: name))
            }
            counters[Int(counter.rawValue)] = count
        }
        return counters
    }
}
