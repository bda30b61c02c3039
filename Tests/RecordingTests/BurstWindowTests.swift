import ExampleRuns
import TestSupport
import Testing

@testable import Results

/// The steps of a burst: fine where it was short, bounded where it was long, the same in whatever order loops are added.
@Suite struct BurstWindowTests {
    private func window(_ offsets: [Int64]) -> BurstWindow {
        offsets.reduce(into: BurstWindow()) { $0.count(offset: $1) }
    }

    @Test func aBurstOfNinetyMillisecondsIsResolved() {
        let window = window((0..<900).map { Int64($0) * 100 })
        #expect((window.stepMicroseconds, window.firstStepMicroseconds) == (1_000, 0))
        #expect(window.counts == [UInt32](repeating: 10, count: 90))
    }

    @Test(
        arguments: [
            (239, 1), (240, 5), (1_199, 5), (1_200, 10), (2_399, 10), (2_400, 50), (11_999, 50), (12_000, 100),
            (29_999, 100),
        ] as [(Int64, Int64)]
    ) func stepsBecomeCoarserAsTheBurstSpreads(milliseconds: Int64, step: Int64) {
        let window = window([0, milliseconds * 1_000])
        #expect((window.stepMicroseconds, window.counts.count) == (step * 1_000, Int(milliseconds / step) + 1))
        #expect(window.counts.first == 1 && window.counts.last == 1 && window.counts.reduce(0, +) == 2)
    }

    @Test func theWholeWindowIsSixHundredSteps() {
        let window = window([-30_000_000, 29_999_999])
        #expect((window.counts.count, window.firstStepMicroseconds) == (600, -30_000_000))
    }

    @Test func windowsOfLoopsAddUpWhateverTheirOrder() {
        for seed in 0..<100 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let spans: [Int64] = [50_000, 200_000, 900_000, 5_000_000, 40_000_000]
            let parts = (0..<4).map { _ in
                let span = spans.randomElement(using: &generator) ?? 1
                let begin = Int64.random(in: -span...span, using: &generator)
                return (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                    begin + Int64.random(in: 0..<span, using: &generator)
                }
            }
            let whole = window(parts.flatMap(\.self))
            #expect(window(parts.flatMap(\.self).shuffled(using: &generator)) == whole, "seed \(seed)")
            for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
                let sum = order.reduce(into: BurstWindow()) { $0.add(window(parts[$1])) }
                #expect(sum == whole, "seed \(seed), \(order)")
            }
            let counted = whole.counts.reduce(0) { $0 + UInt64($1) } + whole.earlier + whole.later
            #expect(counted == UInt64(parts.joined().count), "seed \(seed)")
            #expect(whole.counts.count <= BurstWindow.stepLimit || whole.stepMicroseconds == 100_000, "seed \(seed)")
        }
    }

    @Test func aWindowReadsBackAsItWasWritten() throws {
        for offsets in [[], [0], [-5, 90_000], [-29_000_000, 29_000_000], [40_000_000]] as [[Int64]] {
            #expect(try reread(window(offsets)) == window(offsets))
        }
    }
}
