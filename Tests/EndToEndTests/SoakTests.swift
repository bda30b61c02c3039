import Foundation
import RunResult
import TestSupport
import Testing

/// A run over time: its windows, what it tells while it goes, and the signals it understands.
@Suite(.fewAtOnce) struct SoakTests {
    private static let limit = Duration.seconds(90)
    private static let virtually = ["--virtual-time", Rehearsal.virtualStart]

    private struct Line: Codable {
        var number: Int
        var startMilliseconds: Int64
        var endMilliseconds: Int64
        var requests: UInt64
        var due: UInt64
        var onTime: UInt64
        var podRequests: UInt64

        private enum CodingKeys: String, CodingKey {
            case number
            case startMilliseconds = "start_ms"
            case endMilliseconds = "end_ms"
            case requests
            case due
            case onTime = "on_time"
            case podRequests = "pod_requests"
        }
    }

    private func lines(of text: String) throws -> [Line] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

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

        let lines = try lines(of: String(contentsOf: file, encoding: .utf8))
        #expect(lines.map(\.number) == Array(0..<lines.count))
        #expect(lines.count >= 8 && lines.count <= 16)
        for (earlier, later) in zip(lines, lines.dropFirst()) {
            #expect(earlier.endMilliseconds == later.startMilliseconds)
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

    @Test func sessionsAreRenewedOverAndOver() async throws {
        var profile = FastProfile.embedded
        profile.target += "    sessionValidity: 10s\n"
        let yaml = profile.yaml
        let rehearsal = try Rehearsal(yaml)
        let run = try soak(rehearsal, Self.virtually + ["--for", "31s", "--window", "10s", "--warm-up", "0s"])
        let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
        let document = outcome.document
        let renewed = (document.windows ?? []).filter(\.isComplete).map { $0.viewers["registration_renewed"] ?? 0 }
        // Each session is renewed when nine tenths of its ten seconds are over.
        #expect(renewed.count == 3)
        #expect(renewed.dropFirst().allSatisfy { $0 >= UInt64(FastProfile.viewers) / 2 }, "\(renewed)")
        #expect(
            document.viewers["registration_renewed"]
                == document.windows?.reduce(0) { $0 + ($1.viewers["registration_renewed"] ?? 0) }
        )
        #expect(outcome.findings == [])
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
        let lines = try lines(of: text(moved) + text(file))
        #expect(lines.map(\.number) == Array(0..<lines.count))
        #expect(outcome.document.notes == nil)
    }

    @Test func intervalsOnStandardOutputAreAloneThere() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let outcome = try await rehearsal.inVirtualTime(["--duration", "5s", "--intervals", "-"])
        #expect(try lines(of: outcome.end.output).count >= 1)
        #expect(outcome.end.errors.contains("Requested and observed"))
        #expect(outcome.document.warmUp == nil)
    }

    @Test func aFullDiskIsNotedAndEndsNothing() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let outcome = try await rehearsal.inVirtualTime(["--duration", "5s", "--intervals", "/dev/full"])
        let notes = try #require(outcome.document.notes)
        #expect(notes.count { $0.contains("--intervals") } == 1)
        #expect(outcome.document.requests["playlist"]?.count ?? 0 > 0)
        #expect(outcome.end.output.contains("Notes"))
    }

    @Test(arguments: [
        (["--intervals", "/no/such/folder/x"], "--intervals /no/such/folder/x"),
        (["--window", "0s"], "windows.length"),
        (["--warm-up", "20s"], "windows.warmUp"), (["--for", "soon"], "duration"),
    ])
    func whatCannotBeIsRefused(arguments: [String], word: String) async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let end = try await soak(rehearsal, arguments).ended(within: Self.limit)
        #expect(end.status == 2)
        #expect(end.errors.contains(word), "\(end.errors)")
    }
}
