import RunResult
import TestSupport
import Testing

/// The profile for a target of the user's own, filled in as its comments say.
@Suite(.fewAtOnce) struct TemplateTests {
    @Test func theTemplateFilledInRehearsesAnnouncedBreaks() async throws {
        let breaks = ["--break-interval-milliseconds", "10000", "--break-milliseconds", "4000"]
        try await RunningOrigin.serving(breaks + ["--ad-milliseconds", "2000"]) { origin in
            let settings = [
                "target.podServing.contentURL=\(origin.url)/live/main/multivariant.m3u8",
                "target.podServing.adServer=\(origin.url)",
                "target.podServing.backupAdServer=http://127.0.0.2:9",
                "breaks.source.dateRange.class=com.podswarm.break",
                "breaks.podDuration=4s",
                "breaks.grace=20s",
                "abort.after=20s",
                "audience.ramp=2s",
                "generator.maximumLateness=10s",
                "generator.maximumLoopDelay=30s",
                "generator.maximumCoreWait=30s",
                "thresholds=[breaks.on_time >= 100%, breaks.due >= 20]", StarvedMachine.allowance,
            ]
            let outcome = try await Rehearsal(shipped: "pod-serving-template")
                .run(["--viewers", "20", "--duration", "32s"] + settings.flatMap { ["--set", $0] })
            #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
            #expect(outcome.findings == [])
            // Named after the date ranges, each asked for by everybody under one name.
            let whole = outcome.document.breaks.each.filter { $0.due == 20 }
            #expect(!whole.isEmpty)
            #expect(whole.allSatisfy { $0.key.hasPrefix("break-") && $0.durationMilliseconds == 4_000 })
            #expect(whole.allSatisfy { $0.identifiers.map(\.identifier) == ["ad_break_id/\($0.key)"] })
            // Playheads differ and so do the instants of asking: not one burst, but seconds of it.
            #expect(whole.allSatisfy { ($0.burst.lastMicroseconds ?? 0) - ($0.burst.firstMicroseconds ?? 0) > 500_000 })
        }
    }
}
