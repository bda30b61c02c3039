import ExampleRuns
import Results
import Rules
import TestSupport
import Testing

@Suite struct ThresholdEvaluationTests {
    /// 1,000 playlist requests of 1 to 1,000 ms with one error, and a break with 999 of 1,000 viewers on time.
    private static func full(_ recorder: LoopRecorder) {
        for request in 1...1_000 as ClosedRange<Int64> {
            recorder.record(.ended(.status(request == 1_000 ? 500 : 200), after: request * 1_000))
        }
        let slot = recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 1)
        recorder.serve(slot, due: 999, onTime: 999)
        recorder.viewerDue(slot)
        recorder.viewerLate(slot, lateness: 70_000_000)
        recorder.podRequested(slot, identifier: "pod/1", viewer: 1, wallMicroseconds: -100)
        recorder.podRequested(slot, identifier: "pod/1", viewer: 2, wallMicroseconds: 400)
        recorder.find(.podUnderfilled, in: slot)
        recorder.count(.joined, by: 1_000)
    }

    /// Persona 0 has 3 of 4 viewers on time, persona 1 has 1 of 2; a server held one answer back.
    private static func personas(_ recorder: LoopRecorder) {
        let slot = recorder.breakSlot(for: "a", start: ExampleRun.start, durationMilliseconds: 30_000)
        recorder.serve(slot, due: 4, onTime: 3)
        recorder.serve(slot, due: 2, onTime: 1, late: 1, persona: 1)
        for viewer in 0..<6 as Range<Int64> {
            recorder.sums.viewers.countViewer(persona: viewer < 4 ? 0 : 1)
            recorder.withKeptBreak(slot) { $0.discovery.count(at: ExampleRun.start - 5_000_000 + viewer * 1_000_000) }
            recorder.liveLatency(microseconds: 18_000_000 + viewer * 1_000)
        }
        for (counter, count) in [
            (ViewerCounter.eventsScheduled, UInt64(20)), (.eventsFinished, 17), (.eventsFailed, 1), (.eventsLeft, 2),
            (.stalls, 4), (.stalledMilliseconds, 1_500),
        ] { recorder.count(counter, by: count) }
        recorder.record(.ended(.status(200), .blockingPlaylist, after: 5_000_000))
        recorder.record(.ended())
    }

    /// The runs that the files of `Rules` are named after.
    private static let runs: [String: RunTotals] = [
        "full": RunTotals(full),
        "personas": {
            let recorder = LoopRecorder()
            personas(recorder)
            return RunTotals(merging: [recorder.whole()], personaNames: ["strict", "hls js"])
        }(),
        "empty": RunTotals(merging: []),
        "failing": RunTotals { recorder in
            recorder.record(.ended(.status(500)))
            recorder.viewerDue(recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 1))
        },
        "unanswered": RunTotals { recorder in
            recorder.record(.ended())
            var unsent = RequestSample.ended(.failure(.connectTimeout), .steering)
            unsent.sentAt = 0
            recorder.record(unsent)
            recorder.viewerDue(recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 1))
        },
        "in-time": RunTotals { $0.serve($0.breakSlot(for: "k", start: 0, durationMilliseconds: 1), due: 1, onTime: 1) },
        "99-samples": RunTotals { recorder in
            for request in 1...99 as ClosedRange<Int64> { recorder.record(.ended(after: request * 1_000)) }
        },
    ]

    private static func judged(_ rule: Substring, _ totals: RunTotals) -> String {
        do throws(ThresholdError) {
            let result = try ThresholdRule(parsing: String(rule)).evaluate(totals)
            let outcome = result.passed ? "passed" : result.failed ? "failed" : "undecided"
            let figure = result.observed.map { ", \($0)" } ?? ""
            return "\(rule) -> \(outcome)\(figure): \(result.observedText)"
        } catch { return "\(rule) -> refused: \(error)" }
    }

    /// Each line of a file is a rule and what becomes of it: whether it passes, and what was observed.
    @Test(arguments: runs.keys.sorted()) func eachRuleIsJudgedAsItsFileSays(run: String) throws {
        let path = "Tests/RunResultTests/Rules/\(run).txt"
        let totals = try #require(Self.runs[run])
        let lines = try PackageFolder.text(path).split(separator: "\n").map { line in
            Self.judged(line.split(separator: " -> ").first ?? "", totals)
        }
        try GoldenFile.expect(lines.map { $0 + "\n" }.joined(), at: path)
    }

    @Test func aDefaultIsShownAsOne() throws {
        let result = ThresholdRule.mostBreaksOnTime.evaluate(try #require(Self.runs["full"]))
        #expect(result.shownText == "breaks.on_time >= 99% (default)")
    }
}
