import Foundation
import RunResult
import TestSupport
import Testing

/// A run over time: its windows, what it tells while it goes, and the signals it understands.
@Suite(.fewAtOnce) struct SoakTests {
    private static let limit = Duration.seconds(90)
    private static let virtually = ["--virtual-time", Rehearsal.virtualStart]

    private func soak(_ rehearsal: Rehearsal, _ more: [String]) throws -> ChildProcess {
        let results = rehearsal.folder.url.appending(path: "results").path
        let arguments = ["soak", rehearsal.profile, "--results", results] + more
        return try ChildProcess(try PodswarmExecutable.path(), arguments)
    }

    @Test func aSoakTellsOfEverySecondAndOfItsWindows() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let file = rehearsal.folder.url.appending(path: "intervals.ndjson")
        let run = try soak(rehearsal, Self.virtually + ["--for", "14s", "--window", "2s", "--intervals", file.path])
        let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
        let document = outcome.document
        #expect(document.reconciliation?.agrees == true, "\(document.verdict.reasons)")
        #expect(try await ResultInteroperabilityTests.complaints(about: outcome.resultFile) == "")

        let lines = try KilledRun.Line.all(in: file.path)
        #expect(lines.map(\.number) == Array(0..<lines.count))
        #expect(lines.count >= 8 && lines.count <= 16)
        for (earlier, later) in zip(lines, lines.dropFirst()) {
            #expect(earlier.endMs == later.startMs)
            #expect(earlier.requests <= later.requests)
        }
        let last = try #require(lines.last)
        let warmUp = try #require(document.warmUp)
        #expect(warmUp.milliseconds == 4_000)
        let sum =
            document.requests.values.reduce(0) { $0 + $1.count } + warmUp.requests.values.reduce(0) { $0 + $1.count }
        #expect(last.requests == sum)
        #expect(last.due == document.breaks.due + warmUp.due)
        #expect(last.onTime == document.breaks.onTime + warmUp.onTime)

        let windows = try #require(document.windows)
        #expect(windows.map(\.isWarmUp).firstIndex(of: false).map { (1...2).contains($0) } == true)
        let counted = windows.reduce(0) { sum, window in sum + window.requests.values.reduce(0) { $0 + $1.count } }
        #expect(counted == sum)
        #expect(windows.reduce(0) { $0 + $1.due } == last.due)
        #expect(windows.allSatisfy { $0.residentBytesMinimum > 0 && $0.openDescriptorsMinimum > 0 })
        // The origin dates its segments.
        #expect(document.liveEdgeAge != nil)
        #expect(document.drift?.isEmpty == false)
        // Five windows tell nothing of a trend, and that is said.
        #expect(document.notes?.contains { $0.contains("too few for any series") } == true)
        let asked = document.viewers["pod_asked_ms"] ?? 0
        // The end of the run cuts the last break.
        let filled = document.viewers["pod_filled_ms"] ?? 0
        #expect(filled > 0 && filled <= asked && asked <= (last.podRequests + last.due) * 2_000)
        let listed = document.breaks.each.filter { $0.onTime > 0 }
        #expect(!listed.isEmpty)
        for each in listed {
            let window = try #require(each.inHand)
            let steps = window.counts.reduce(0) { $0 + UInt64($1) }
            #expect(steps + window.earlier + window.later == each.onTime + each.late)
        }
    }

    @Test func signalsRotateShowAndEndARun() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let file = rehearsal.folder.url.appending(path: "intervals.ndjson")
        let moved = rehearsal.folder.url.appending(path: "intervals.old")
        let run = try soak(rehearsal, ["--for", "10m", "--intervals", file.path])
        func text(_ url: URL) -> String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }
        try await run.wait(for: "two seconds", within: Self.limit) { _ in text(file).split(separator: "\n").count >= 2 }
        run.send(SIGUSR1)
        try await run.wait(for: "where the run stands", within: Self.limit) {
            $0.errors.contains("Still running") && $0.errors.contains("Requested and observed")
        }
        try FileManager.default.moveItem(at: file, to: moved)
        run.send(SIGHUP)
        try await run.wait(for: "a new file", within: Self.limit) { _ in text(file).split(separator: "\n").count >= 2 }
        #expect(run.isRunning)
        run.send(SIGTERM)
        let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
        #expect(outcome.end.status == 130)
        #expect(outcome.document.verdict.outcome == .interrupted)
        let lines = try KilledRun.Line.all(of: text(moved) + text(file))
        #expect(lines.map(\.number) == Array(0..<lines.count))
        #expect(outcome.document.notes == nil)
    }
}
