import Rules

/// Each scheduled event has exactly one end.
package struct EventResult: Equatable, Codable, Sendable {
    package var scheduled: UInt64
    package var started: UInt64
    package var finished: UInt64
    /// Ended before its assets by a playout limit, an early return, or the end of the primary.
    package var cutShort: UInt64
    /// Date range withdrawn before the event was over.
    package var cancelled: UInt64
    /// Neither its list nor any asset could be loaded in time, or the list was empty.
    package var failed: UInt64
    /// Skipped by the viewer, or before its join.
    package var skipped: UInt64
    /// The viewer left or the run ended first.
    package var left: UInt64
    /// Seeks forbidden by X-RESTRICT; not an end.
    package var restricted: UInt64
    /// Changes of scheduled events; not an end.
    package var changed: UInt64
    /// Scheduled minus all ends; not 0 after a whole run is a defect of podswarm.
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
