import Foundation
import JSON
import RunResult
import Testing

/// `podswarm run --repeat`, interrupted; its order is told by transcripts.
@Suite(.fewAtOnce) struct RepetitionTests {
    /// The run under way ends with its result, and no other begins.
    @Test func anInterruptEndsTheRunAndTheRepetition() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let run = try rehearsal.start(["--set", "duration=10m", "--set", "audience.viewers=2", "--repeat", "3"])
        // A line every ten seconds, with a break every five: the viewers may be in a break at each of them.
        try await run.wait(for: "viewers that are there", within: .seconds(120)) {
            $0.errors.contains(" watching") || $0.errors.contains(" in a break")
        }
        run.send(SIGINT)
        let end = try await run.ended(within: .seconds(120))
        #expect(end.status == 130 && !end.isSignal, "\(end.output)\(end.errors)")
        #expect(!end.errors.contains("Run 2 of 3"))
        let results = try rehearsal.resultFiles.map { try ResultDocument(json: Data(contentsOf: $0)) }
        #expect(results.map(\.verdict.outcome) == [.interrupted])
    }
}
