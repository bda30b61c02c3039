import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

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
