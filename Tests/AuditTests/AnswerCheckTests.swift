import Audience
import Recording
import Rulebook
import RunResult
import Testing
import Viewer

@testable import Audit

/// Checks of how an answer came, each with no shard, no socket and no waiting.
@Suite struct AnswerCheckTests {
    @Test(arguments: [(0, []), (2, []), (3, ["redirect_chain"])] as [(Int, [String])])
    func aChainIsMoreThanTwoRedirects(redirects: Int, codes: [String]) throws {
        let bench = try AuditBench()
        bench.answer(.segment, redirects: redirects)
        #expect(bench.codes == codes)
    }

    @Test func onlyMediaMayComeFromAnotherHost() throws {
        let bench = try AuditBench()
        bench.answer(.segment, redirects: 1, leftHost: true)
        #expect(bench.codes == [])
        bench.answer(.metadata, redirects: 1, leftHost: true)
        #expect(bench.codes == ["redirect_to_other_host"])
    }

    @Test(arguments: [(401, ["access_refused"]), (403, ["access_refused"]), (500, [])] as [(Int, [String])])
    func whoIsRefusedItsMetadataIsRefusedAccess(status: Int, codes: [String]) throws {
        let bench = try AuditBench()
        bench.answer(.metadata, status: status)
        #expect(bench.codes == codes)
    }

    @Test func whatThisMachineIsToBlameForIsNoLostPing() throws {
        let bench = try AuditBench()
        bench.answer(.beacon, status: 0, failure: AnswerFailure(.firstByteTimeout, isOwnDelay: true))
        bench.answer(.beacon, status: 0, failure: AnswerFailure(.localResources))
        #expect(bench.codes == [])
        bench.answer(.beacon, status: 0, failure: AnswerFailure(.firstByteTimeout))
        #expect(bench.codes == ["ping_lost"])
    }
}

/// Checks of what the channel's playlists say.
@Suite struct ChannelReadingTests {
    private static let headers = ["content-type": "application/vnd.apple.mpegurl", "content-encoding": "gzip"]

    private static func media(_ sequence: Int) -> String {
        """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:2
        #EXT-X-MEDIA-SEQUENCE:\(sequence)
        #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:\(10 + 2 * sequence)Z
        #EXTINF:2,
        \(sequence).ts
        #EXTINF:2,
        \(sequence + 1).ts
        #EXTINF:2,
        \(sequence + 2).ts

        """
    }

    /// Once as what the channel's address answered, and once as a playlist that is polled.
    @Test func aPolledPlaylistIsParsedOnceAndFoundForEachViewerThatGetsIt() throws {
        let bench = try AuditBench()
        bench.answer(.multivariant, Self.media(1), headers: Self.headers)
        for _ in 0..<3 { bench.answer(.playlist, Self.media(1), headers: Self.headers) }
        #expect((bench.auditor.library.parsed, bench.auditor.library.recognised) == (2, 2))
        #expect(bench.codes == [])
    }

    @Test func anEqualBodyNeedsNoExamination() throws {
        let bench = try AuditBench()
        bench.answer(.multivariant, Self.media(1), headers: Self.headers)
        bench.answer(.playlist, Self.media(1), headers: Self.headers)
        let latest = try #require(bench.machine.facts.version(before: .video))
        func isRepeated(_ text: String, unchanged: Int64) -> Bool {
            Array(text.utf8).withUnsafeBytes {
                bench.auditor.repeated($0, after: latest, unchanged: unchanged, bench.record)
            }
        }
        #expect(isRepeated(Self.media(1), unchanged: 0))
        #expect(!isRepeated(Self.media(2), unchanged: 0))
        #expect(!isRepeated(Self.media(1), unchanged: latest.standstillNanoseconds))
    }

    @Test func aPlaylistThatStandsStillIsFoundOnce() throws {
        let bench = try AuditBench()
        bench.answer(.multivariant, Self.media(1), headers: Self.headers)
        for second in Int64(1)..<20 { bench.answer(.playlist, Self.media(1), headers: Self.headers, at: second) }
        let findings = RunTotals(merging: [bench.recorder.finish()]).findings
        #expect(findings.map(\.code.code) == ["playlist_stale"] && findings.first?.count == 1)
    }

    @Test func aWrongTypeIsFoundInTheHead() throws {
        let bench = try AuditBench()
        let headers = ["content-type": "text/html", "content-encoding": "gzip"]
        bench.answer(.multivariant, Self.media(1), headers: headers)
        #expect(bench.codes == ["content_type_wrong"])
    }
}
