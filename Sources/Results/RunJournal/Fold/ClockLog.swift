/// Compares wall clock and monotonic clock at the end of every interval.
struct ClockLog: Equatable, Codable, Sendable {
    /// Smaller steps are slewing, or the time between two clock readings on a busy machine.
    static let leastStepMicroseconds: Int64 = 100_000
    static let stepLimit = 100

    private let wallStartMicroseconds: Int64
    private var offset: Int64 = 0
    private(set) var result = ClockResult()

    init(wallStartMicroseconds: Int64) { self.wallStartMicroseconds = wallStartMicroseconds }

    func naming(shard: Int) -> ClockLog {
        var named = self
        for index in named.result.steps.indices { named.result.steps[index].shard = shard }
        return named
    }

    /// Another machine's clock over the same time.
    mutating func addInParallel(_ other: ClockLog) {
        result.stepCount &+= other.result.stepCount
        let steps = (result.steps + other.result.steps)
            .sorted { ($0.atMilliseconds, $0.shard ?? -1) < ($1.atMilliseconds, $1.shard ?? -1) }
        result.steps = Array(steps.prefix(Self.stepLimit))
        let worse = other.result.driftMicroseconds
        if worse.magnitude > result.driftMicroseconds.magnitude { result.driftMicroseconds = worse }
    }

    mutating func add(_ interval: RunInterval) {
        let now = interval.wallMicroseconds &- wallStartMicroseconds &- interval.endMicroseconds
        let step = now &- offset
        offset = now
        result.driftMicroseconds = now
        guard step.magnitude > UInt64(Self.leastStepMicroseconds) else { return }
        result.stepCount &+= 1
        guard result.steps.count < Self.stepLimit else { return }
        result.steps.append(.init(atMilliseconds: interval.endMicroseconds / 1_000, byMicroseconds: step))
    }
}
