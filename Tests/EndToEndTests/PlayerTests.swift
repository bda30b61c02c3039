import Foundation
import Testing

/// A player that was not written here, ffmpeg, plays what the origin serves.
@Suite(.fewAtOnce) struct PlayerTests {
    private static let breaks = [
        "--break-interval-milliseconds", "10000", "--break-milliseconds", "4000", "--ad-milliseconds", "2000",
    ]

    /// Plays a URL, at most for so many seconds, and returns how many seconds of media were decoded.
    private func play(_ url: String, seconds: Int? = nil) async throws -> Double {
        let length = seconds.map { ["-t", String($0)] } ?? []
        let end = try await ExternalTool.ffmpeg.run(
            ["-nostdin", "-v", "error", "-progress", "pipe:1", "-i", url] + length + ["-f", "null", "-"],
            limit: .seconds(90)
        )
        #expect(end.status == 0)
        #expect(end.errors == "")
        let last = end.output.split(separator: "\n").last { $0.hasPrefix("out_time_us=") }
        let microseconds = try #require(last.flatMap { Double($0.dropFirst("out_time_us=".count)) })
        return microseconds / 1e6
    }

    @Test func ffmpegPlaysTheLiveChannelForThirtySeconds() async throws {
        try await RunningOrigin.serving(Self.breaks) { origin in
            let played = try await play("\(origin.url)/live/main/multivariant.m3u8", seconds: 30)
            #expect(abs(played - 30) < 0.2)
        }
    }

    @Test(arguments: [4_000, 10_000]) func ffmpegPlaysAPodToItsEnd(milliseconds: Int) async throws {
        try await RunningOrigin.serving(Self.breaks) { origin in
            let streamID = try await origin.register()
            let url = origin.podURL("ad_break_id/mid-roll-1", streamID: streamID, milliseconds: milliseconds)
            let played = try await play(url)
            #expect(abs(played - Double(milliseconds) / 1000) < 0.2)
        }
    }

    @Test func ffprobeSeesPictureAndSoundInEveryVariant() async throws {
        try await RunningOrigin.serving(Self.breaks) { origin in
            let end = try await ExternalTool.ffprobe.run([
                "-v", "error", "-show_entries", "program=program_id:stream=codec_type", "-of", "json",
                "\(origin.url)/live/main/multivariant.m3u8",
            ])
            #expect(end.status == 0)
            #expect(end.errors == "")
            let json = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any]
            let programs = try #require(json?["programs"] as? [[String: Any]])
            #expect(programs.count == 2)
            for program in programs {
                let streams = try #require(program["streams"] as? [[String: Any]])
                #expect(Set(streams.compactMap { $0["codec_type"] as? String }) == ["audio", "video"])
            }
        }
    }

    @Test func aPageFromElsewhereMayPlayTheChannel() async throws {
        try await RunningOrigin.serving(Self.breaks) { origin in
            let page = origin.url.replacing("127.0.0.1", with: "localhost") + "/origin/health"
            let playlist = "\(origin.url)/live/main/multivariant.m3u8"
            let chromium = try ExternalTool.chromium.path()
            let answer = try await ExternalTool.script("fetch_from_elsewhere", [chromium, page, playlist])
            #expect(String(decoding: answer, as: UTF8.self).hasPrefix("#EXTM3U"))
        }
    }
}
