import ExampleRuns
import Results
import Rules
import Testing

@Suite struct RecentStretchTests {
    private let rule: ThresholdRule

    init() throws { rule = try ThresholdRule(parsing: "all.errors > 20%") }

    private func holds(_ totals: RunTotals) -> Bool { rule.evaluate(totals).passed }

    private func second(_ loops: inout CollectedLoops, into stretch: inout RecentStretch, isDown: Bool) {
        for _ in 0..<10 {
            var sample = ExampleRun.firstSample
            if isDown { sample.outcome = .failure(.connectRefused) }
            loops.recorders[0].record(sample)
        }
        stretch.add(loops.close())
    }

    @Test func aTargetThatGoesDownLateIsSeenAtOnce() {
        var loops = CollectedLoops(loops: 1)
        var stretch = RecentStretch(length: .seconds(10))
        for _ in 0..<100 { second(&loops, into: &stretch, isDown: false) }
        #expect(!holds(loops.collector.totals(of: stretch)))
        for _ in 0..<6 { second(&loops, into: &stretch, isDown: true) }
        #expect(holds(loops.collector.totals(of: stretch)))
        #expect(!holds(loops.collector.wholeTotals), "6 of 106 seconds")
    }

    @Test func itForgetsWhatIsTwoLengthsAgo() {
        var loops = CollectedLoops(loops: 1)
        var stretch = RecentStretch(length: .seconds(10))
        var counts: [UInt64] = []
        for _ in 0..<45 {
            second(&loops, into: &stretch, isDown: false)
            counts.append(loops.collector.totals(of: stretch).requestCount(of: .playlist) / 10)
        }
        #expect(Array(counts.prefix(20)) == Array(1...20))
        #expect(Array(counts[20..<45]) == Array(11...20) + Array(11...20) + Array(11...15))
    }

    @Test func theWarmUpIsLookedAtToo() {
        var loops = CollectedLoops(loops: 1, settings: .example(warmUpMilliseconds: 60_000))
        var stretch = RecentStretch(length: .seconds(10))
        for _ in 0..<5 { second(&loops, into: &stretch, isDown: true) }
        #expect(holds(loops.collector.totals(of: stretch)))
        #expect(loops.collector.totals.requestCount(of: .playlist) == 0)
    }

    @Test func percentilesOverAllKindsAreThoseOfEachKind() throws {
        var loops = CollectedLoops(loops: 1)
        var stretch = RecentStretch(length: .seconds(10))
        for _ in 0..<5 { second(&loops, into: &stretch, isDown: false) }
        let totals = loops.collector.totals(of: stretch)
        let all = totals.latency(over: RequestKind.allCases, .response)
        #expect(all == totals.latency(.playlist, .response))
        #expect(try #require(all.microseconds(atPercentile: 50)) >= all.minimumMicroseconds)
    }

    @Test func onlyBreaksThatBeganThenCount() {
        var loops = CollectedLoops(loops: 1)
        var stretch = RecentStretch(length: .seconds(10))
        for index in 0..<30 {
            if index % 10 == 5 {
                let start = ExampleRun.start + Int64(index) * 1_000_000
                let slot = loops.recorders[0].breakSlot(for: "\(index)", start: start, durationMilliseconds: 1_000)
                loops.recorders[0].viewerDue(slot)
            }
            second(&loops, into: &stretch, isDown: false)
        }
        #expect(loops.collector.totals(of: stretch).breaks.map(\.key) == ["15", "25"])
    }
}
