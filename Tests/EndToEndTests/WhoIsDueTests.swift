import Foundation
import Results
import TestSupport
import Testing

/// Viewers that a proxy keeps from their sessions are due at each break; others that lose one are so in virtual time.
///
/// Over sockets, because haproxy shares no line with podswarm.
@Suite(.fewWaiting) struct WhoIsDueTests {
    private static let viewers = 50
    private static let connections = 30

    @Test func viewersThatAProxyHandsOnNoMoreAreDue() async throws {
        let outcome = try await RunningOrigin.serving(["--set", "breaks=none"]) { origin in
            try await Self.proxying(origin.url) { proxy in
                let channel = "\(origin.url)/live/main/multivariant.m3u8"
                return try await Rehearsal(
                    """
                    name: due
                    duration: 29s
                    \(FastProfile.podServingTarget(content: channel, adServer: proxy))
                    audience: {viewers: \(Self.viewers), ramp: 1s}
                    playback: {segments: none}
                    breaks: {source: {list: [14s, 22s]}, podDuration: 4s, grace: 1s}
                    \(StarvedMachine.budgets)

                    """
                ).run()
            }
        }
        let told = Comment(rawValue: outcome.end.output + outcome.end.errors)
        #expect(outcome.end.status == 1, told)
        let lost = Self.viewers - Self.connections
        #expect(outcome.document.breaks.each.count == 2, told)
        for one in outcome.document.breaks.each {
            #expect(one.due == Self.viewers && one.skipped["joined_late"] == nil, told)
            #expect(one.failed["no_session"] == UInt64(lost), told)
        }
        let finding = try #require(outcome.finding("registration_failed"), told)
        #expect(finding.viewers == lost && finding.severity == "broken", told)
    }

    private static func proxying<Outcome: Sendable>(
        _ server: String,
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
                server one \(server.trimmingPrefix("http://"))

            """
        let haproxy = try ChildProcess(
            try ExternalTool.haproxy.path(),
            ["-db", "-f", try folder.write(configuration, to: "haproxy.cfg")],
            inherited: [listener.descriptor]
        )
        return try await haproxy.stopped { try await body("http://127.0.0.1:\(listener.number)") }
    }
}
