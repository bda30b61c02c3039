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
        ("breaks.on_time == 999 viewers", true, 999),
        ("breaks[k].on_time >= 99.9%", true, 99.9),
        ("breaks[k].late == 1 viewer", true, 1),
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
        ("all.errors == 1 request", true, 1),
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

    @Test(arguments: ["segment.response.p99 < 10s", "segment.errors < 1%", "segment.tls.max < 1s"])
    func aRuleOverNothingFailsWhereViewersWereDue(text: String) throws {
        let result = try ThresholdRule(parsing: text).evaluate(Self.totals)
        #expect(result.failed && result.isUndecided == nil)
        #expect(result.observed == nil)
        #expect(result.observedText == "no samples")
    }

    @Test(arguments: ["breaks[other].on_time >= 1%", "breaks[other].spread < 1s", "outages.recovery < 1s"])
    func aRuleOverWhatWasNotDueIsUndecided(text: String) throws {
        let result = try ThresholdRule(parsing: text).evaluate(Self.totals)
        #expect(!result.passed && !result.failed && result.isUndecided == true)
        #expect(result.observedText.hasPrefix("no samples: "))
    }

    @Test(arguments: [
        "steering.errors < 1%", "blocking_playlist.response.p99 < 5s", "part.errors < 1%", "session_update.errors < 1%",
        "asset_list.errors < 1%", "asset_manifest.errors < 1%", "pod_playlist.errors < 1%", "beacon.service.max < 1s",
    ])
    func aRuleOverRequestsThatNothingCalledForIsUndecided(text: String) throws {
        let result = try ThresholdRule(parsing: text).evaluate(Self.totals)
        #expect(!result.passed && !result.failed && result.isUndecided == true)
        #expect(result.observedText == "no samples: nothing called for such a request")
    }

    @Test(arguments: ["steering.errors < 1%", "beacon.errors < 1%"])
    func aRuleOverRequestsFailsWhereNothingWorked(text: String) throws {
        let recorder = LoopRecorder()
        recorder.record(
            RequestSample(kind: .playlist, outcome: .status(500), plannedAt: 1, sentAt: 1, doneAt: 1_000_001)
        )
        recorder.viewerDue(recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 1))
        let result = try ThresholdRule(parsing: text).evaluate(RunTotals(merging: [recorder.finish()]))
        #expect(result.failed && result.observedText == "no samples")
    }

    @Test func aRuleOverRequestsThatWereNotAnsweredFails() throws {
        let recorder = LoopRecorder()
        for kind in [RequestKind.playlist, .steering] {
            let outcome: Outcome = kind == .playlist ? .status(200) : .failure(.connectTimeout)
            recorder.record(RequestSample(kind: kind, outcome: outcome, plannedAt: 1, sentAt: 0, doneAt: 1_000_001))
        }
        recorder.viewerDue(recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 1))
        let totals = RunTotals(merging: [recorder.finish()])
        #expect(try ThresholdRule(parsing: "steering.service.p99 < 1s").evaluate(totals).failed)
    }

    @Test func withoutAnyViewerDueNothingIsDecided() throws {
        let empty = RunTotals(merging: [])
        let result = try ThresholdRule(parsing: "breaks.on_time >= 99%").evaluate(empty)
        #expect(result.isUndecided == true && result.observedText == "no samples: no viewer was due")
        let unjudged = try ThresholdRule(parsing: "breaks.on_time >= 0%").evaluate(empty)
        #expect(unjudged.passed && unjudged.observedText == "not judged")
        let seen = try ThresholdRule(parsing: "breaks.on_time >= 0%").evaluate(Self.totals)
        #expect(seen.passed && seen.observedText == "99.9%, not judged")
    }

    @Test func aLimitOnLatenessHoldsWhereEachViewerWasOnTime() throws {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 1)
        recorder.viewerDue(slot)
        recorder.viewerOnTime(slot, inHandAfterStart: 0)
        let rule = try ThresholdRule(parsing: "breaks.lateness.p99 < 1s")
        #expect(rule.evaluate(RunTotals(merging: [recorder.finish()])).passed)
        recorder.viewerDue(slot)
        #expect(rule.evaluate(RunTotals(merging: [recorder.finish()])).failed)
    }

    @Test func aCountIsShownWithItsNounWhereItCouldBeAShare() throws {
        let texts = ["breaks.on_time >= 1 viewer", "breaks.late <= 5 viewers", "breaks.count >= 1 break"]
        let shown = try texts.map { try ThresholdRule(parsing: $0).evaluate(Self.totals).observedText }
        #expect(shown == ["999 viewers", "1 viewer", "1"])
        #expect(ThresholdRule.mostBreaksOnTime.evaluate(Self.totals).shownText == "breaks.on_time >= 99% (default)")
    }

    @Test func ofTooFewSamplesAPercentileIsTheMaximum() throws {
        let recorder = LoopRecorder()
        for request in 1...99 as ClosedRange<Int64> {
            recorder.record(
                RequestSample(
                    kind: .playlist,
                    outcome: .status(200),
                    plannedAt: 1,
                    sentAt: 1,
                    doneAt: 1 + request * 1_000_000
                )
            )
        }
        let totals = RunTotals(merging: [recorder.finish()])
        let p99 = try ThresholdRule(parsing: "playlist.response.p99 < 1s").evaluate(totals)
        #expect(p99.observed == 99_000 && p99.maximumOf == 99)
        #expect(p99.observedText == "99.0 ms, the maximum of 99")
        let p90 = try ThresholdRule(parsing: "playlist.response.p90 < 1s").evaluate(totals)
        #expect(p90.maximumOf == nil && p90.observed != 99_000)
    }
}
