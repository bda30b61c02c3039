import Foundation
import TestSupport
import Testing

/// A live stream that was not written here breaks no rule, as far as `podswarm lint` can tell; one of fragmented MP4 breaks none in the
/// runs of `InitTests`.
///
/// `PODSWARM_FOREIGN_SECONDS=120` follows it for two minutes instead of twelve seconds.
///
/// Over sockets, because the server shares no line with podswarm.
@Suite(.fewWaiting) struct ForeignConformanceTests {
    private static var seconds: Int {
        ProcessInfo.processInfo.environment["PODSWARM_FOREIGN_SECONDS"].flatMap(Int.init) ?? 12
    }

    private static let shape = ForeignStream.Shape(container: .mpegTS, hasDiscontinuities: true)

    @Test func aStreamOfFfmpegBreaksNoRule() async throws {
        let seconds = Self.seconds
        // ffmpeg may wait for a core; it never writes EXT-X-DISCONTINUITY-SEQUENCE.
        let allowed = StarvedMachine.findings.union(["discontinuity_sequence_missing"]).flatMap { ["--allow", $0] }
        let end = try await ForeignStream.serving(Self.shape) { stream in
            try await PodswarmExecutable.run(
                ["lint", stream.url, "--follow", "\(seconds)s", "--severity", "suspect", "--format", "json"] + allowed,
                limit: Patience.limit + .seconds(seconds)
            )
        }
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
        let playlists = try #require(document["playlists"] as? [[String: Any]])
        let media = playlists.filter { $0["kind"] as? String == "media" }
        #expect(media.count == Self.shape.variants)
        // It has been followed, and not looked at once: a version for each segment, some of them missed.
        for playlist in media {
            let versions = try #require(playlist["versions"] as? Int)
            #expect(versions >= seconds / ForeignStream.Shape.segmentSeconds / 2, "\(end.output)")
        }
    }
}
