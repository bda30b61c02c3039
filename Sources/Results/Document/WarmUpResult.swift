package import Recording
import Rules

/// Figures before the measured part of a run: recorded, not judged.
package struct WarmUpResult: Equatable, Codable, Sendable {
    package var durationMilliseconds: Int64
    /// Keyed by kind name, including kinds without requests.
    package var requests: [String: RequestResult]
    /// Viewer counters of the warm-up, without zeros.
    package var viewers: [String: UInt64]
    package var breaks: Int
    package var due: UInt64
    package var onTime: UInt64
    package var seconds: Int
    package var lateStarts: Int
    package var droppedStarts: Int

    package init(durationMilliseconds: Int64, totals: RunTotals, viewers: ViewerCounts, health: HealthLog) {
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
