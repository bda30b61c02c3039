import Profile
import TestSupport
import Testing

@testable import Origin

/// A player that was not written here decodes what the origin serves without a complaint.
///
/// Over sockets, because the player is a program of others.
@Suite struct PlayerTests {
    private static func play(_ url: String, before: [String] = [], after: [String] = []) async throws {
        let arguments = ["-v", "error"] + before + ["-i", url] + after + ["-f", "null", "-"]
        let outcome = try await InstalledProgram("ffmpeg").run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.complaints == "")
    }

    private static func pictures(of url: String) async throws -> String? {
        let counted = try await InstalledProgram("ffprobe").run(
            ["-v", "quiet", "-count_packets", "-select_streams", "v:0", "-show_entries"]
                + ["stream=nb_read_packets", "-of", "csv=p=0", url]
        )
        return counted.text.split(separator: "\n").first.map(String.init)
    }

    @Test func playerShowsHalfAMinuteOfTheLiveChannel() async throws {
        try await withOrigin { server, port in
            try await Self.play("http://127.0.0.1:\(port)\(server.multivariantPath)", after: ["-t", "30"])
            // Thirty seconds of a 20 s window cannot be had without reloading.
            #expect(server.groundTruth().requests["playlist"]?.received ?? 0 > 5)
        }
    }

    @Test(arguments: [1, 2, 4, 8])
    func playerShowsAPodToItsEnd(segmentSeconds: Int) async throws {
        var configuration = OriginConfiguration()
        configuration.segmentDuration = .seconds(segmentSeconds)
        try await withOrigin(configuration) { _, port in
            let registration = "POST \(ServiceProbe.registrationPath) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n"
            _ = try await RawClient(port: port).send(registration + "Connection: close\r\n\r\n")
            let streamID = SessionRegistry.streamID(number: 0, seed: 1)
            let event = "network/21775744923/custom_asset/sgai-hls-live"
            let url = "http://127.0.0.1:\(port)/linear/pods/v1/hls/\(event)/pod/7.m3u8?stream_id=\(streamID)&pd=24500"
            try await Self.play(url)
            // Fragments are whole seconds: the last one goes on past the half second that is listed, to 25 s in all.
            #expect(try await Self.pictures(of: url) == "600")
        }
    }

    @Test func playerShowsAnInterstitialsAssetToItsEnd() async throws {
        let channel = "interstitials: [{cue: [pre], id: first, delivery: uri, assetDuration: 7s}]"
        try await withOrigin(channel: channel) { _, port in
            let url = "http://127.0.0.1:\(port)/interstitials/first/asset.m3u8?_HLS_interstitial_id=first"
            try await Self.play(url)
            #expect(try await Self.pictures(of: url) == "168", "seven seconds of 24 pictures")
        }
    }

    @Test func playerShowsAStitchedBreak() async throws {
        try await withOrigin(channel: "stitched: {every: 24s, duration: 8s, adDuration: 4s}") { server, port in
            // A window of 20 s has some of a break in it always, and its beginning or its end.
            let url = "http://127.0.0.1:\(port)/live/main/360p/media.m3u8"
            try await Self.play(url, before: ["-live_start_index", "0"], after: ["-t", "16"])
            #expect(server.groundTruth().requests["segment"]?.answered.keys.sorted() == ["200"])
        }
    }
}
