import Foundation
import OriginServing
import TestSupport
import Testing

@testable import Origin

/// A player that was not written here decodes what the origin serves without a complaint.
@Suite struct PlayerTests {
    @Test func playerShowsHalfAMinuteOfTheLiveChannel() async throws {
        try await withOrigin { server, port in
            let url = "http://127.0.0.1:\(port)\(server.multivariantPath)"
            let outcome = try await InstalledProgram("ffmpeg").run([
                "-v", "error", "-i", url, "-t", "30", "-f", "null", "-",
            ])
            #expect(outcome.status == 0)
            #expect(outcome.complaints == "")
            // Thirty seconds of a 20 s window cannot be had without reloading.
            #expect(server.groundTruth().requests["playlist"]?.received ?? 0 > 5)
        }
    }

    @Test(arguments: [1, 2, 4, 8])
    func playerShowsAPodToItsEnd(segmentSeconds: Int) async throws {
        var configuration = OriginConfiguration()
        configuration.segmentDuration = .seconds(segmentSeconds)
        try await withOrigin(configuration) { server, port in
            let base = "http://127.0.0.1:\(port)"
            let registered = try await RawClient(port: port).send(
                "POST \(ServiceProbe.registrationPath) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            let mark = try #require(registered.range(of: "\"stream_id\":\""))
            let streamID = registered[mark.upperBound...].prefix { $0 != "\"" }
            let url =
                "\(base)/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/pod/7.m3u8"
                + "?stream_id=\(streamID)&pd=24500"
            let outcome = try await InstalledProgram("ffmpeg").run(["-v", "error", "-i", url, "-f", "null", "-"])
            #expect(outcome.status == 0)
            #expect(outcome.complaints == "")
            // Fragments are whole seconds: the last one goes on past the half second that is listed, to 25 s in all.
            let counted = try await InstalledProgram("ffprobe").run(
                ["-v", "quiet", "-count_packets", "-select_streams", "v:0", "-show_entries"]
                    + ["stream=nb_read_packets", "-of", "csv=p=0", url]
            )
            #expect(counted.text.split(separator: "\n").first == "600")
        }
    }

    @Test func playerShowsAnInterstitialsAssetToItsEnd() async throws {
        let channel = "interstitials: [{cue: [pre], id: first, delivery: uri, assetDuration: 7s}]"
        try await withOrigin(channel: channel) { _, port in
            let url = "http://127.0.0.1:\(port)/interstitials/first/asset.m3u8?_HLS_interstitial_id=first"
            let outcome = try await InstalledProgram("ffmpeg").run(["-v", "error", "-i", url, "-f", "null", "-"])
            #expect(outcome.status == 0)
            #expect(outcome.complaints == "")
            let counted = try await InstalledProgram("ffprobe").run(
                ["-v", "quiet", "-count_packets", "-select_streams", "v:0", "-show_entries"]
                    + ["stream=nb_read_packets", "-of", "csv=p=0", url]
            )
            #expect(counted.text.split(separator: "\n").first == "168", "seven seconds of 24 pictures")
        }
    }

    @Test func playerShowsAStitchedBreak() async throws {
        try await withOrigin(channel: "stitched: {every: 24s, duration: 8s, adDuration: 4s}") { server, port in
            let url = "http://127.0.0.1:\(port)/live/main/360p/media.m3u8"
            // A window of 20 s has some of a break in it always, and its beginning or its end.
            let outcome = try await InstalledProgram("ffmpeg").run(
                ["-v", "error", "-live_start_index", "0", "-i", url, "-t", "16", "-f", "null", "-"]
            )
            #expect(outcome.status == 0)
            #expect(outcome.complaints == "")
            #expect(server.groundTruth().requests["segment"]?.answered.keys.sorted() == ["200"])
        }
    }
}
