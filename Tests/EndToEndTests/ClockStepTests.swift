import Foundation
import Results
import TestSupport
import Testing

/// A step of this machine's wall clock is nothing that a target did.
///
/// Over sockets, because virtual time has no clock that could step.
@Suite(.fewWaiting) struct ClockStepTests {
    private static let hour: Int64 = 3_600_000_000
    private static let day = 24 * hour
    private static let year = 365 * day
    private static var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1e6) }

    /// Steps to 1970 and to 2200, under either carrier; smaller ones are those of `WindowTests`.
    @Test(arguments: [(day - now, "auto"), (230 * year - now, "curl")])
    func aStepIsOneNote(step: Int64, transport: String) async throws {
        let clock = try await OffsetClock()
        let connection = "connection: {transport: \(transport), \(StarvedMachine.timeouts)}"
        let rehearsal = try Rehearsal(FastProfile.embedded.lasting("10m", rest: connection).yaml)
        let run = try rehearsal.start(
            ["--intervals", rehearsal.intervalsFile],
            environment: clock.environment(wrongBy: 0, thenBy: step)
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
        #expect(found.stepCount == 1 && found.steps.allSatisfy { abs($0.byMicroseconds - step) < Self.hour / 10 })
        #expect(outcome.end.output.components(separatedBy: "The wall clock was set once").count == 2)
        #expect(outcome.document.reconciliation?.agrees == true)
        #expect(outcome.document.run.endedAtMicroseconds - outcome.document.run.startedAtMicroseconds < Self.hour)
    }
}
