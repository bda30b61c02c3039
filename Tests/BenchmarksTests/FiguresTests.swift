import Testing
import Values

@testable import Benchmarks

@Suite struct FiguresTests {
    @Test(arguments: [([3], 3), ([3, 1], 2), ([5, 1, 3], 3), ([4, 1, 3, 2], 2.5)] as [([Double], Double)])
    func medianIsTheMiddle(values: [Double], median: Double) {
        #expect(values.median == median)
    }

    @Test func nothingHasNoMedian() {
        #expect([Double]().median == nil)
        #expect([Double]().percentile(0.5) == nil)
    }

    @Test(
        arguments: [(0, 1), (0.01, 1), (0.011, 2), (0.5, 50), (0.99, 99), (0.999, 100), (1, 100)] as [(Double, Double)]
    )
    func percentileIsTheSmallestValueThatEnoughDoNotExceed(share: Double, value: Double) {
        #expect((1...100).map(Double.init).reversed().percentile(share) == value)
    }

    @Test func aRatioIsTakenWithinItsRound() throws {
        var cell = Cell(name: "HTTP 64")
        for (round, own, peer) in [(1, 10.0, 20.0), (2, 30, 30), (3, 40, 100)] {
            cell.add(round: round, .podswarm, [.cpuPerRequest: own, .lastSend: 1])
            cell.add(round: round, .wrk, [.cpuPerRequest: peer])
        }
        #expect(cell.rounds.map { $0.figures.ratios[.wrk]?[.cpuPerRequest] } == [0.5, 1, 0.4])
        #expect(cell.medianRatios[.wrk] == [.cpuPerRequest: 0.5])
        #expect(cell.medians[.podswarm]?[.cpuPerRequest] == 30)
        #expect(cell.medians[.podswarm]?[.lastSend] == 1)
    }

    @Test(arguments: [(9.0, true), (9.1, false)])
    func aBarIsMetUpToItsFigure(own: Double, isMet: Bool) throws {
        let bar = try #require(Bar.all.first { $0.cell == "HTTP 1000" && $0.command == "poll" })
        var cell = Cell(name: "HTTP 1000")
        cell.add(round: 1, .podswarm, [.cpuPerRequest: own])
        #expect(cell.median(for: bar) == nil, "nothing to divide by")
        cell.add(round: 1, .wrk, [.cpuPerRequest: 10])
        #expect(try (#require(cell.median(for: bar)) <= bar.atMost) == isMet)
    }

    @Test func columnsAreFlushRightButForTheFirst() {
        #expect(
            TextColumns.lines([["a", "10"], ["bcd", "2"], ["e"]], othersFlush: .right) == ["a    10", "bcd   2", "e  "]
        )
    }

    @Test(arguments: [(0.894, "0.89"), (9.99, "9.99"), (12.34, "12.3"), (1234.5, "1234")])
    func figuresAreShort(value: Double, text: String) {
        #expect(value.shortText == text)
    }
}
