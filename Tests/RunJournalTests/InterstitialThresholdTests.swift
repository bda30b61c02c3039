import ExampleRuns
import Testing

@testable import Recording
@testable import Rulebook
@testable import RunJournal
@testable import RunResult
@testable import Thresholds

@Suite struct InterstitialThresholdTests {
    private static let start: Int64 = 1_795_291_200_000_000

    /// Persona 0 has 3 of 4 viewers on time, persona 1 has 1 of 2; names are given as a run's settings give them.
    private func totals() -> RunTotals {
        var loops = CollectedLoops(
            loops: 1,
            settings: CollectorSettings(
                run: ExampleRun.description(),
                loopCores: 1,
                descriptorLimit: 1_024,
                personas: [
                    PersonaDescription(name: "strict", sharePercent: 60),
                    PersonaDescription(name: "hls js", sharePercent: 40),
                ]
            )
        )
        let recorder = loops.recorders[0]
        let slot = recorder.breakSlot(for: "a", start: Self.start, durationMilliseconds: 30_000)
        for viewer in 0..<6 {
            let persona: UInt8 = viewer < 4 ? 0 : 1
            recorder.countViewer(persona: persona)
            recorder.viewerDue(slot, persona: persona)
            recorder.breakDiscovered(slot, wallMicroseconds: Self.start - 5_000_000 + Int64(viewer) * 1_000_000)
            recorder.liveLatency(microseconds: 18_000_000 + Int64(viewer) * 1_000)
            if viewer == 0 {
                recorder.viewerFailed(slot, .deadlineMissed, persona: persona)
            } else if viewer == 5 {
                recorder.viewerLate(slot, lateness: 1_000, persona: persona)
            } else {
                recorder.viewerOnTime(slot, inHandAfterStart: 0, persona: persona)
            }
        }
        for (counter, count) in [
            (ViewerCounter.eventsScheduled, UInt64(20)), (.eventsFinished, 17), (.eventsFailed, 1), (.eventsLeft, 2),
            (.stalls, 4), (.stalledMilliseconds, 1_500),
        ] { recorder.count(counter, by: count) }
        var sample = RequestSample(
            kind: .blockingPlaylist,
            outcome: .status(200),
            plannedAt: 1,
            sentAt: 1,
            doneAt: 5_000_000_001
        )
        recorder.record(sample)
        sample.kind = .playlist
        sample.doneAt = 1_000_001
        recorder.record(sample)
        loops.close()
        return loops.collector.totals
    }

    @Test(arguments: [
        ("breaks.on_time{persona=strict} == 75%", true), ("breaks.on_time{persona=strict} == 3 viewers", true),
        ("breaks.on_time{persona=hls js} == 50%", true), ("breaks.late{persona=hls js} == 1 viewer", true),
        ("breaks.failed{persona=strict} == 25%", true), ("breaks.due{persona=strict} == 4", true),
        ("breaks.on_time{persona=vhs} >= 1%", false), ("breaks.on_time.worst_persona == 50%", true),
        ("breaks.on_time.worst_persona >= 51%", false), ("events.scheduled == 20", true),
        ("events.finished == 85%", true), ("events.failed <= 1 event", true), ("events.failed == 5%", true),
        ("events.unaccounted == 0", true), ("break_discovery.max == 5s", true), ("break_discovery.p50 <= 2100ms", true),
        ("break_discovery.p50 < 1900ms", false), ("live_latency.p99 < 18.1s", true), ("live_latency.min >= 18s", true),
        ("playback.stalls == 4", true), ("playback.stalled == 1.5s", true),
        ("blocking_playlist.response.p50 > 4s", true),
        // What a server holds back on purpose is in no sum of times.
        ("all.response.max == 1ms", true), ("all.requests == 2", true),
    ])
    func thresholdsAreJudged(text: String, passes: Bool) throws {
        let result = try ThresholdRule(parsing: text).evaluate(totals())
        #expect(result.passed == passes, "\(text): \(result.observedText)")
    }

    @Test func viewersAreCountedByPersona() {
        #expect(totals().personaViewers.prefix(3) == [4, 2, 0])
        #expect(totals().personaNames == ["strict", "hls js"])
    }

    @Test func aRunWithoutEventsOrPersonasHasNoSamples() throws {
        let empty = RunTotals(merging: [])
        for text in [
            "events.failed <= 1%", "breaks.on_time.worst_persona >= 1%", "breaks.on_time{persona=a} >= 1%",
            "break_discovery.p99 < 1s", "live_latency.p99 < 1s",
        ] {
            let result = try ThresholdRule(parsing: text).evaluate(empty)
            #expect(!result.passed && !result.failed && result.isUndecided == true, "\(text)")
        }
    }

    @Test(arguments: [
        ("breaks.spread{persona=a} < 1s", "breaks.late{persona=a}"),
        ("breaks.on_tme{persona=a} > 1%", "breaks.on_time{persona=a}"),
        ("break_discover.p99 < 1s", "break_discovery.p99"), ("events.fail < 1%", "events.failed"),
    ])
    func aMisspelledNameIsCorrected(text: String, nearest: String) {
        let error = #expect(throws: ThresholdError.self) { try ThresholdRule(parsing: text) }
        guard case .unknownMetric(_, let told) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(told == nearest)
    }

    @Test(arguments: ["events.scheduled > 5%", "playback.stalled < 5", "live_latency.p50 < 3%", "playback.stalls < 1s"])
    func aUnitThatDoesNotFitIsRefused(text: String) {
        #expect(throws: ThresholdError.self) { try ThresholdRule(parsing: text) }
    }
}
