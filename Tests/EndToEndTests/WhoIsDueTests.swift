import Foundation
import Results
import TestSupport
import Testing

/// Viewers that a server keeps out are due at the breaks that they would have watched.
///
/// Over sockets, because the server shares no line with podswarm; all runs of a test go side by side.
@Suite(.fewWaiting) struct WhoIsDueTests {
    private enum Breaks: String {
        case ofChannel = "{interstitials: true, grace: 1s}"
        case computed = "{source: {list: [14s, 22s]}, podDuration: 4s, grace: 1s}"
        case ofSplices = "{source: dateRange, podDuration: 4s, grace: 1s}"
        case ofClass = "{source: {dateRange: {class: org.example.break}}, podDuration: 4s, grace: 1s}"
        case stitched = "{stitched: true, grace: 1s}"
    }

    /// A server and its viewers, and how many of them lose each break and why.
    private struct Scene {
        var server: String
        var breaks: Breaks
        var viewers, lost: Int
        var cause: String
        var people = ""
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
            audience: {viewers: \(scene.viewers), ramp: 1s\(scene.people)}
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
            // On a busy machine others fail too, and a player may give up only after the break.
            let isCalm = outcome.document.isCalm
            if isCalm || scene.people.isEmpty { #expect(one.failed[scene.cause] == UInt64(scene.lost), told) }
            if isCalm, scene.people.isEmpty, scene.cause != "no_session" { #expect(one.failed.count == 1, told) }
        }
        guard let code = scene.code else { return }
        let finding = try #require(outcome.finding(code), told)
        #expect(finding.viewers == scene.lost, told)
        switch code {
        case "break_announced_late": #expect(finding.occurrences.count == breaks.count, told)
        default: #expect(finding.severity == "broken", told)
        }
        guard scene.server.hasPrefix("--refuse") else { return }
        #expect(finding.occurrences.first?.first?.observed == "status 429, Retry-After 30", told)
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

    private static func expectLosses(of scenes: [Scene]) async throws {
        try await withThrowingTaskGroup { group in
            for scene in scenes { group.addTask { try await expectLosses(scene) } }
            try await group.waitForAll()
        }
    }

    /// A session is needed for the channel itself, so that viewers without one know of no break; those of whom an outage robbed the
    /// channel went away.
    @Test func viewersWithoutASessionOrAChannelAreDueAtEachBreak() async throws {
        let outage = "--outage 6 60 10"
        let leaving = ", abandonment: {afterStall: 3s, afterStop: 1s, reopen: {share: 0%, after: 10s}}"
        try await Self.expectLosses(of: [
            Scene(server: "--refuse 15", breaks: .ofChannel, viewers: 40, lost: 15, cause: "no_session"),
            Scene(server: "", breaks: .computed, viewers: 50, lost: 20, cause: "no_session", proxied: 30),
            Scene(server: "--hold 4", breaks: .computed, viewers: 10, lost: 4, cause: "no_session"),
            Scene(server: outage, breaks: .ofChannel, viewers: 20, lost: 2, cause: "player_gave_up", people: leaving),
        ])
    }

    /// What other viewers were told of is due for all who watch.
    @Test func aBreakThatHalfTheSessionsAreNotGivenIsLostByThem() async throws {
        let strips: [(String, String, Breaks, String)] = [
            ("marks", "interstitial", .ofChannel, "not_listed"), ("marks", "scte35", .ofSplices, "not_listed"),
            ("marks", "cue", .stitched, "not_listed"), ("century", "class", .ofClass, "not_listed"),
            ("segments", "interstitial", .ofChannel, "not_listed"), ("end", "interstitial", .ofChannel, "no_playlist"),
        ]
        try await Self.expectLosses(
            of: strips.map { strip, mark, breaks, cause in
                Scene(server: "--strip \(strip) --mark \(mark)", breaks: breaks, viewers: 20, lost: 10, cause: cause)
            }
        )
    }

    /// A cue that comes nine seconds late is first listed when the break is over at every playhead.
    @Test func aBreakThatIsListedAfterItsStartIsLostByAllThatWatch() async throws {
        let marks: [(String, String, Breaks)] = [
            ("interstitial", "6", .ofChannel), ("scte35", "6", .ofSplices), ("class", "6", .ofClass),
            ("cue", "6", .stitched), ("cue", "9", .stitched),
        ]
        try await Self.expectLosses(
            of: marks.map { mark, late, breaks in
                let server = "--late \(late) --mark \(mark)"
                return Scene(server: server, breaks: breaks, viewers: 60, lost: 60, cause: "announced_too_late")
            }
        )
    }
}
