import Foundation
import Results
import TestSupport
import Testing

/// Sessions that begin with redirects and cookies, as mediamtx and Broadpeak make them.
///
/// Over sockets, because the server shares no line with podswarm.
@Suite(.fewWaiting) struct RedirectingTargetTests {
    /// The redirect leads from one foreign origin to another, after which no page is named.
    private static func profile(_ port: Substring, second: Substring) -> String {
        """
        name: redirected
        duration: 6s
        target:
          urlTemplates:
            session: {url: "http://127.0.0.1:\(port)/session", body: "{}", streamID: /id}
            content: "http://127.0.0.1:\(port)/live/{stream_id}/index.m3u8"
            authorisedHosts: ["127.0.0.1:\(second)"]
        audience: {viewers: 12, ramp: 1s, personas: [hlsjs]}
        playback: {segments: none}
        breaks: none
        connection:
          cookies: true
          headers: {Origin: "https://player.example"}
          headerHosts: ["127.0.0.1:\(second)"]
          \(StarvedMachine.timeouts)
        thresholds: ["viewers.joined > 0"]
        \(StarvedMachine.budgets)

        """
    }

    /// Cases of the swarm, such as `sessions/registration-redirected.txt`, have redirects and cookies that are refused.
    @Test func aPagesSessionIsMadeWhereARedirectLeads() async throws {
        let arguments = ["--kind", "elsewhere", "--permits", "all"]
        try await ForeignScript.serving("redirecting", arguments) { port, server in
            try await server.wait(for: "both ports") { $0.output.count { $0 == "\n" } > 1 }
            let second = try #require(server.output.split(separator: "\n").dropFirst().first)
            let outcome = try await Rehearsal(Self.profile(port, second: second)).run()
            let told = server.output.split(separator: "\n").dropFirst(2)
            #expect(outcome.end.status == 0 && outcome.findings == [], "\(outcome.end.output)\(outcome.end.errors)")
            let lines = ["OPTIONS /session 204", "POST /session 307", "OPTIONS /sessions 204", "POST /sessions 201"]
            for line in lines {
                #expect(told.count { $0 == line } == 12, "\(line): \(told)")
            }
            #expect(!told.contains { $0.hasPrefix("GET /at") && $0.hasSuffix("403") }, "\(told)")
            #expect(outcome.document.viewers["started_watching"] == 12 && outcome.document.leftOut == nil)
        }
    }

    @Test func aChannelThatNeedsCookiesIsDraftedWithThem() async throws {
        try await ForeignScript.serving("redirecting", ["--kind", "cookies"]) { port, server in
            let folder = try TemporaryFolder()
            let file = folder.file("channel.yaml").path
            let url = "http://127.0.0.1:\(port)/live/index.m3u8"
            let end = try await PodswarmExecutable.run(["init", url, "--output", file])
            try #require(end.status == 0, "\(end.output)\(end.errors)")
            let yaml = try withExtendedLifetime(folder) { try String(contentsOfFile: file, encoding: .utf8) }
            #expect(yaml.contains("\n  cookies: true\n") && yaml.contains("cookieCheck, session"), "\(yaml)")
            let before = server.output.utf8.count
            let settings = [
                "duration=6s", "audience.ramp=1s", "allowFindings={\"*\": any}",
                StarvedMachine.budgets.replacing(": {", with: "={"),
            ]
            let outcome = try await Rehearsal(yaml).run(settings.flatMap { ["--set", $0] })
            #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
            #expect(outcome.document.requests["playlist"]?.errors == 0)
            let told = server.output.utf8.dropFirst(before).split(separator: UInt8(ascii: "\n")).map {
                String($0) ?? ""
            }
            #expect(!told.isEmpty && !told.contains { $0.hasSuffix("400") || $0.hasSuffix("401") }, "\(told)")
        }
    }
}
