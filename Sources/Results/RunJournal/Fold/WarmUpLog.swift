import Recording

struct WarmUpLog: Equatable, Codable, Sendable {
    var sums = RunSums()
    var health: HealthLog
}
