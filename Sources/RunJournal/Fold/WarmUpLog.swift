import Recording
import Rulebook
import RunResult

/// What fell into the warm-up: kept, shown and judged by nothing.
struct WarmUpLog: Equatable, Sendable {
    private(set) var sums = Accumulation()
    private(set) var counters = [UInt64](repeating: 0, count: ViewerCounter.allCases.count)
    private(set) var health: HealthLog

    init(health: HealthLog) {
        self.health = health
    }

    mutating func add(_ interval: RunInterval, seconds: Int, isOfBreak: Bool) {
        sums.add(interval)
        for (counter, count) in interval.viewers { counters[Int(counter.rawValue)] &+= count }
        health.add(interval.health, seconds: seconds, isOfBreak: isOfBreak)
    }

    /// Adds the warm-up of another process at the same time.
    mutating func addInParallel(_ other: WarmUpLog) {
        sums = sums.adding(other.sums)
        for index in counters.indices { counters[index] &+= other.counters[index] }
        health = health.addingInParallel(other.health)
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
