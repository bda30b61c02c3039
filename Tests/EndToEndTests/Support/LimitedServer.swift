import Comparison
import Foundation
import Results
import TestSupport
import Testing
import Values

/// A server whose capacity follows from arithmetic.
///
/// An nginx hands on one request for a pod's manifest every 20 ms. Viewers ask a second before a break and have until a second
/// after it: of N viewers at most 101 are answered in time, which is 99 % of 102.
///
/// Where the channel announces the breaks, each viewer asks a second before its own playhead comes to one. Playheads are as far
/// apart as the viewers' first playlists were old, which is evenly spread over a segment of a second: of N viewers the last one
/// asks a second after the first, and all are answered in time where N * 20 ms is at most three seconds.
enum LimitedServer {
    static let truth = 102.0
    static let truthForChannel = 150.0

    struct Breaks: Sendable {
        fileprivate let source, trigger: String
        fileprivate let ofOrigin: [String]

        static let viewers = Breaks(source: "{every: 10s}", trigger: "rendezvous", ofOrigin: ["--set", "breaks=none"])
        /// The channel's.
        static let channel = Breaks(
            source: "dateRange",
            trigger: "playhead",
            ofOrigin: ["--set", "breaks.source.every=8s", "--set", "breaks.podDuration=1s"]
        )
    }

    static func document(in results: URL) throws -> CapacityDocument {
        let folder = results.appending(path: "limited")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("capacity-") && $0.pathExtension == "json" }
        #expect(files.count == 1, "a search has one file")
        return try CapacityDocument(json: Data(contentsOf: try #require(files.first)))
    }

    private static func profile(_ url: String, breaks: Breaks) -> String {
        """
        name: limited
        duration: 60s
        seed: 3
        \(FastProfile.podServingTarget(adServer: url))audience: {viewers: 100, ramp: 2s}
        playback: {segments: none, metadata: false, verificationPings: false}
        breaks: {source: \(breaks.source), trigger: \(breaks.trigger), podDuration: 1s, lead: 1s, jitter: 0s, grace: 1s}
        thresholds: [breaks.on_time >= 99%]
        \(StarvedMachine.budgets)

        """
    }

    static func serving<Outcome: Sendable>(
        breaks: Breaks = .viewers,
        _ body: @Sendable (_ profile: String, _ folder: TemporaryFolder) async throws -> Outcome
    ) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let arguments = ["--set", "target.embedded.segmentDuration=1s"] + breaks.ofOrigin
        return try await RunningOrigin.serving(arguments) { origin in
            try await ProxyServer.serving(
                origin.url,
                in: folder,
                settings: "access_log off; limit_req_zone $server_port zone=pods:1m rate=50r/s;",
                locations: """
                    location ~ "/custom_asset/[^/]+/[^/]+(/[^/]+)?[.]m3u8$" { limit_req zone=pods burst=10000; PASS }
                    """
            ) { url in
                try await body(try folder.write(profile(url, breaks: breaks), to: "limited.yaml"), folder)
            }
        }
    }
}
