import Foundation
import Results
import TestSupport
import Testing

/// A server over bare sockets, of others: what it says of its own bodies that cannot be right is found over either carrier,
/// and what is lawful and rare is not.
///
/// Over sockets, because the servers share no line with podswarm.
@Suite(.fewWaiting) struct ForeignFramingTests {
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

    /// Over libcurl; what the other carrier says of the like is told by `HostileServerTests`.
    @Test(arguments: ways) func whatCannotBeRightIsFoundOfEveryViewer(way: Way) async throws {
        let (outcome, linted) = try await ForeignScript.serving("framing", ["--fault", way.fault]) { port, _ in
            let url = "http://127.0.0.1:\(port)"
            let outcome = try await Rehearsal(ForeignScript.profile("framing", url: url)).run()
            let lint = ["lint", "\(url)/master.m3u8", "--format", "json"]
            return (outcome, try await PodswarmExecutable.run(lint))
        }
        try Self.expectFindings(of: way, linted)
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
        #expect(playlists.carried?["curl"] == playlists.count)
    }

    /// `podswarm lint` finds the same.
    private static func expectFindings(of way: Way, _ end: ChildProcess.End) throws {
        let document = try #require(try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
        let findings = try #require(document["findings"] as? [[String: Any]])
        let codes = Set(findings.filter { $0["severity"] as? String != "advice" }.compactMap { $0["code"] as? String })
        let unread: Set = way.failure == nil ? [] : ["channel_unavailable"]
        #expect(codes == Set([way.code].compactMap(\.self)).union(unread), "\(end.output)\(end.errors)")
        #expect(end.status == (way.code == nil ? 0 : 1), "\(end.errors)")
    }
}
