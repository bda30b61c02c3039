package import AdServing
import Synchronization
package import Values

/// Breaks that were called for during the run, sorted by start.
///
/// Safe to use from any thread.
package final class CalledBreaks: Sendable {
    /// Limit of breaks kept: a run may last for weeks, and breaks that began long ago are never looked for.
    private static let kept = 4_096

    private let breaks = Mutex<[ScheduledBreak]>([])

    package init() {}

    /// Adds a break; of two with the same start the first stays.
    package func add(_ scheduled: ScheduledBreak) {
        breaks.withLock { breaks in
            let index = Self.firstIndex(in: breaks, notBefore: scheduled.start)
            guard index == breaks.count || breaks[index].start != scheduled.start else { return }
            breaks.insert(scheduled, at: index)
            if breaks.count > Self.kept { breaks.removeFirst() }
        }
    }

    package func next(after instant: WallTime) -> ScheduledBreak? {
        breaks.withLock { breaks in
            let index = Self.firstIndex(in: breaks, notBefore: instant + .microseconds(1))
            return index < breaks.count ? breaks[index] : nil
        }
    }

    private static func firstIndex(in breaks: [ScheduledBreak], notBefore instant: WallTime) -> Int {
        var (low, high) = (0, breaks.count)
        while low < high {
            let middle = (low + high) / 2
            if breaks[middle].start < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
