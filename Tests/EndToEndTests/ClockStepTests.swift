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

    /// Steps by an hour, to 1970 and to 2200, under either carrier.
    @Test(arguments: [(hour, "auto"), (-hour, "curl"), (day - now, "auto"), (230 * year - now, "curl")])
    func aStepIsOneNote(step: Int64, transport: String) async throws {
        let clock = try await OffsetClock()
        // Time for the step that the third interval asks for, wherever the machine is busy.
        let profile = FastProfile.embedded.lasting(
            "30s",
            thresholds: "playlist.errors < 1%",
            rest: "connection: {transport: \(transport), \(StarvedMachine.timeouts)}"
        )
        let rehearsal = try Rehearsal(profile.yaml)
        let run = try rehearsal.start(
            ["--intervals", rehearsal.intervalsFile],
            environment: clock.environment(wrongBy: 0, thenBy: step)
        )
        try await run.wait(for: "three intervals") { _ in try rehearsal.intervalLines.count >= 3 }
        try clock.jump()
        let outcome = try rehearsal.outcome(of: try await run.ended())
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        let found = try #require(outcome.document.clock)
        #expect(found.stepCount == 1 && found.steps.allSatisfy { abs($0.byMicroseconds - step) < Self.hour / 10 })
        #expect(outcome.end.output.components(separatedBy: "The wall clock was set once").count == 2)
        #expect(outcome.document.reconciliation?.agrees == true)
        #expect(outcome.document.run.endedAtMicroseconds - outcome.document.run.startedAtMicroseconds < Self.hour)
    }
}
