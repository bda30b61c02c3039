import Recording
import RunResult

/// What fell into the warm-up: kept, shown and judged by nothing.
struct WarmUpLog: Equatable, Codable, Sendable {
    var sums = RunSums()
    var health: HealthLog

    init(health: HealthLog) { self.health = health }
}
