import Foundation
import Results
import TestSupport
import Testing

/// Viewers that a server or a proxy keeps from a break are due at it; more of them, and those of outages, are so in virtual time.
///
/// Over sockets, because the servers share no line with podswarm; all runs go side by side.
@Suite(.fewWaiting) struct WhoIsDueTests {
    private enum Breaks: String {
        case ofChannel = "{interstitials: true, grace: 1s}"
        case computed = "{source: {list: [14s, 22s]}, podDuration: 4s, grace: 1s}"
        case stitched = "{stitched: true, grace: 1s}"
    }

    /// A server and its viewers, and how many of them lose each break and why.
    private struct Scene {
        var server: String
        var breaks: Breaks
        var viewers, lost: Int
        var cause: String
        /// How many connections a proxy before the server hands on.
        var proxied: Int?

        /// The code of what is found besides; nil where the server is free to do so.
        var code: String? {
            ["no_session": "registration_failed", "announced_too_late": "break_announced_late"][cause]
        }
    }

    private static func profile(_ scene: Scene, _ adServer: String, _ channel: String) -> String {
        let content = scene.breaks == .computed ? "master.m3u8" : "{stream_id}/master.m3u8"
        return """
            name: due
            duration: 29s
            target:
              urlTemplates:
                session: {url: "\(adServer)/session", body: "{}", streamID: /session/id}
                content: "\(channel)/\(content)"
                pod: "\(channel)/pod.m3u8?session={stream_id}&break={break}"
            audience: {viewers: \(scene.viewers), ramp: 1s}
            playback: {segments: none}
            breaks: \(scene.breaks.rawValue)
            generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
            allowFindings: {compression_missing: any, content_type_wrong: any}

            """
    }

    private static func expectLosses(_ scene: Scene) async throws {
        let arguments = scene.server.split(separator: " ").map(String.init)
        let outcome = try await ForeignScript.serving("who_is_due", arguments) { port, _ in
            let server = "http://127.0.0.1:\(port)"
            guard let connections = scene.proxied else {
                return try await Rehearsal(profile(scene, server, server)).run()
            }
            return try await proxying(port, connections: connections) { proxy in
                try await Rehearsal(profile(scene, proxy, server)).run()
            }
        }
        let told = Comment(rawValue: "\(scene.server): \(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.end.status == 1, told)
        let breaks = outcome.document.breaks.each.filter { $0.due > 0 }
        #expect(!breaks.isEmpty, told)
        for one in breaks {
            #expect(one.due == scene.viewers && one.skipped["joined_late"] == nil, told)
            #expect(one.failed[scene.cause] == UInt64(scene.lost), told)
            // On a busy machine others fail too.
            if outcome.isCalm, scene.cause != "no_session" { #expect(one.failed.count == 1, told) }
        }
        guard let code = scene.code else { return }
        let finding = try #require(outcome.finding(code), told)
        #expect(finding.viewers == scene.lost, told)
        switch code {
        case "break_announced_late": #expect(finding.occurrences.count == breaks.count, told)
        default: #expect(finding.severity == "broken", told)
        }
    }

    private static func proxying<Outcome: Sendable>(
        _ port: Substring,
        connections: Int,
        _ body: (String) async throws -> Outcome
    ) async throws -> Outcome {
        let (folder, listener) = (try TemporaryFolder(), try LoopbackPort())
        let configuration = """
            global
                maxconn \(connections)
            defaults
                mode http
                timeout connect 5s
                timeout client 60s
                timeout server 60s
            listen ads
                bind fd@3
                server one 127.0.0.1:\(port)

            """
        let haproxy = try ChildProcess(
            try ExternalTool.haproxy.path(),
            ["-db", "-f", try folder.write(configuration, to: "haproxy.cfg")],
            inherited: [listener.descriptor]
        )
        return try await haproxy.stopped { try await body("http://127.0.0.1:\(listener.number)") }
    }

    /// A break that some viewers were told of is due for all who watch.
    ///
    /// A proxy that hands on no more connections leaves viewers without a session. A cue that comes six seconds late is first listed when
    /// the break is over at every playhead.
    @Test func viewersThatAreKeptFromABreakAreDueAtIt() async throws {
        let scenes = [
            Scene(server: "", breaks: .computed, viewers: 50, lost: 20, cause: "no_session", proxied: 30),
            Scene(server: "--strip segments", breaks: .ofChannel, viewers: 20, lost: 10, cause: "not_listed"),
            Scene(server: "--strip marks --mark cue", breaks: .stitched, viewers: 20, lost: 10, cause: "not_listed"),
            Scene(server: "--late 6 --mark cue", breaks: .stitched, viewers: 60, lost: 60, cause: "announced_too_late"),
        ]
        try await withThrowingTaskGroup { group in
            for scene in scenes { group.addTask { try await Self.expectLosses(scene) } }
            try await group.waitForAll()
        }
    }
}
