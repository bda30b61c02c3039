import Foundation
import TestSupport
import Testing

/// What `podswarm lint` says of playlists of a server that shares no line with podswarm: nothing where the draft allows
/// it, exactly the finding where it does not.
@Suite(.fewAtOnce) struct LintedVersionTests {
    struct Scenario: CustomTestStringConvertible, Sendable {
        let path: String
        var seconds: Int?
        var codes: [String] = []
        var testDescription: String { path }
    }

    private static let scenarios = [
        Scenario(path: "ends/a.m3u8", seconds: 6, codes: ["endlist_on_live"]),
        Scenario(path: "spelt/a.m3u8", seconds: 6),
        Scenario(path: "plain/a.m3u8", seconds: 5),
        Scenario(path: "key/a.m3u8", seconds: 6, codes: ["segment_attributes_changed"]),
        Scenario(path: "slow/a.m3u8", seconds: 24, codes: ["playlist_stale"]),
        Scenario(path: "skip/a.m3u8", seconds: 6, codes: ["delta_mismatch"]),
        Scenario(path: "back/a.m3u8", codes: ["program_date_inconsistent"]),
        Scenario(path: "held/a.m3u8", seconds: 5),
        Scenario(path: "unheld/a.m3u8", seconds: 5, codes: ["blocking_reload_ignored"]),
        Scenario(path: "recorded/main.m3u8"),
        Scenario(path: "subtitled/main.m3u8"),
        Scenario(path: "shorter/main.m3u8", codes: ["rendition_edge_lags"]),
        Scenario(path: "dated/main.m3u8", codes: ["rendition_program_date_differs"]),
        Scenario(path: "nested/main.m3u8", codes: ["tag_misplaced"]),
        Scenario(path: "frames/main.m3u8"),
        Scenario(path: "noframes/main.m3u8", codes: ["tag_missing"]),
    ]

    /// What a machine that stands still does not see, it sees when it looks again.
    @Test(arguments: scenarios) func exactlyWhatTheDraftForbidsIsFound(_ scenario: Scenario) async throws {
        let follow = scenario.seconds.map { ["--follow", "\($0)s"] } ?? []
        let seen = try await Patience.agreeing {
            try await Self.serving { port in
                let end = try await Self.lint("http://127.0.0.1:\(port)/\(scenario.path)", follow)
                let found = try Self.findings(end.output).filter { $0.severity != "advice" }.map(\.code)
                return (codes: Set(found), output: end.output)
            }
        } on: {
            // What is read once is the same every time.
            scenario.seconds == nil || $0.codes == Set(scenario.codes)
        }
        #expect(seen.codes == Set(scenario.codes), "\(seen.output)")
    }

    /// A channel may end: no failure of its own.
    @Test func aChannelThatEndsDoesNotFail() async throws {
        try await Self.serving { port in
            let end = try await Self.lint("http://127.0.0.1:\(port)/ends/a.m3u8", ["--follow", "6s"])
            #expect(end.status == 0, "\(end.output)")
        }
    }

    @Test func aHostThatWasNotNamedIsNotedAndNotAsked() async throws {
        try await Self.serving { port in
            let url = "http://127.0.0.1:\(port)/elsewhere/main.m3u8"
            let end = try await Self.lint(url, [])
            #expect(end.status == 0, "\(end.output)")
            #expect(try Self.findings(end.output).filter { $0.severity != "advice" }.isEmpty, "\(end.output)")
            #expect(end.output.contains("--host"), "\(end.output)")
        }
    }

    /// What did not change is asked for by its entity tag.
    @Test func anUnchangedPlaylistIsNotSentAgain() async throws {
        try await Self.serving { port in
            let end = try await Self.lint("http://127.0.0.1:\(port)/plain/a.m3u8", ["--follow", "12s"])
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any]
            )
            let playlist = try #require((document["playlists"] as? [[String: Any]])?.first)
            let (reads, versions) = (playlist["reads"] as? Int ?? 0, playlist["versions"] as? Int ?? 0)
            #expect(versions > 2 && reads >= versions, "\(end.output)")
        }
    }

    private static func serving<Result: Sendable>(
        _ body: @Sendable (Substring) async throws -> Result
    ) async throws -> Result {
        let script = PackageFolder.file("Tests/ForeignServers/versions.py").path
        let process = try ChildProcess(try ExternalTool.python.path(), [script])
        return try await process.stopped {
            try await process.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            return try await body(process.output.prefix { $0.isNumber })
        }
    }

    private static func lint(_ url: String, _ more: [String]) async throws -> ChildProcess.End {
        try await PodswarmExecutable.run(["lint", url, "--format", "json"] + more, limit: .seconds(90))
    }

    private static func findings(_ output: String) throws -> [(code: String, severity: String)] {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        return try #require(document["findings"] as? [[String: Any]]).map { finding in
            (finding["code"] as? String ?? "", finding["severity"] as? String ?? "")
        }
    }
}
