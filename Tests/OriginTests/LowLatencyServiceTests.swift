import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// Low latency, renditions, variables and steering as the service answers them, on a clock of the test's own.
@Suite struct LowLatencyServiceTests {
    private static let plan = "lowLatency: {partDuration: 500ms, deltaUpdates: v2}"

    private static func newest(_ probe: ServiceProbe) throws -> UInt64 {
        try #require(probe.service.channel.timeline.newestSegment(at: probe.now))
    }

    @Test func segmentsAreTheirPartsOneAfterAnother() throws {
        let probe = try ServiceProbe(channel: Self.plan + "\nrenditions: {audio: [en, es], subtitles: [en]}")
        let newest = try Self.newest(probe)
        for rendition in ["360p", "180p", "audio-en", "audio-es"] {
            let base = "/live/main/\(rendition)"
            let segment = probe.get("\(base)/\(newest).m4s")
            #expect(segment.status == .ok)
            var joined = ByteBuffer()
            for part in 0..<4 {
                let answer = probe.get("\(base)/\(newest).\(part).m4s")
                #expect(answer.status == .ok)
                #expect(answer.fields[.cacheControl] == "max-age=12")
                joined.writeImmutableBuffer(answer.body)
            }
            #expect(joined == segment.body)
            #expect(probe.get("\(base)/init.mp4").status == .ok)
            #expect(probe.get("\(base)/\(newest).4.m4s").status == .notFound, "there are four")
        }
        let en = probe.get("/live/main/audio-en/\(newest).m4s").body
        #expect(en != probe.get("/live/main/audio-es/\(newest).m4s").body)
        let text = String(buffer: probe.get("/live/main/subtitles-en/\(newest).vtt").body)
        #expect(text.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:"))
        #expect(text.contains(probe.service.channel.timeline.programDate(of: newest).iso8601))
        #expect(probe.get("/live/main/subtitles-en/\(newest).0.m4s").status == .notFound)
        #expect(probe.get("/live/main/subtitles-en/init.mp4").status == .notFound)
        let truth = probe.service.truth(at: probe.now)
        #expect(truth.requests["part"]?.received == 21)
        #expect(truth.requests["segment"]?.received == 12)
    }
}
