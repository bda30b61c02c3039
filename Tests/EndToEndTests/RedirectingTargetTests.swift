import Foundation
import Results
import TestSupport
import Testing

/// Sessions that begin with redirects and cookies, as mediamtx and Broadpeak make them.
///
/// Over sockets, because the server shares no line with podswarm.
@Suite(.fewWaiting) struct RedirectingTargetTests {
    /// `hosts` are sent requests and headers besides.
    private static func profile(_ port: Substring, hosts: String, cookies: Bool) -> String {
        """
        name: redirected
        duration: 9s
        target:
          urlTemplates:
            session: {url: "http://127.0.0.1:\(port)/session", body: "{}", streamID: /id}
            content: "http://127.0.0.1:\(port)/live/{stream_id}/index.m3u8"
            authorisedHosts: [\(hosts)]
        audience: {viewers: 12, ramp: 1s}
        playback: {segments: none}
        breaks: none
        connection: {cookies: \(cookies), headerHosts: [\(hosts)], \(StarvedMachine.timeouts)}
        thresholds: ["viewers.joined > 0"]
        \(StarvedMachine.budgets)

        """
    }

    /// A run before the server, and the lines that the server printed.
    private static func rehearse(
        allowed: Bool = true,
        cookies: Bool = true,
        server more: [String] = [],
        _ settings: [String] = []
    ) async throws -> (Rehearsal.Outcome, told: [Substring]) {
        try await ForeignScript.serving("redirecting", ["--kind", "elsewhere"] + more) { port, server in
            try await server.wait(for: "both ports") { $0.output.count { $0 == "\n" } > 1 }
            let second = try #require(server.output.split(separator: "\n").dropFirst().first)
            let hosts = allowed ? "\"127.0.0.1:\(second)\"" : ""
            let outcome = try await Rehearsal(profile(port, hosts: hosts, cookies: cookies)).run(settings)
            let told = server.output.split(separator: "\n").dropFirst(2)
            return (outcome, told.map { $0.replacing(second, with: "SECOND") })
        }
    }

    @Test func aSessionIsMadeWhereARedirectLeads() async throws {
        let (outcome, told) = try await Self.rehearse(allowed: true, cookies: true)
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        for line in ["POST /session 307", "POST /sessions 201"] {
            #expect(told.count { $0 == line } == 12, "\(line): \(told)")
        }
        #expect(!told.contains { $0.hasPrefix("GET /at") && $0.hasSuffix("403") }, "\(told)")
        #expect(outcome.document.viewers["started_watching"] == 12 && outcome.document.leftOut == nil)
        for code in ["registration_failed", "access_refused", "redirect_to_other_host"] {
            #expect(outcome.finding(code) == nil)
        }
    }

    /// Each viewer asks once, and is told what would allow the redirect.
    @Test func aSessionIsNotMadeWhereNobodyAuthorisedIt() async throws {
        let (outcome, told) = try await Self.rehearse(allowed: false, cookies: true)
        #expect(outcome.end.status == 1)
        #expect(told.filter { $0.hasPrefix("POST") }.allSatisfy { $0 == "POST /session 307" })
        #expect(told.count { $0.hasPrefix("POST") } == 12)
        let finding = try #require(outcome.finding("registration_failed"))
        let observed = try #require(finding.occurrences.first?.first?.observed)
        #expect(finding.viewers == 12 && observed.hasPrefix("status 307 to 127.0.0.1:"), "\(observed)")
        #expect(observed.hasSuffix(" to target.urlTemplates.authorisedHosts and connection.headerHosts"), "\(observed)")
        let host = try #require(outcome.document.leftOut?.hosts.first)
        #expect((host.kind, host.requests, host.redirectStatus) == ("registration", 12, 307))
    }

    /// The redirect leads from one foreign origin to another, after which no page is named.
    @Test(
        arguments: [
            (["--permits", "all"], nil), ([], "no Access-Control-Allow-Origin"),
            (["--permits", "https://player.example"], "Access-Control-Allow-Origin: https://player.example"),
        ] as [([String], String?)]
    )
    func aPageGetsWhatIsPermittedToItsOrigin(server: [String], refused: String?) async throws {
        let page = ["audience.personas=[hlsjs]", "connection.headers={Origin: \"https://player.example\"}"]
        let (outcome, told) = try await Self.rehearse(server: server, page.flatMap { ["--set", $0] })
        #expect(outcome.findings == (refused == nil ? [] : ["cors_refused"]), "\(outcome.end.output)")
        let sessions = told.count { $0 == "POST /sessions 201" }
        #expect(server.isEmpty ? sessions == 0 : refused == nil ? sessions == 12 : sessions >= 12)
        guard let refused else { return }
        let finding = try #require(outcome.finding("cors_refused"))
        #expect(finding.viewers == 12 && finding.occurrences.first?.first?.observed == refused)
        let outcomes = try #require(outcome.document.requests["registration"]?.outcomes)
        #expect(Array(outcomes.keys) == ["cors_refused"], "\(outcomes)")
    }

    @Test func aCookieThatIsNotSentBackIsNamed() async throws {
        let (outcome, _) = try await Self.rehearse(allowed: true, cookies: false)
        #expect(outcome.end.status == 1)
        let observed = try #require(outcome.finding("access_refused")?.occurrences.first?.first?.observed)
        let reason = "cookie edge was set before and not sent back: connection.cookies is false"
        #expect(observed == "status 403; \(reason)")
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
                "duration=9s", "audience.ramp=1s", "allowFindings={\"*\": any}",
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
