import Foundation
import TestSupport
import Testing

/// Findings of `podswarm lint` in channels of packagers that people use: in what they write nothing above advice but for what one of
/// them gets wrong, and in the same with one fault each exactly that.
///
/// Over sockets, because packagers write in real time; all looks at one of them go side by side.
@Suite(.fewWaiting, .serialized) struct PackagerTests {
    /// A path of `packagers.py`, and what is found there.
    struct Scene: Sendable {
        let name: String
        /// Codes above advice.
        var codes: Set<String> = []
        /// A code of advice, where the fault is no more than that.
        var advice: String?
    }

    struct Packager: Sendable, CustomTestStringConvertible {
        let name: String
        var scenes = PackagerTests.scenes()
        var seconds = 16
        /// A path whose breaks `podswarm init` is to find.
        var drafted: String?
        var testDescription: String { name }
    }

    static let packagers =
        [
            Packager(name: "ffmpeg", drafted: "cued"), Packager(name: "ffmpeg-dash", drafted: "cued"),
            Packager(name: "gstreamer", drafted: "cued"), Packager(name: "shaka", drafted: "cued"),
            // Shaka Packager counts its EXT-X-PROGRAM-DATE-TIME as a segment once that leaves the window.
            Packager(
                name: "shaka-dated",
                scenes: [Scene(name: "plain", codes: ["segment_changed", "segment_duration_changed"])]
            ),
            // nginx-rtmp begins with a discontinuity, and counts none.
            Packager(name: "nginx-rtmp", scenes: scenes(plain: ["discontinuity_sequence_missing"]), drafted: "cued"),
            // x9k3 begins each turn with media sequence number 0, and a segment may be of two.
            Packager(
                name: "x9k3-loop",
                scenes: [
                    Scene(
                        name: "plain",
                        codes: ["discontinuity_sequence_wrong", "media_sequence_backwards", "target_duration_exceeded"]
                    )
                ],
                seconds: 24
            ),
        ]
        + ["x_cue", "x_scte35", "x_daterange", "x_splicepoint"].map {
            Packager(name: "x9k3-\($0)", scenes: scenes(ofForm: $0), drafted: "plain")
        }

    private static func scenes(plain: Set<String> = []) -> [Scene] {
        [
            Scene(name: "plain", codes: plain), Scene(name: "cued"),
            Scene(name: "uncounted", codes: ["discontinuity_sequence_missing"]),
            Scene(name: "alone", codes: ["rendition_cue_differs"]), Scene(name: "unreadable", advice: "cue_unclear"),
            Scene(name: "shifted", codes: ["rendition_program_date_differs"]),
            Scene(name: "changed", codes: ["date_range_changed"]),
            Scene(name: "replaced", codes: ["segment_changed"]),
            Scene(name: "longer", codes: ["target_duration_exceeded"]),
            Scene(name: "spaced", codes: ["tag_malformed", "channel_unavailable"]),
            // Without X-ASSET-LIST an interstitial has no ad.
            Scene(name: "misspelt", codes: ["interstitial_invalid"], advice: "date_range_ineffective"),
            Scene(name: "skipping", codes: ["server_control_invalid"]),
        ]
    }

    /// x9k3 raises EXT-X-DISCONTINUITY-SEQUENCE while the discontinuity is still listed.
    private static func scenes(ofForm form: String) -> [Scene] {
        let own: Set = ["discontinuity_sequence_wrong"]
        let spoiled =
            form == "x_daterange"
            ? Scene(name: "spoiled", codes: own.union(["splice_invalid"]))
            : Scene(name: form == "x_cue" ? "unreadable" : "spoiled", codes: own, advice: "cue_unclear")
        return [
            Scene(name: "plain", codes: own), spoiled,
            Scene(name: "spaced", codes: ["tag_malformed", "channel_unavailable"]),
            Scene(name: "replaced", codes: own.union(["segment_changed"])),
        ]
    }

    @Test(arguments: packagers) func exactlyTheFaultIsFound(_ packager: Packager) async throws {
        try await ForeignScript.serving("packagers", [packager.name]) { port, _ in
            let server = "http://127.0.0.1:\(port)/"
            try await withThrowingTaskGroup { group in
                for scene in packager.scenes {
                    group.addTask { try await Self.expect(scene, of: packager, at: server) }
                }
                if let path = packager.drafted {
                    group.addTask { try await Self.expectBreaks(inDraftOf: "\(server)\(path)/main.m3u8") }
                }
                try await group.waitForAll()
            }
        }
    }

    /// What a starved machine brings about by itself counts only where the scene brings it about always.
    private static func expect(_ scene: Scene, of packager: Packager, at server: String) async throws {
        let follow = ["--follow", "\(packager.seconds)s"]
        let command = ["lint", "\(server)\(scene.name)/main.m3u8", "--format", "json"] + follow
        let end = try await PodswarmExecutable.run(command)
        let told = Comment(rawValue: "\(packager.name), \(scene.name): \(end.output)\(end.errors)")
        let document = try JSONSerialization.jsonObject(with: Data(end.output.utf8))
        let findings = try #require(JSONExpectation.value(at: "findings", in: document) as? [[String: Any]], told)
        func codes(ofAdvice isAdvice: Bool) -> Set<String> {
            let ofKind = findings.filter { ($0["severity"] as? String == "advice") == isAdvice }
            return Set(ofKind.compactMap { $0["code"] as? String })
        }
        let heavy = codes(ofAdvice: false)
        #expect(heavy.subtracting(StarvedMachine.findings.subtracting(scene.codes)) == scene.codes, told)
        if let advice = scene.advice { #expect(codes(ofAdvice: true).contains(advice), told) }
    }

    /// A draft that podswarm takes, with breaks that it says it found.
    private static func expectBreaks(inDraftOf url: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("draft.yaml").path
        let drafting = ["init", url, "--watch", "16s", "--output", file]
        let draft = try await PodswarmExecutable.run(drafting)
        #expect(draft.status == 0, "\(draft.output)\(draft.errors)")
        #expect(draft.output.contains(/one every 1[12]/), "\(draft.output)")
        let taken = try await PodswarmExecutable.run(["profile", "validate", file])
        #expect(taken.status == 0, "\(taken.output)\(taken.errors)")
    }
}
