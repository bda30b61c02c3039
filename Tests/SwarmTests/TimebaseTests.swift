import HLS
import Testing

@testable import Swarm

/// One reading ties the two clocks of a run together.
@Suite struct TimebaseTests {
    private let timebase = Timebase(
        monotonicStart: ScriptedViewer.start,
        wallStart: ScriptedViewer.wallStart
    )

    @Test func thereAndBackIsTheSameInstant() {
        var random = ViewerChance(seed: 11, viewer: 0)
        for _ in 0..<1000 {
            let offset = Int64(truncatingIfNeeded: random.next()) / 100_000
            let wall = WallTime(microseconds: ScriptedViewer.wallStart.microseconds + offset)
            #expect(self.timebase.wall(self.timebase.monotonic(wall)) == wall, "offset \(offset) us")
        }
    }

    private static let farInstants: [Int64] = [
        .min, -4_611_686_018_427_387_904, -9_000_000_000_000_000_000, -1, 0, 1, 9_000_000_000_000_000_000, .max,
        1_795_291_200_000_000 + 9_223_372_036_854_775, 1_795_291_200_000_000 - 9_223_372_036_854_775,
    ]

    @Test(arguments: Self.farInstants)
    func noInstantTrapsOrChangesSides(microseconds: Int64) {
        let wall = WallTime(microseconds: microseconds)
        let monotonic = self.timebase.monotonic(wall)
        #expect((monotonic >= ScriptedViewer.start) == (wall >= ScriptedViewer.wallStart))
    }

    @Test func momentsAreHeldAtTheEndsOfTime() {
        #expect(Int64.max.later(by: 1) == .max)
        #expect(Int64.min.later(by: -1) == .min)
        #expect(Int64(5).later(by: -7) == -2)
    }

    private static let durations: [(Duration, Int64)] = [
        (.seconds(1), 1_000_000_000), (.nanoseconds(-3), -3), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
        (.zero, 0),
    ]

    @Test(arguments: Self.durations)
    func durationsAreHeldAtTheEndsOfNanoseconds(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanosecondsHeld == nanoseconds)
    }
}

/// Chance that is the viewer's own and the same in every run.
@Suite struct ViewerChanceTests {
    @Test func sameSeedAndViewerSameDraws() {
        for viewer in [0, 1, 4999, -1, .max] {
            var first = ViewerChance(seed: 7, viewer: viewer)
            var second = ViewerChance(seed: 7, viewer: viewer)
            #expect((0..<100).allSatisfy { _ in first.next() == second.next() })
        }
    }

    @Test func viewersAndSeedsDiffer() {
        let firsts = (0..<10_000).map { viewer -> UInt64 in
            var chance = ViewerChance(seed: 7, viewer: viewer)
            return chance.next()
        }
        #expect(Set(firsts).count == firsts.count)
        var other = ViewerChance(seed: 8, viewer: 0)
        #expect(other.next() != firsts[0])
    }

    @Test func firstDrawsOfNeighboursAreSpreadEvenly() {
        var tenths = [Int](repeating: 0, count: 10)
        for viewer in 0..<10_000 {
            var chance = ViewerChance(seed: 7, viewer: viewer)
            tenths[Int(chance.unit() * 10)] += 1
        }
        #expect(tenths.allSatisfy { (850...1150).contains($0) }, "\(tenths)")
    }

    @Test func aProcessWithoutMemoryHasTheMeanThatWasAskedFor() {
        var chance = ViewerChance(seed: 3, viewer: 1)
        let draws = (0..<20_000).map { _ in chance.nanoseconds(untilNextOfMean: 1_000_000) }
        let mean = draws.reduce(0, +) / Int64(draws.count)
        #expect((950_000...1_050_000).contains(mean))
        #expect(draws.allSatisfy { $0 >= 0 })
        #expect(chance.nanoseconds(untilNextOfMean: 0) == 0)
        #expect(chance.nanoseconds(untilNextOfMean: .max) <= 1_000_000_000_000_000_000)
    }

    @Test func certaintyAndImpossibilityAreExact() {
        var chance = ViewerChance(seed: 3, viewer: 1)
        #expect((0..<1000).allSatisfy { _ in chance.happens(1) })
        #expect((0..<1000).allSatisfy { _ in !chance.happens(0) })
    }
}
