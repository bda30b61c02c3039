import Foundation
import Results
import TestSupport
import Testing

/// The signals that a run over time understands; what it tells while it goes is a transcript.
///
/// Over sockets, because signals come to a process.
@Suite(.fewWaiting) struct SoakTests {
    @Test func signalsRotateShowAndEndARun() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let results = ["--results", rehearsal.folder.file("results").path]
        let soaking = ["soak", rehearsal.profile, "--for", "10m", "--intervals", rehearsal.intervalsFile]
        let run = try ChildProcess(try PodswarmExecutable.path(), soaking + results)
        try await run.wait(for: "two seconds") { _ in try rehearsal.intervalLines.count >= 2 }
        run.send(SIGUSR1)
        try await run.wait(for: "where the run stands") {
            $0.errors.contains("Still running") && $0.errors.contains("What was run")
        }
        let moved = rehearsal.folder.file("moved").path
        try FileManager.default.moveItem(atPath: rehearsal.intervalsFile, toPath: moved)
        run.send(SIGHUP)
        try await run.wait(for: "a new file") { _ in try rehearsal.intervalLines.count >= 2 }
        #expect(run.isRunning)
        run.send(SIGTERM)
        let outcome = try rehearsal.outcome(of: try await run.ended())
        #expect(outcome.end.status == 130)
        #expect(outcome.document.verdict.outcome == .interrupted)
        let lines = try KilledRun.Line.all(in: moved) + rehearsal.intervalLines
        #expect(lines.map(\.number) == Array(0..<lines.count))
        #expect(outcome.document.notes == nil)
    }
}
