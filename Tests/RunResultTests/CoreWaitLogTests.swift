import Foundation
import Recording
import RunResult
import Testing

@Suite struct CoreWaitLogTests {
    private let empty = RunTotals(merging: [])

    private func wait(_ milliseconds: Int64) -> CoreWait {
        CoreWait(
            ranMicroseconds: 200_000,
            waitedMicroseconds: milliseconds * 1_000,
            threadWaitedMicroseconds: milliseconds * 1_000
        )
    }

    private func log(
        _ seconds: Int,
        generator: (Int) -> Int64? = { _ in 10 },
        origin: (Int) -> Int64? = { _ in nil },
        isOfBreak: (Int) -> Bool = { _ in false },
        budget: GeneratorBudget = .standard
    ) -> HealthLog {
        (0..<seconds).reduce(into: HealthLog(budget: budget, loopCores: 2, descriptorLimit: 1_000)) { log, second in
            log.add(
                HealthSample(
                    wallMicroseconds: 0,
                    generatorWait: generator(second).map(wait),
                    originWait: origin(second).map(wait)
                ),
                isOfBreak: isOfBreak(second)
            )
        }
    }

    @Test func aRunThatGetsItsCoresIsWithinItsBudget() {
        let log = log(100, generator: { _ in 400 }, origin: { _ in 400 }, isOfBreak: { $0 % 10 < 3 })
        #expect(log.verdict(for: empty, blamesTarget: true) == .withinBudget)
        #expect(log.originWaits?.breakSeconds == 30 && log.originWaits?.secondsOver == 0)
        #expect(log.originWaits?.waitShare == 2.0 / 3)
    }

    @Test func aFewStarvedSecondsAwayFromBreaksAreTolerated() {
        let starved = { (count: Int) in
            self.log(100, origin: { $0 < count ? 800 : 10 }, isOfBreak: { $0 >= 90 }).machineReasons(blamesTarget: true)
        }
        #expect(starved(5).isEmpty)
        #expect(
            starved(6) == [
                "the machine was the limit: the embedded origin waited for a core for more than 400 ms of a second"
                    + " in 6 of 100 s (tolerated 5), in 0 of 10 s with breaks (tolerated 2); worst 800 ms,"
                    + " all threads 5.74 s in all; stop what runs beside it, take fewer viewers or more cores,"
                    + " or put the origin on another machine"
            ]
        )
    }

    @Test func starvedBreaksLimitARunHoweverLongItIs() {
        let starved = { (count: Int) in
            self.log(1_000, origin: { $0 < count ? 500 : 10 }, isOfBreak: { $0 < 12 })
        }
        #expect(starved(3).machineReasons(blamesTarget: true).isEmpty)
        #expect(starved(4).machineReasons(blamesTarget: true).count == 1)
        // Nothing is held against anybody, so that nobody needs an excuse.
        #expect(starved(12).machineReasons(blamesTarget: false).isEmpty)
        #expect(starved(51).machineReasons(blamesTarget: false).count == 1)
    }

    @Test func theGeneratorsOwnWaitCountsWhereTheTargetIsElsewhere() {
        let log = log(10, generator: { _ in 700 })
        let reasons = log.verdict(for: empty, blamesTarget: true).reasons
        #expect(reasons.count == 1)
        #expect(reasons.first?.contains("podswarm itself waited for a core") == true)
        #expect(reasons.first?.contains("put the origin") == false)
        #expect(log.originWaits == nil)
    }

    @Test func theOriginComesFirstWhereBothStarve() {
        let reasons = log(10, generator: { _ in 700 }, origin: { _ in 900 }).machineReasons(blamesTarget: true)
        #expect(reasons.map { $0.contains("the embedded origin waited") } == [true, false])
    }

    @Test func whatIsUnknownIsNotJudged() {
        let unknown = log(100, generator: { _ in nil })
        #expect(unknown.verdict(for: empty, blamesTarget: true) == .withinBudget)
        #expect(unknown.generatorWaits == nil && unknown.originWaits == nil)
        let partly = log(100, generator: { $0 < 10 ? 900 : nil })
        #expect(partly.generatorWaits?.seconds == 10)
        #expect(partly.verdict(for: empty, blamesTarget: true) != .withinBudget)
    }

    @Test(arguments: [nil, 30_000_000] as [Int64?])
    func aBudgetWithoutALimitJudgesNothing(limit: Int64?) {
        let budget = GeneratorBudget(coreWaitMicroseconds: limit)
        let log = log(100, origin: { _ in 990 }, isOfBreak: { _ in true }, budget: budget)
        #expect(log.verdict(for: empty, blamesTarget: true) == .withinBudget)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 1e300])
    func noShareOfAFileTraps(share: Double) {
        let budget = GeneratorBudget(badSecondsShare: share, badBreakSecondsShare: share)
        _ = log(10, origin: { _ in 990 }, isOfBreak: { _ in true }, budget: budget).verdict(
            for: empty,
            blamesTarget: true
        )
    }

    @Test func partsOfARunAddUp() {
        let starved = log(3, origin: { _ in 500 }, isOfBreak: { _ in true })
        let quiet = log(5, origin: { _ in 20 })
        let sum = starved.adding(quiet).originWaits
        #expect(sum?.seconds == 8 && sum?.secondsOver == 3 && sum?.breakSeconds == 3 && sum?.breakSecondsOver == 3)
        #expect(sum?.threadWaitedMaximumMicroseconds == 500_000 && sum?.waitedMicroseconds == 1_600_000)
        #expect(log(2).adding(starved).originWaits == starved.originWaits)
        #expect(starved.adding(log(2)).originWaits == starved.originWaits)
    }

    @Test func aLogReadsBackAlsoWithoutWaits() throws {
        let log = log(9, origin: { Int64($0) * 100 }, isOfBreak: { $0 > 5 })
        let written = try JSONEncoder().encode(log)
        #expect(try JSONDecoder().decode(HealthLog.self, from: written) == log)
        var object = try #require(JSONSerialization.jsonObject(with: written) as? [String: Any])
        object["generatorWaits"] = nil
        object["originWaits"] = nil
        object["budget"] = (object["budget"] as? [String: Any])?.filter {
            !["core_wait_us", "bad_break_seconds_share"].contains($0.key)
        }
        let data = try JSONSerialization.data(withJSONObject: object)
        let older = try JSONDecoder().decode(HealthLog.self, from: data)
        #expect(older.originWaits == nil && older.budget.coreWaitMicroseconds == nil && older.seconds == 9)
        #expect(older.verdict(for: empty, blamesTarget: true) == .withinBudget)
    }
}
