import Recording
import Rulebook
import RunResult
import Testing

@Suite struct HealthTests {
    private let empty = RunTotals(merging: [])

    private func log(_ samples: [HealthSample], budget: GeneratorBudget = .standard) -> HealthLog {
        samples.reduce(into: HealthLog(budget: budget, loopCores: 2, descriptorLimit: 1_000)) { $0.add($1) }
    }

    private func sample(delay: Int64 = 0, cores: Double = 0, dropped: Int = 0, open: Int = 0, bytes: Int64 = 0)
        -> HealthSample
    {
        HealthSample(
            wallMicroseconds: 0,
            loopDelayMicroseconds: delay,
            cpuCores: cores,
            residentBytes: bytes,
            openDescriptors: open,
            droppedStarts: dropped
        )
    }

    @Test func aHealthyRunIsWithinItsBudget() {
        let log = log((0..<100).map { _ in sample(delay: 250_000, cores: 1.9, open: 950) })
        #expect(log.verdict(for: empty, blamesTarget: false) == .withinBudget)
        #expect(log.seconds == 100)
    }

    @Test func aFewBadSecondsAreTolerated() {
        let bad = (0..<100).map { sample(delay: $0 < 5 ? 251_000 : 0) }
        #expect(log(bad).verdict(for: empty, blamesTarget: false) == .withinBudget)
    }

    @Test func oneBadSecondTooManyLimitsTheRun() {
        let bad = (0..<100).map { sample(delay: $0 < 6 ? 251_000 : 0) }
        #expect(
            log(bad).verdict(for: empty, blamesTarget: false).reasons == [
                "event loops were delayed more than 250 ms in 6 of 100 s (tolerated 5; worst 251 ms)"
            ]
        )
    }

    @Test(arguments: [
        (
            HealthSample(wallMicroseconds: 0, cpuCores: 1.95),
            "podswarm used more than 95% of its 2 cores in 1 of 1 s (tolerated 0)"
        ),
        (HealthSample(wallMicroseconds: 0, droppedStarts: 1), "1 planned requests were never sent (allowed 0)"),
        (HealthSample(wallMicroseconds: 0, residentBytes: 2_147_483_648), "memory reached 2048 MiB (allowed 1024 MiB)"),
    ])
    func everyLimitNamesItself(sample: HealthSample, reason: String) {
        let budget = GeneratorBudget(residentBytes: 1_073_741_824)
        #expect(
            log([sample], budget: budget).verdict(for: empty, blamesTarget: false) == .clientLimited(reasons: [reason])
        )
    }

    @Test func latenessOfAnyKindLimitsTheRun() {
        let recorder = LoopRecorder()
        for _ in 0..<100 {
            recorder.record(
                RequestSample(
                    kind: .podManifest,
                    outcome: .status(200),
                    plannedAt: 1,
                    sentAt: 300_000_001,
                    doneAt: 300_000_002
                )
            )
        }
        let reasons = log([]).verdict(for: RunTotals(merging: [recorder.finish()]), blamesTarget: false).reasons
        #expect(reasons == ["pod_manifest requests left 300 ms late at p99 (allowed 250 ms)"])
    }

    @Test func handlingOfAnyKindLimitsTheRun() {
        let recorder = LoopRecorder()
        for _ in 0..<100 {
            recorder.record(
                RequestSample(
                    kind: .podManifest,
                    outcome: .status(200),
                    plannedAt: 1,
                    sentAt: 1,
                    receivedAt: 2,
                    doneAt: 600_000_002
                )
            )
        }
        recorder.count(.podsHandledLate, by: 3)
        let totals = RunTotals(merging: [recorder.finish()])
        #expect(
            log([]).verdict(for: totals, blamesTarget: false).reasons == [
                "pod_manifest answers were read 600 ms late at p99 (allowed 500 ms)",
                "breaks whose pod or announcement came in time and was read too late by podswarm: 3",
            ]
        )
        let older = GeneratorBudget(handlingP99Microseconds: nil)
        #expect(log([], budget: older).verdict(for: totals, blamesTarget: false).reasons.count == 1)
    }

    @Test func worstValuesAreKept() {
        let log = log([
            sample(delay: 5, cores: 0.5, bytes: 10), sample(delay: 3, cores: 1.5, dropped: 2, bytes: 30),
            sample(bytes: 20),
        ])
        #expect(log.loopDelayMaximumMicroseconds == 5 && log.cpuCoresMaximum == 1.5 && log.droppedStarts == 2)
        #expect(log.residentBytesFirst == 10 && log.residentBytesLast == 20 && log.residentBytesMaximum == 30)
        #expect(log.cpuCoresMean == 2.0 / 3)
    }
}
