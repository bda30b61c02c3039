package import Viewer

/// The viewers of one of several processes that run a plan together: every `count`-th of them, from `index` on.
///
/// Viewers keep their numbers of an undivided run, and so their joins, cohorts and random choices.
package struct AudienceStripe: Sendable, Equatable {
    package let index: Int
    package let count: Int

    package static let whole = AudienceStripe(0, of: 1)

    package init(_ index: Int, of count: Int) {
        self.count = max(1, count)
        self.index = min(max(0, index), self.count - 1)
    }

    package func share(of viewers: Int) -> Int { max(0, (viewers - index + count - 1) / count) }

    package func contains(_ number: Int) -> Bool { number % count == index }

    func loop(of number: Int, among loops: Int) -> Int { number / count % loops }

    package func part(of schedule: AudienceSchedule) -> AudienceSchedule {
        self == .whole ? schedule : schedule.part(contains)
    }
}
