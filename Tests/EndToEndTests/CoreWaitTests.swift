import RunResult
import Testing

/// What a run keeps of how long its processes waited for a core; how long that was is the machine's affair.
@Suite(.fewAtOnce) struct CoreWaitTests {
    @Test func bothProcessesAreWatchedSecondBySecond() async throws {
        let outcome = try await Rehearsal(FastProfile.embedded.yaml).run()
        let health = outcome.document.health
        // Nothing is known where the kernel does not tell, and then nothing is judged.
        guard let generator = health.generatorWaits else {
            #expect(health.originWaits == nil && health.limitedByMachine == nil)
            return
        }
        let origin = try #require(health.originWaits)
        for waits in [generator, origin] {
            #expect(waits.seconds > 0 && waits.breakSeconds > 0 && waits.breakSeconds <= waits.seconds)
            #expect(waits.ranMicroseconds > 0 && waits.waitedMicroseconds >= 0)
            #expect(waits.threadWaitedMaximumMicroseconds >= 0)
        }
        #expect(health.budget.coreWaitMicroseconds == 30_000_000)
        #expect(health.limitedByMachine == false)
        #expect(outcome.document.series.points.allSatisfy { $0.generatorWaitMicroseconds != nil })
    }
}
