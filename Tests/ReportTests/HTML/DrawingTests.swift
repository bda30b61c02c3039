import Results
import TestSupport
import Testing

@testable import Report

@Suite struct ScaleTests {
    @Test func aLinearScaleKeepsDifferences() {
        let scale = LinearScale(-10, 30)
        #expect(scale.fraction(of: -10) == 0)
        #expect(scale.fraction(of: 0) == 0.25)
        #expect(scale.fraction(of: 30) == 1)
    }

    @Test func aLogScaleKeepsRatios() {
        let scale = LogScale(1, 10_000)
        #expect(abs(scale.fraction(of: 10) - 0.25) < 1e-12)
        #expect(abs(scale.fraction(of: 1_000) - 0.75) < 1e-12)
        #expect(scale.fraction(of: 0) == 0)
        #expect(scale.fraction(of: -5) == 0)
    }

    @Test func eachNineTakesEqualRoom() {
        let scale = NinesScale(samples: 10_000)
        #expect(abs(scale.fraction(of: 0.9) - 0.25) < 1e-9)
        #expect(abs(scale.fraction(of: 0.99) - 0.5) < 1e-9)
        #expect(abs(scale.fraction(of: 0.999) - 0.75) < 1e-9)
        #expect(scale.fraction(of: 1) == 1)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 0, -1, 1e-300])
    func whateverComesLiesOnTheAxis(value: Double) {
        let scales: [any Scale] = [
            LinearScale(0, 1), LinearScale(value, 1), LinearScale(0, value), LogScale(1, 10), LogScale(value, 10),
            LogScale(1, value), NinesScale(samples: 0), NinesScale(samples: .max),
        ]
        for scale in scales {
            for asked in [value, 0, 0.5, 1, 7] {
                let fraction = scale.fraction(of: asked)
                #expect(fraction >= 0 && fraction <= 1, "\(scale) \(asked)")
            }
        }
    }
}

@Suite struct TickTests {
    @Test(
        arguments: [
            (0.0, 10.0, 6, [0.0, 2, 4, 6, 8, 10]), (0, 1, 3, [0, 0.5, 1]), (-3, 3, 4, [-2, 0, 2]),
            (950, 1_050, 5, [950, 1_000, 1_050]), (0, 0, 5, []), (5, 1, 5, []),
        ] as [(Double, Double, Int, [Double])]
    ) func valuesAreRound(lowest: Double, highest: Double, count: Int, expected: [Double]) {
        #expect(Ticks.values(from: lowest, to: highest, atMost: count) == expected)
    }

    @Test func valuesStayWithinTheAxisAndTheirNumberWithinTheLimit() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let lowest = Double.random(in: -1e6...1e6, using: &generator)
            let highest = lowest + Double.random(in: 1e-3...1e7, using: &generator)
            let count = Int(Double.random(in: 2...12, using: &generator))
            let values = Ticks.values(from: lowest, to: highest, atMost: count)
            let slack = (highest - lowest) * 1e-5
            #expect(values.count <= count, "\(lowest) \(highest) \(count)")
            #expect(values.allSatisfy { $0 >= lowest - slack && $0 <= highest + slack }, "\(lowest) \(highest)")
            #expect(values == values.sorted())
        }
    }

    @Test(
        arguments: [
            (60, ["0 s", "10 s", "20 s", "30 s", "40 s", "50 s", "60 s"]),
            (120, ["0:00", "0:30", "1:00", "1:30", "2:00"]), (28_800, ["0 h", "2 h", "4 h", "6 h", "8 h"]),
            (9_000, ["0 h", "0:30 h", "1 h", "1:30 h", "2 h", "2:30 h"]),
        ] as [(Double, [String])]
    ) func timeIsMarkedAsClocksDo(seconds: Double, labels: [String]) {
        let ticks = Ticks.elapsed(seconds: seconds)
        #expect((ticks.map(\.label), ticks.map(\.fraction)) == (labels, ticks.map(\.fraction).sorted()))
    }

    @Test func durationsAreMarkedAtDecades() {
        let decades = Ticks.durations(on: LogScale(80, 2_000_000)).map(\.label)
        #expect(decades == ["100 µs", "1 ms", "10 ms", "100 ms", "1 s"])
        #expect(Ticks.durations(on: LogScale(900, 11_000)).map(\.label) == ["1 ms", "2 ms", "5 ms", "10 ms"])
    }

    @Test func percentilesAreMarkedAsFarAsSamplesTellThemApart() {
        let nines = Ticks.percentiles(on: NinesScale(samples: 1_000)).map(\.label)
        #expect(nines == ["0", "50%", "90%", "99%", "99.9%"])
        #expect(Ticks.percentiles(on: NinesScale(samples: 3)).map(\.label) == ["0", "50%", "90%"])
    }
}

@Suite struct VectorPathTests {
    @Test(
        arguments: [
            (0.0, "0"), (-0.04, "0"), (1, "1"), (1.25, "1.3"), (-2.5, "-2.5"), (999.96, "1000"), (Double.nan, "0"),
            (Double.infinity, "0"),
        ] as [(Double, String)]
    ) func numbersAreShort(value: Double, text: String) { #expect(Coordinate.text(value) == text) }

    @Test func aLineIsInterruptedWhereAPointIsMissing() {
        let path = VectorPath.through([(0, 1), (1, 2), nil, (3, 4), nil, (5, 6), (7, 8)])
        #expect(path.data == "M0 1L1 2M3 4H5M5 6L7 8")
    }

    @Test func anAreaStandsOnItsGround() {
        #expect(VectorPath.area([(0, 1), (2, 3)], ground: 9).data == "M0 9L0 1L2 3L2 9z")
        #expect(VectorPath.area([], ground: 9).isEmpty)
    }

    @Test func aRectangleIsClosed() {
        var path = VectorPath()
        path.rectangle(x: 1, y: 2, width: 3, height: 4)
        #expect(path.data == "M1 2H4V6H1z")
    }
}

@Suite struct DownsamplingTests {
    @Test(arguments: [0, 1, 2, 599, 600, 601, 1_199, 7_200, 100_003]) func groupsCoverTheSeriesOnce(count: Int) {
        let groups = SeriesChart.groups(of: count)
        #expect(groups.count == min(count, 600))
        #expect(groups.flatMap { Array($0) } == Array(0..<count))
        #expect(groups.allSatisfy { !$0.isEmpty })
    }
}

@Suite struct CellRunTests {
    @Test func everyCellIsCoveredOnceByItsShade() {
        for seed in UInt64(1)...40 {
            var generator = SeededGenerator(seed: seed)
            let cells = (0..<17).map { _ in (0..<9).map { _ in Int(Double.random(in: 0...3.99, using: &generator)) } }
            var covered = cells.map { $0.map { _ in 0 } }
            for run in CellRuns.merged(cells) {
                for column in run.columns {
                    for row in run.rows {
                        #expect(covered[column][row] == 0, "seed \(seed)")
                        covered[column][row] = run.shade
                    }
                }
            }
            #expect(covered == cells, "seed \(seed)")
        }
    }

    @Test func noRectangleCoversAWindowThatIsLeftOut() throws {
        var histogram = DenseHistogram(digits: .two)
        histogram.record(1_000)
        let latency = try #require(LatencyResult(histogram))
        let columns = [0, 1, 5, 6].map { (index: Int64) in
            HeatMap.Column(startMilliseconds: index * 10, endMilliseconds: index * 10 + 10, latency: latency)
        }
        let map = HeatMap(name: "", columns: columns, lengthMilliseconds: 100, scale: LogScale(100, 10_000))
        let plot = try #require(map.plot())
        let shade = try #require(plot.shapes.markup.split(separator: "<path").first { $0.contains("h6") })
        #expect(shade.contains("M0 ") && shade.contains("H200") && shade.contains("M500 ") && shade.contains("H700"))
    }

    @Test func equalColumnsBecomeOneRectangle() {
        let runs = CellRuns.merged([[1, 1, 0], [1, 1, 0], [1, 1, 2]])
        #expect(Set(runs.map(\.shade)) == [1, 2])
        #expect(runs.contains(.init(columns: 0..<3, rows: 0..<2, shade: 1)))
        #expect(runs.contains(.init(columns: 2..<3, rows: 2..<3, shade: 2)))
        #expect(runs.count == 2)
    }
}

@Suite struct LatencyCurveTests {
    private let durations = [(100, 90), (200, 9), (5_000, 1)]
        .reduce(into: SparseHistogram(digits: .three)) { durations, step in
            for _ in 0..<step.1 { durations.record(Int64(step.0)) }
        }

    @Test func theCurveSaysWhatNoMoreThanAShareExceeds() {
        let curve = durations.percentileCurve()
        let value = { (share: Double) in curve.first { $0.share >= share - 1e-9 }?.microseconds }
        #expect(value(0.5) == 100)
        #expect(value(0.9) == 100)
        #expect(value(0.95) == 200)
        #expect(value(0.99) == 200)
        #expect((curve.last?.share, curve.last?.microseconds) == (1, 5_000))
    }

    @Test func theCurveNeverFalls() {
        let values = durations.percentileCurve().map(\.microseconds)
        #expect(values == values.sorted())
    }

    @Test func shadesGrowWithTheShareOfRequests() {
        let cells = HeatMap.cells(durations, on: LogScale(100, 10_000), rows: 10)
        #expect(cells[0] == 6)
        #expect(cells.max() == 6)
        #expect(cells.filter { $0 > 0 }.count == 3)
        #expect((cells[1], cells[8]) == (4, 3))
    }
}
