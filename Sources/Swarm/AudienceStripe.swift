package import Audience

/// The viewers of one of several processes that run a plan together: every `count`-th of them, from `index` on.
///
/// Viewers keep the numbers that they would have in one process, and so their joins, cohorts and choices by chance. A plain
/// run is the stripe 0 of 1.
package struct AudienceStripe: Sendable, Equatable {
    /// From 0.
    package let index: Int
    package let count: Int

    /// All viewers.
    package static let whole = AudienceStripe(0, of: 1)

    /// - Parameters:
    ///   - index: From 0, below `count`.
    ///   - count: At least 1.
    package init(_ index: Int, of count: Int) {
        self.count = max(1, count)
        self.index = min(max(0, index), self.count - 1)
    }

    /// How many of an audience's viewers are in it.
    package func share(of viewers: Int) -> Int { max(0, (viewers - index + count - 1) / count) }

    /// Whether a viewer is in it.
    package func contains(_ number: Int) -> Bool { number % count == index }

    /// Which of its event loops has a viewer that is in it.
    func loop(of number: Int, among loops: Int) -> Int { number / count % loops }

    /// Those viewers that are in it, of all that a plan foresees.
    package func part(of schedule: AudienceSchedule) -> AudienceSchedule {
        self == .whole ? schedule : schedule.part(contains)
    }
}
