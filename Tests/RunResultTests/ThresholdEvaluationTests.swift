import Recording
import Rulebook
import RunResult
import Testing
import Thresholds

@Suite struct ThresholdEvaluationTests {
    private static let evidence = Evidence(url: "u", expected: "", observed: "")

    /// 1,000 playlist requests of 1 to 1,000 ms with one error, and a break with 999 of 1,000 viewers on time.
    private static let totals: RunTotals = {
        let recorder = LoopRecorder()
        for request in 1...1_000 as ClosedRange<Int64> {
            recorder.record(
                RequestSample(
                    kind: .playlist,
                    outcome: .status(request == 1_000 ? 500 : 200),
                    plannedAt: 1,
                    sentAt: 1,
                    doneAt: 1 + request * 1_000_000
                )
            )
        }
        let slot = recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 1)
        for viewer in 0..<1_000 {
            recorder.viewerDue(slot)
            if viewer > 0 { recorder.viewerOnTime(slot, inHandAfterStart: 0) }
        }
        recorder.viewerLate(slot, lateness: 70_000_000)
        recorder.podRequested(slot, identifier: "pod/1", viewer: 1, wallMicroseconds: -100)
        recorder.podRequested(slot, identifier: "pod/1", viewer: 2, wallMicroseconds: 400)
        recorder.finding(.podUnderfilled, viewer: 1, breakSlot: slot, wallMicroseconds: 0, evidence: evidence)
        recorder.count(.joined, by: 1_000)
        return RunTotals(merging: [recorder.finish()])
    }()

    @Test(arguments: [
        ("breaks.on_time >= 99.9%", true, 99.9),
        ("breaks.on_time > 99.9%", false, 99.9),
        ("breaks.on_time == 999", true, 999),
        ("breaks[k].on_time >= 99.9%", true, 99.9),
        ("breaks[k].late == 1", true, 1),
        ("breaks.lateness.max == 70ms", true, 70_000),
        ("breaks.spread == 500us", true, 500),
        ("breaks.due == 1000", true, 1_000),
        ("breaks.count == 1", true, 1),
        ("breaks.unresolved == 0%", true, 0),
        ("breaks.skipped == 0%", true, 0),
        ("breaks.failed <= 0", true, 0),
        ("playlist.requests > 100", true, 1_000),
        ("playlist.requests < 100", false, 1_000),
        ("playlist.errors <= 0.1%", true, 0.1),
        ("playlist.errors < 0.1%", false, 0.1),
        ("all.errors == 1", true, 1),
        ("playlist.response.min == 1ms", true, 1_000),
        ("playlist.response.max == 1s", true, 1_000_000),
        ("playlist.response.mean == 500.5ms", true, 500_500),
        ("all.service.max == 1s", true, 1_000_000),
        ("findings.* == 0", false, 1),
        ("findings.pod_underfilled == 1", true, 1),
        ("findings.pod_mismatch == 0", true, 0),
        ("viewers.joined >= 1000", true, 1_000),
        ("segment.requests == 0", true, 0),
    ])
    func aRuleIsJudgedOnMergedTotals(text: String, passed: Bool, observed: Double) throws {
        let result = try ThresholdRule(parsing: text).evaluate(Self.totals)
        #expect(result.passed == passed)
        #expect(result.observed == observed)
        #expect(result.reason == nil)
        #expect(result.text == text)
    }

    @Test(arguments: [("p50", 500_000.0), ("p90", 900_000), ("p95", 950_000), ("p99", 990_000), ("p99.9", 999_000)])
    func percentilesAreWithinATenthOfAPercent(statistic: String, expected: Double) throws {
        let result = try ThresholdRule(parsing: "playlist.response.\(statistic) > 0us").evaluate(Self.totals)
        let observed = try #require(result.observed)
        #expect(observed >= expected && observed <= expected * 1.001)
    }

    @Test(arguments: [
        "segment.response.p99 < 10s", "segment.errors < 1%", "breaks[other].on_time >= 0%", "segment.tls.max < 1s",
        "breaks[other].spread < 1s",
    ])
    func aRuleOverNothingFails(text: String) throws {
        let result = try ThresholdRule(parsing: text).evaluate(Self.totals)
        #expect(!result.passed)
        #expect(result.observed == nil)
        #expect(result.reason == "no samples")
        #expect(result.observedText == "no samples")
    }
}
