import Rules

package struct EventResult: Equatable, Codable, Sendable {
    package var scheduled: UInt64
    package var started: UInt64
    package var finished: UInt64
    package var cutShort: UInt64
    package var cancelled: UInt64
    package var failed: UInt64
    package var skipped: UInt64
    package var left: UInt64
    package var restricted: UInt64
    package var changed: UInt64
    package var unaccounted: Int64 = 0

    /// Counters cover the whole run, warm-up included.
    package init?(_ totals: RunTotals) {
        scheduled = totals.count(of: .eventsScheduled)
        started = totals.count(of: .eventsStarted)
        finished = totals.count(of: .eventsFinished)
        cutShort = totals.count(of: .eventsCutShort)
        cancelled = totals.count(of: .eventsCancelled)
        failed = totals.count(of: .eventsFailed)
        skipped = totals.count(of: .eventsSkipped)
        left = totals.count(of: .eventsLeft)
        restricted = totals.count(of: .eventsRestricted)
        changed = totals.count(of: .eventsChanged)
        unaccounted = Int64(truncatingIfNeeded: scheduled &- ends.reduce(0) { $0 &+ $1.count })
        let all = scheduled | started | finished | cutShort | cancelled | failed | skipped | left | restricted | changed
        guard all > 0 else { return nil }
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
