import Foundation
import Results
import TestSupport
import Testing

/// A step of this machine's wall clock is nothing that a target did.
///
/// Over sockets, because virtual time has no clock that could step.
@Suite(.fewWaiting) struct ClockStepTests {
    private static let hour: Int64 = 3_600_000_000
    /// To the year 2200, under the carrier that was not written here.
    private static let step = 230 * 365 * 24 * hour - Int64(Date.now.timeIntervalSince1970 * 1e6)

    /// Others are those of `WindowTests`.
    @Test func aStepIsOneNote() async throws {
        let clock = try await OffsetClock()
        let connection = "connection: {transport: curl, \(StarvedMachine.timeouts)}"
        let rehearsal = try Rehearsal(FastProfile.embedded.lasting("10m", rest: connection).yaml)
        let run = try rehearsal.start(
            ["--intervals", rehearsal.intervalsFile],
            environment: clock.environment(wrongBy: 0, thenBy: Self.step)
        )
        func expectInterval(_ number: Int) async throws {
            try await run.wait(for: "interval \(number)") { _ in try rehearsal.intervalLines.count >= number }
        }
        try await expectInterval(3)
        try clock.jump()
        try await expectInterval(rehearsal.intervalLines.count + 3)
        run.send(SIGINT)
        let outcome = try rehearsal.outcome(of: try await run.ended())
        #expect(outcome.end.status == 130, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        let found = try #require(outcome.document.clock)
        #expect(found.stepCount == 1 && found.steps.allSatisfy { abs($0.byMicroseconds - Self.step) < Self.hour / 10 })
        #expect(outcome.end.output.components(separatedBy: "The wall clock was set once").count == 2)
        #expect(outcome.document.reconciliation?.agrees == true)
        #expect(outcome.document.run.endedAtMicroseconds - outcome.document.run.startedAtMicroseconds < Self.hour)
    }
}
