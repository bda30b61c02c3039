import Foundation
import TestSupport
import Testing

/// Findings of `podswarm lint` in playlists of a server that shares no line with podswarm: none where the draft allows it, exactly the
/// one that it forbids where it does not.
///
/// Over sockets, because the server shares no line with podswarm; all looks go side by side.
@Suite(.fewWaiting) struct LintedVersionTests {
    private struct Scene {
        let path: String
        var seconds: Int?
        var codes: Set<String> = []
    }

    /// Others are `ThreeCommandsTests` of the swarm, in virtual time.
    private static let scenes = [
        Scene(path: "ends/a.m3u8", seconds: 15, codes: ["endlist_on_live"]),
        Scene(path: "spelt/a.m3u8", seconds: 6), Scene(path: "plain/a.m3u8", seconds: 12), Scene(path: "back/a.m3u8"),
        Scene(path: "held/a.m3u8", seconds: 5), Scene(path: "doubled/a.m3u8", seconds: 8),
        Scene(path: "event/a.m3u8", seconds: 15, codes: ["header_changed"]),
        Scene(path: "moved/main.m3u8", seconds: 15, codes: ["playlist_unavailable"]),
        Scene(path: "recorded/main.m3u8"), Scene(path: "subtitled/main.m3u8"),
        Scene(path: "shorter/main.m3u8", codes: ["rendition_edge_lags"]),
        Scene(path: "dated/main.m3u8", codes: ["rendition_program_date_differs"]),
        Scene(path: "frames/main.m3u8"), Scene(path: "noframes/main.m3u8", codes: ["tag_missing"]),
        Scene(path: "elsewhere/main.m3u8"),
    ]

    @Test func exactlyWhatTheDraftForbidsIsFound() async throws {
        try await ForeignScript.serving("versions") { port, _ in
            try await withThrowingTaskGroup { group in
                for scene in Self.scenes { group.addTask { try await Self.expectCodes(scene, port) } }
                try await group.waitForAll()
            }
        }
    }

    /// What a starved machine brings about by itself counts only where the server brings it about always.
    private static func expectCodes(_ scene: Scene, _ port: Substring) async throws {
        let follow = scene.seconds.map { ["--follow", "\($0)s"] } ?? []
        let command = ["lint", "http://127.0.0.1:\(port)/\(scene.path)", "--format", "json"] + follow
        let end = try await PodswarmExecutable.run(command, limit: .seconds(90))
        let told = Comment(rawValue: "\(scene.path): \(end.output)\(end.errors)")
        let document = try JSONSerialization.jsonObject(with: Data(end.output.utf8))
        let findings = try #require(JSONExpectation.value(at: "findings", in: document) as? [[String: Any]], told)
        let codes = Set(findings.filter { $0["severity"] as? String != "advice" }.compactMap { $0["code"] as? String })
        #expect(codes.subtracting(StarvedMachine.findings.subtracting(scene.codes)) == scene.codes, told)
        switch scene.path {
        // A channel may end: that is no failure of its own. A host that was not named is noted and not asked.
        case "ends/a.m3u8": #expect(end.status == 0, told)
        case "moved/main.m3u8": #expect(end.output.contains("The playlists were renamed"), told)
        case "elsewhere/main.m3u8": #expect(end.status == 0 && end.output.contains("--host"), told)
        // What did not change is asked for by its entity tag.
        case "plain/a.m3u8":
            let reads = JSONExpectation.value(at: "playlists.0.reads", in: document) as? Int ?? 0
            let versions = JSONExpectation.value(at: "playlists.0.versions", in: document) as? Int ?? 0
            #expect(versions > 2 && reads >= versions, told)
        default: break
        }
    }
}
