import Rulebook

/// What became of interstitial events, over all viewers of the whole run: each that a viewer scheduled comes to exactly
/// one end.
package struct EventResult: Equatable, Codable, Sendable {
    /// Events that entered some viewer's schedule.
    package var scheduled: UInt64
    /// Of them, those that began to play.
    package var started: UInt64
    package var finished: UInt64
    /// Ended before its assets did: by a playout limit, an early return, or the primary's end.
    package var cutShort: UInt64
    /// Taken back before it was over: its date range was withdrawn.
    package var cancelled: UInt64
    /// Neither its list nor any of its assets could be loaded in time, or the list held nothing to play.
    package var failed: UInt64
    /// Left out by the viewer, or behind it when it joined.
    package var skipped: UInt64
    /// The viewer left, or the run ended, first.
    package var left: UInt64
    /// Skips and jumps that X-RESTRICT forbade; no end of an event.
    package var restricted: UInt64
    /// Changes of scheduled events; no end of an event.
    package var changed: UInt64
    /// Scheduled less all ends; anything but 0 after a whole run is a defect of podswarm.
    package var unaccounted: Int64

    /// Nil where viewers knew of no event.
    ///
    /// - Parameter totals: Of the run; its viewer counters are of the whole run, warm-up included.
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
        unaccounted = totals.eventsUnaccounted
        let all = scheduled | started | finished | cutShort | cancelled | failed | skipped | left | restricted | changed
        guard all > 0 else { return nil }
    }

    /// Ends by name, in the order in which they are told.
    package var ends: [(name: String, count: UInt64)] {
        [
            ("finished", finished), ("cut_short", cutShort), ("cancelled", cancelled), ("failed", failed),
            ("skipped", skipped), ("left", left),
        ]
    }

    /// What the counts contradict one another in, as a sentence.
    package var defects: [String] {
        guard unaccounted != 0 else { return [] }
        let sum = ends.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        return ["interstitial events do not add up: \(scheduled) scheduled, but \(sum)"]
    }
}

extension RunTotals {
    /// Interstitial events scheduled less all ends.
    var eventsUnaccounted: Int64 {
        let ends: [ViewerCounter] = [
            .eventsFinished, .eventsCutShort, .eventsCancelled, .eventsFailed, .eventsSkipped, .eventsLeft,
        ]
        let ended = ends.reduce(0) { $0 &+ count(of: $1) }
        return Int64(truncatingIfNeeded: count(of: .eventsScheduled) &- ended)
    }
}
