import Recording
import RunResult

/// Figures of the warm-up: recorded and shown, not judged.
struct WarmUpLog: Equatable, Codable, Sendable {
    var sums = RunSums()
    var health: HealthLog

    init(health: HealthLog) { self.health = health }
}
