import Rules

package struct EventResult: Equatable, Codable, Sendable {
    package var scheduled: UInt64 = 0
    package var started: UInt64 = 0
    package var finished: UInt64 = 0
    package var cutShort: UInt64 = 0
    package var cancelled: UInt64 = 0
    package var failed: UInt64 = 0
    package var skipped: UInt64 = 0
    package var left: UInt64 = 0
    package var restricted: UInt64 = 0
    package var changed: UInt64 = 0
    package var unaccounted: Int64 = 0

    private static let counters: [(any WritableKeyPath<EventResult, UInt64> & Sendable, ViewerCounter)] = [
        (\.scheduled, .eventsScheduled), (\.started, .eventsStarted), (\.finished, .eventsFinished),
        (\.cutShort, .eventsCutShort), (\.cancelled, .eventsCancelled), (\.failed, .eventsFailed),
        (\.skipped, .eventsSkipped), (\.left, .eventsLeft), (\.restricted, .eventsRestricted),
        (\.changed, .eventsChanged),
    ]

    package init?(_ totals: RunTotals) {
        for (count, counter) in Self.counters { self[keyPath: count] = totals.count(of: counter) }
        unaccounted = Int64(truncatingIfNeeded: scheduled &- ends.reduce(0) { $0 &+ $1.count })
        guard Self.counters.contains(where: { self[keyPath: $0.0] > 0 }) else { return nil }
    }

    package var ends: [(name: String, count: UInt64)] {
        [
            ("finished", finished), ("cut_short", cutShort), ("cancelled", cancelled), ("failed", failed),
            ("skipped", skipped), ("left", left),
        ]
    }

    package var defects: [String] {
        guard unaccounted != 0 else { return [] }
        let sum = ends.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        return ["interstitial events do not add up: \(scheduled) scheduled, but \(sum)"]
    }
}
