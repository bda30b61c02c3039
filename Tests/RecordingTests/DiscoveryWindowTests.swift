import ExampleRuns
import TestSupport
import Testing

@testable import Results

@Suite struct DiscoveryWindowTests {
    private static let instant: Int64 = 1_795_291_200_000_000

    private func window(_ offsets: [Int64]) -> DiscoveryWindow {
        offsets.reduce(into: DiscoveryWindow()) { $0.count(at: Self.instant + $1) }
    }

    @Test func firstAndLastAreExactAndPercentilesAreToTenMilliseconds() {
        let window = window((0..<1_000).map { Int64($0) * 6_000 + 1_234 })
        #expect((window.firstMicroseconds, window.spreadMicroseconds) == (Self.instant + 1_234, 5_994_000))
        #expect(window.microseconds(atPercentile: 100) == 5_994_000)
        for (percentile, exact) in [(50.0, Int64(2_994_000)), (90, 5_394_000), (99, 5_934_000)] {
            let told = window.microseconds(atPercentile: percentile) ?? -1
            #expect(abs(told - exact) <= 10_000, "\(percentile): \(told)")
        }
    }

    /// What a server that answers all at once looks like.
    @Test func oneInstantHasNoSpread() {
        let window = window([Int64](repeating: 77, count: 1_000))
        #expect(window.spreadMicroseconds == 0)
        #expect(window.microseconds(atPercentile: 99) == 0)
        #expect(window.steps().lengthMilliseconds == 10)
        #expect(window.steps().counts == [1_000])
    }

    @Test func stepsBeginWithTheFirstSight() {
        let steps = window([3_456, 60_000, 103_000, 250_000, 2_000_000]).steps()
        #expect((steps.lengthMilliseconds, steps.counts.count) == (10, 201))
        #expect(steps.counts.reduce(0, +) == 5)
        #expect(steps.counts.prefix(11) == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1])
    }

    @Test(arguments: [(2_390_000, 10), (2_400_000, 50), (11_990_000, 50), (12_000_000, 100), (59_990_000, 100)])
    func stepsAreAsFineAsTheSpreadAllows(spread: Int64, step: Int64) {
        let steps = window([0, spread]).steps()
        #expect((steps.lengthMilliseconds, steps.counts.count) == (step, Int(spread / 1_000 / step) + 1))
    }

    @Test func whatComesMoreThanAMinuteLaterIsCounted() {
        let window = window([0, 1_000, 59_900_000, 60_100_000, 3_600_000_000])
        #expect((window.viewers, window.later, window.spreadMicroseconds) == (5, 2, 3_600_000_000))
        #expect(window.microseconds(atPercentile: 60) != nil)
        #expect(window.microseconds(atPercentile: 79) == nil)
        #expect(window.microseconds(atPercentile: 100) == 3_600_000_000)
    }

    @Test func windowsOfLoopsAddUpWhateverTheirOrder() {
        for seed in 0..<100 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let span: Int64 = Bool.random(using: &generator) ? 7_000_000 : 90_000_000
            let offsets = (0..<60).map { _ in Int64.random(in: 0..<span, using: &generator) }
            let parts = stride(from: 0, to: 60, by: 20).map { window(Array(offsets[$0..<$0 + 20])) }
            let whole = window(offsets)
            let orders: [[Int]] = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]]
            let sums = orders.map { order in order.reduce(into: DiscoveryWindow()) { $0.add(parts[$1]) } }
            for sum in sums {
                #expect(sum.viewers == 60 && sum.firstMicroseconds == whole.firstMicroseconds, "seed \(seed)")
                #expect(sum == sums[0], "seed \(seed)")
                // A loop that began later keeps less of the end, never of the beginning.
                #expect(sum.microseconds(atPercentile: 20) == whole.microseconds(atPercentile: 20), "seed \(seed)")
            }
            if span < 10_000_000 { #expect(sums[0] == whole, "seed \(seed)") }
        }
    }

    @Test func aWindowReadsBackAsItWasWritten() throws {
        for offsets in [[], [0], [5, 12_000_000, 70_000_000]] as [[Int64]] {
            #expect(try reread(window(offsets)) == window(offsets))
        }
    }

    @Test func theDistributionOverAllBreaksHoldsEveryViewer() {
        let totals = RunTotals { recorder in
            for index in 1...3 {
                let slot = recorder.breakSlot(for: "\(index)", start: Self.instant, durationMilliseconds: 1_000)
                recorder.withKeptBreak(slot) {
                    for viewer in 0..<100 { $0.discovery.count(at: Self.instant + Int64(viewer * index) * 10_000) }
                }
            }
        }
        #expect((totals.breakDiscovery.count, totals.breakDiscovery.maximumMicroseconds) == (300, 2_970_000))
        #expect(totals.breakDiscovery.minimumMicroseconds < 10_000)
        let result = BreakResults(totals: totals)
        #expect(result.each.map { $0.discovery?.viewers } == [100, 100, 100])
        #expect(result.each.map { $0.discovery?.maximumMicroseconds } == [990_000, 1_980_000, 2_970_000])
    }
}
