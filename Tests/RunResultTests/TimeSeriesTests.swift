import Testing

@testable import Results

@Suite struct TimeSeriesTests {
    private func series(seconds: Int, limit: Int) -> TimeSeries {
        (0..<seconds).reduce(into: TimeSeries(limit: limit)) { series, second in
            var counts = IntervalCounts()
            (counts.requests, counts.activeViewers) = (3, Int64(second))
            let health = HealthSample(wallMicroseconds: 0, loopDelayMicroseconds: Int64(second))
            series.append(SeriesPoint(startMilliseconds: Int64(second) * 1_000, counts: counts, health: health))
        }
    }

    @Test(arguments: [2, 3, 5, 8], [0, 1, 2, 3, 7, 8, 9, 16, 17, 33, 100])
    func noCountIsLostAndTheSizeIsKept(limit: Int, seconds: Int) {
        let series = series(seconds: seconds, limit: limit)
        #expect(series.points.count <= limit)
        #expect(series.points.reduce(0) { $0 + $1.requests } == UInt64(seconds * 3))
        for (index, point) in series.points.enumerated() {
            #expect(point.startMilliseconds == Int64(index * series.stepSeconds * 1_000))
            let last = min((index + 1) * series.stepSeconds, seconds) - 1
            #expect((point.activeViewers, point.loopDelayMaximumMicroseconds) == (Int64(last), Int64(last)))
        }
    }

    @Test func twoHoursFitSecondBySecond() {
        let series = series(seconds: 7_200, limit: TimeSeries.standardLimit)
        #expect(series.stepSeconds == 1 && series.points.count == 7_200)
    }

    @Test func pulsesOfLoopsAddUp() {
        var one = IntervalCounts()
        (one.requests, one.activeViewers, one.latenessMaximumMicroseconds) = (2, 5, 9)
        var two = IntervalCounts()
        (two.requests, two.activeViewers, two.latenessMaximumMicroseconds) = (3, 7, 4)
        let sum = one.adding(two)
        #expect(sum.requests == 5 && sum.activeViewers == 12 && sum.latenessMaximumMicroseconds == 9)
    }
}
