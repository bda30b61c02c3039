import Rules

package struct WindowResult: Equatable, Codable, Sendable {
    /// Kinds without requests are omitted.
    package struct Requests: Equatable, Codable, Sendable {
        package var count: UInt64
        package var errors: UInt64
        package var lateness: LatencyResult?
        package var service: LatencyResult?
        package var response: LatencyResult?
    }

    package var startMilliseconds: Int64
    package var endMilliseconds: Int64
    package var isWarmUp: Bool = false
    package var isComplete: Bool = true
    package var requests: [String: Requests] = [:]
    package var breaks: Int?
    package var due: UInt64 = 0
    package var onTime: UInt64 = 0
    package var late: UInt64 = 0
    package var failed: UInt64 = 0
    package var viewers: [String: UInt64] = [:]
    package var findings: UInt64 = 0
    package var activeViewers: Int64 = 0
    package var liveEdgeAge: LatencyResult?
    package var residentBytesMinimum: Int64 = 0
    package var residentBytesMaximum: Int64 = 0
    package var openDescriptorsMinimum: Int = 0
    package var openDescriptorsMaximum: Int = 0
    package var cpuCoresMean: Double = 0
    package var loopDelayMaximumMicroseconds: Int64 = 0
    package var droppedStarts: Int = 0
}

package struct WarmUpResult: Equatable, Codable, Sendable {
    package var durationMilliseconds: Int64
    package var requests: [String: RequestResult]
    package var viewers: [String: UInt64]
    package var breaks: Int
    package var due: UInt64
    package var onTime: UInt64
    package var seconds: Int
    package var lateStarts: Int
    package var droppedStarts: Int

    package init(durationMilliseconds: Int64, totals: RunTotals, viewers: ViewerCounts, health: HealthResult) {
        self.durationMilliseconds = durationMilliseconds
        requests = RequestKind.allCases.reduce(into: [:]) { $0[$1.name] = RequestResult(totals: totals, kind: $1) }
        self.viewers = viewers.byName
        breaks = totals.warmUpBreaks.count { $0.due > 0 }
        due = totals.warmUpBreaks.reduce(0) { $0 &+ $1.due }
        onTime = totals.warmUpBreaks.reduce(0) { $0 &+ $1.onTime }
        seconds = health.seconds
        lateStarts = health.lateStarts
        droppedStarts = health.droppedStarts
    }
}
