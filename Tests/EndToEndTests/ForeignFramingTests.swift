import Foundation
import RunResult
import TestSupport
import Testing

/// A server over bare sockets, of others: what it says of its own bodies that cannot be right is found over either carrier,
/// and what is lawful and rare is not.
@Suite(.fewAtOnce) struct ForeignFramingTests {
    private static let viewers = 10

    /// What the server does, and what is found then and nothing else.
    struct Way: Sendable, CustomTestStringConvertible {
        let fault: String
        let code: String?
        /// Why no media playlist is read, where none is.
        var failure: String?

        var testDescription: String { fault.isEmpty ? "lawful" : fault }
    }

    static let ways = [
        Way(fault: "", code: nil),
        Way(fault: "cut", code: "content_coding_invalid", failure: "truncated"),
        Way(fault: "no_trailer", code: "content_coding_invalid", failure: "truncated"),
        Way(fault: "checksum", code: "content_coding_invalid", failure: "protocol_error"),
        Way(fault: "lengths", code: "content_length_invalid"),
        Way(fault: "both", code: "content_length_with_transfer_coding"),
        Way(fault: "partial", code: "partial_content_unasked"),
    ]

    private static func serving<Outcome: Sendable>(_ fault: String, _ body: (Substring) async throws -> Outcome)
        async throws
        -> Outcome
    {
        let script = PackageFolder.file("Tests/ForeignServers/framing.py").path
        let process = try ChildProcess(try ExternalTool.python.path(), [script, "--fault", fault])
        return try await process.stopped {
            try await process.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            return try await body(process.output.prefix { $0.isNumber })
        }
    }

    private static func profile(port: Substring, transport: String) -> String {
        """
        name: framing
        duration: 6s
        target: {urlTemplates: {content: "http://127.0.0.1:\(port)/master.m3u8"}}
        audience: {viewers: \(viewers), ramp: 1s}
        playback: {segments: all}
        impressions: allowed
        breaks: {stitched: true}
        connection: {transport: \(transport)}
        thresholds: ["viewers.joined > 0"]
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}

        """
    }

    @Test(arguments: ways, ["auto", "curl"])
    func whatCannotBeRightIsFoundOfEveryViewerOverEitherCarrier(way: Way, transport: String) async throws {
        let outcome = try await Self.serving(way.fault) { port in
            try await Rehearsal(Self.profile(port: port, transport: transport)).run()
        }
        // A viewer that never gets a playlist it can read has no channel.
        let found = [way.code, way.failure.map { _ in "channel_unavailable" }].compactMap(\.self)
        #expect(outcome.findings.sorted() == found.sorted(), "\(outcome.end.output)\(outcome.end.errors)")
        if let code = way.code { #expect(outcome.finding(code)?.viewers == Self.viewers) }
        let playlists = try #require(outcome.document.requests["playlist"])
        if let failure = way.failure {
            #expect(playlists.errors == playlists.count)
            #expect(playlists.outcomes[failure] == playlists.count)
        } else {
            #expect(playlists.errors == 0)
            #expect((outcome.document.requests["segment"]?.count ?? 0) > 0)
        }
        #expect(playlists.carried?[transport == "curl" ? "curl" : "exchange"] == playlists.count)
    }

    @Test(arguments: ways)
    func lintSaysSoToo(way: Way) async throws {
        let end = try await Self.serving(way.fault) { port in
            try await PodswarmExecutable.run(["lint", "http://127.0.0.1:\(port)/master.m3u8", "--format", "json"])
        }
        let document = try #require(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
        let findings = try #require(document["findings"] as? [[String: Any]])
        let codes = Set(findings.filter { $0["severity"] as? String != "advice" }.compactMap { $0["code"] as? String })
        let unread: Set = way.failure == nil ? [] : ["playlist_unavailable"]
        #expect(codes == Set([way.code].compactMap(\.self)).union(unread), "\(end.output)\(end.errors)")
        #expect(end.status == (way.code == nil ? 0 : 1), "\(end.errors)")
    }
}
