import Foundation
import TestSupport
import Testing
import Values

@testable import Results

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
    ) -> HealthResult {
        (0..<seconds).reduce(into: HealthResult(budget: budget, loopCores: 2, descriptorLimit: 1_000)) { log, second in
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

    /// What a log says of the run, and of the machine where nothing is held against a target.
    @Test func whatIsSaidIsPinned() throws {
        func first(_ count: Int, of seconds: Int, waiting: Int64 = 800, isOfBreak: @escaping (Int) -> Bool)
            -> HealthResult
        { log(seconds, origin: { $0 < count ? waiting : 10 }, isOfBreak: isOfBreak) }
        func unlimited(_ limit: Int64?) -> HealthResult {
            let budget = GeneratorBudget(coreWaitMicroseconds: limit)
            return log(100, origin: { _ in 990 }, isOfBreak: { _ in true }, budget: budget)
        }
        func ofBreaks(_ count: Int) -> HealthResult { first(count, of: 1_000, waiting: 500) { $0 < 12 } }
        let scenes = [
            ("cores enough", log(100, generator: { _ in 400 }, origin: { _ in 400 }, isOfBreak: { $0 % 10 < 3 })),
            ("5 of 100 s away from breaks", first(5, of: 100) { $0 >= 90 }),
            ("6 of 100 s away from breaks", first(6, of: 100) { $0 >= 90 }), ("3 of 12 s with breaks", ofBreaks(3)),
            ("4 of 12 s with breaks", ofBreaks(4)), ("all of them", ofBreaks(12)), ("51 of 1,000 s", ofBreaks(51)),
            ("the generator alone", log(10, generator: { _ in 700 })),
            ("both", log(10, generator: { _ in 700 }, origin: { _ in 900 })),
            ("unknown", log(100, generator: { _ in nil })),
            ("known of 10 s", log(100, generator: { $0 < 10 ? 900 : nil })),
            ("no limit", unlimited(nil)), ("a limit of half a minute", unlimited(30_000_000)),
        ]
        func waits(_ waits: CoreWaitLog?) -> String {
            waits.map { "\($0.secondsOver) of \($0.seconds) s, \($0.breakSecondsOver) of \($0.breakSeconds) s" }
                ?? "unknown"
        }
        let texts = scenes.map { name, log in
            let limits = log.limits(for: empty, blamesTarget: true)
            let reasons = limits.map { "  \($0)\n" }
            let alone = log.machineReasons(blamesTarget: false).map { "  without a target: \($0)\n" }
            return "\(name): \(limits.isEmpty ? "within budget" : "limited"),"
                + " origin \(waits(log.originWaits)), generator \(waits(log.generatorWaits))\n"
                + (reasons + alone).joined()
        }
        try GoldenFile.expect(texts.joined(), at: "Tests/RunResultTests/Goldens/core-waits.txt")
    }

    @Test(arguments: [Double.nan, .infinity, -1, 1e300]) func noShareOfAFileTraps(share: Double) {
        let budget = GeneratorBudget(badSecondsShare: share, badBreakSecondsShare: share)
        _ = log(10, origin: { _ in 990 }, isOfBreak: { _ in true }, budget: budget).limits(
            for: empty,
            blamesTarget: true
        )
    }

    @Test func processesAddUp() {
        let starved = log(3, origin: { _ in 500 }, isOfBreak: { _ in true })
        var sum = starved
        sum.addInParallel(log(2))
        #expect(sum.originWaits == starved.originWaits)
        sum.addInParallel(log(5, origin: { _ in 20 }))
        let waits = sum.originWaits
        #expect(waits?.seconds == 5 && waits?.secondsOver == 3)
        #expect(waits?.breakSeconds == 3 && waits?.breakSecondsOver == 3)
        #expect(waits?.threadWaitedMaximumMicroseconds == 500_000 && waits?.waitedMicroseconds == 1_600_000)
    }

    @Test func aLogReadsBackAlsoWithoutWaits() throws {
        let log = log(9, origin: { Int64($0) * 100 }, isOfBreak: { $0 > 5 })
        let written = try DocumentEncoding().encode(log)
        #expect(try DocumentDecoding().decode(HealthResult.self, from: written) == log)
        var object = try #require(JSONSerialization.jsonObject(with: written) as? [String: Any])
        (object["generator_waits"], object["origin_waits"]) = (nil, nil)
        object["budget"] = (object["budget"] as? [String: Any])?.filter {
            !["core_wait_us", "bad_break_seconds_share"].contains($0.key)
        }
        let data = try JSONSerialization.data(withJSONObject: object)
        let older = try DocumentDecoding().decode(HealthResult.self, from: data)
        #expect(older.originWaits == nil && older.budget.coreWaitMicroseconds == nil && older.seconds == 9)
        #expect(older.limits(for: empty, blamesTarget: true).isEmpty)
    }
}
