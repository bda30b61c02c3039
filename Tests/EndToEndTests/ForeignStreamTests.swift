import RunResult
import Testing

/// The client against a live stream that was not written here.
@Suite(.fewAtOnce) struct ForeignStreamTests {
    @Test func aStreamOfFfmpegAndNginxIsPolledByTheReloadRule() async throws {
        let outcome = try await ForeignStream.serving { stream in
            try await RunningOrigin.serving(["--break-interval-milliseconds", "0", "--ad-milliseconds", "1000"]) {
                origin in
                var profile = FastProfile.podServing(content: stream.url, adServer: origin.url)
                profile.duration = "20s"
                let settings = ["--set", "playback.segments=all", "--set", "breaks.grace=5s"]
                return try await Rehearsal(profile.yaml).run(settings)
            }
        }
        let document = outcome.document
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        let playlists = try #require(document.requests["playlist"])
        #expect(playlists.errors == 0)
        #expect(document.requests["multivariant"]?.count == 20)
        // Nearly 20 s of 20 viewers: one reload for each segment, or two where the first came too early.
        let reloads = 20 * 20 / ForeignStream.Shape.segmentSeconds
        #expect((reloads * 7 / 10...reloads * 21 / 10).contains(Int(playlists.count)), "\(playlists.count) playlists")
        // At least half of the segments that come meanwhile for each viewer, and none that is gone already.
        let segments = try #require(document.requests["segment"])
        #expect(segments.errors == 0)
        #expect(Int(segments.count) >= reloads / 2)
        #expect(document.breaks.count >= 3)
        let late = document.breaks.each.reduce(0) { $0 + $1.late }
        #expect(document.breaks.due == document.breaks.onTime + (outcome.isCalm ? 0 : late))
        #expect(document.reconciliation == nil)
        #expect(document.run.target.hasSuffix("/multivariant.m3u8"))
    }
}
