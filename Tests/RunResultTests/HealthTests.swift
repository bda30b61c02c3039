import ExampleRuns
import Rules
import Testing

@testable import Results

@Suite struct HealthTests {
    private let empty = RunTotals(merging: [])

    private func log(_ samples: [HealthSample], budget: GeneratorBudget = .standard) -> HealthResult {
        samples.reduce(into: HealthResult(budget: budget, loopCores: 2, descriptorLimit: 1_000)) { $0.add($1) }
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

    @Test func aFewBadSecondsAreToleratedAndOneTooManyIsNot() {
        let healthy = log((0..<100).map { _ in sample(delay: 250_000, cores: 1.9, open: 950) })
        #expect(healthy.limits(for: empty, blamesTarget: false).isEmpty && healthy.seconds == 100)
        func reasons(badSeconds: Int) -> [String] {
            log((0..<100).map { sample(delay: $0 < badSeconds ? 251_000 : 0) })
                .limits(for: empty, blamesTarget: false)
        }
        #expect(reasons(badSeconds: 5) == [])
        #expect(
            reasons(badSeconds: 6)
                == ["event loops were delayed more than 250 ms in 6 of 100 s (tolerated 5; worst 251 ms)"]
        )
    }

    @Test(arguments: [
        (
            HealthSample(wallMicroseconds: 0, cpuCores: 1.95),
            "podswarm used more than 95% of its 2 cores in 1 of 1 s (tolerated 0)"
        ),
        (HealthSample(wallMicroseconds: 0, droppedStarts: 1), "1 request never sent or read (allowed 0)"),
        (HealthSample(wallMicroseconds: 0, residentBytes: 2_147_483_648), "memory reached 2048 MiB (allowed 1024 MiB)"),
    ]) func everyLimitNamesItself(sample: HealthSample, reason: String) {
        let budget = GeneratorBudget(residentBytes: 1_073_741_824)
        #expect(log([sample], budget: budget).limits(for: empty, blamesTarget: false) == [reason])
    }

    @Test func latenessAndHandlingOfAnyKindLimitTheRun() {
        var late = RequestSample.ended(.status(200), .podManifest)
        late.sentAt += 300_000_000
        late.doneAt = late.sentAt + 1
        let sent = RunTotals { recorder in for _ in 0..<100 { recorder.record(late) } }
        let lateness = log([]).limits(for: sent, blamesTarget: false)
        #expect(lateness == ["pod_manifest requests left 300 ms late at p99 (allowed 250 ms)"])
        var unread = RequestSample.ended(.status(200), .podManifest, after: 600_000)
        unread.receivedAt = unread.sentAt + 1
        let read = RunTotals { recorder in
            for _ in 0..<100 { recorder.record(unread) }
            recorder.count(.podsHandledLate, by: 3)
        }
        #expect(
            log([]).limits(for: read, blamesTarget: false) == [
                "pod_manifest answers were read 600 ms late at p99 (allowed 500 ms)",
                "breaks whose pod or announcement came in time and was read too late by podswarm: 3",
            ]
        )
        let older = GeneratorBudget(handlingP99Microseconds: nil)
        #expect(log([], budget: older).limits(for: read, blamesTarget: false).count == 1)
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
