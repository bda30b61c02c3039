import RunResult
import TestSupport
import Testing

/// The profiles whose breaks the channel schedules itself, as they are but for their size.
@Suite struct ScheduledInterstitialTests {
    private static let short = ["--set", "audience.ramp=3s", "--set", "thresholds=[breaks.count >= 1]"]

    /// Within 95 s every viewer meets the pre-roll, and each script of the channel at least once.
    @Test func everyEventOfAMixedAudienceComesToOneEnd() async throws {
        let outcome = try await Rehearsal(shipped: "interstitials").inVirtualTime(
            ["--viewers", "40", "--duration", "100s"] + Self.short
        )
        let document = outcome.document
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        let events = try #require(document.events)
        #expect(events.unaccounted == 0)
        #expect(events.scheduled == events.ends.reduce(0) { $0 + $1.count })
        #expect(events.started > 40 && events.finished > 0 && events.cutShort > 0, "\(events)")
        #expect(events.failed == 0, "\(events)")
        // Nearly half of the viewers know preload ranges, and each of them comes to one.
        #expect(document.viewers["preloads_taken"].map { $0 >= 10 } == true, "\(document.viewers)")
        // Who polls learns of a break at a moment of its own.
        let discovery = try #require(document.breaks.discovery)
        #expect(discovery.p90Microseconds > 500_000, "\(discovery)")
        #expect(document.reconciliation?.agrees == true)
        let keys = document.breaks.each.map(\.key)
        for script in ["preroll", "midroll-", "double-", "early-"] {
            #expect(keys.contains { $0.hasPrefix(script) }, "\(script) in \(keys)")
        }
    }

    @Test func everyDeltaUpdateMergesToTheWholePlaylist() async throws {
        let outcome = try await Rehearsal(shipped: "low-latency").inVirtualTime(
            ["--viewers", "30", "--duration", "25s"] + Self.short
        )
        let document = outcome.document
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        let playback = try #require(document.playback?.lowLatency)
        #expect(playback.deltaUpdates > 100, "\(playback)")
        #expect(playback.deltaMismatches == 0)
        #expect(playback.deltaRefetches == 0)
        // Who is waiting for the news has it at once, and not within a target duration of 4 s.
        let discovered = document.breaks.each.compactMap(\.discovery?.p90Microseconds)
        #expect(discovered.max().map { $0 < 2_000_000 } == true, "\(discovered)")
        #expect(document.requests["blocking_playlist"].map { $0.count > 100 } == true)
        #expect(document.reconciliation?.agrees == true)
    }
}
