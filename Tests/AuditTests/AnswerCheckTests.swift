import Audience
import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing
import Viewer

@testable import Audit

/// Checks of how an answer came, each with no crowd, no socket and no waiting.
@Suite struct AnswerCheckTests {
    @Test(arguments: [(0, []), (2, []), (3, ["redirect_chain"])] as [(Int, [String])])
    func aChainIsMoreThanTwoRedirects(redirects: Int, codes: [String]) throws {
        let bench = try AuditBench()
        bench.answer(.segment, redirects: redirects)
        #expect(bench.codes == codes)
    }

    /// A choice of CDN is made by the first answers; what is asked for in a session comes from where it was asked for.
    @Test func onlyMediaAndTheFirstAnswersMayComeFromAnotherHost() throws {
        let bench = try AuditBench()
        let session = #"{"stream_id": "00000000-0000-4000-8000-000000000000:TUL"}"#
        bench.answer(.registration, session, redirects: 1, leftHost: true)
        let headers = AuditBench.playlistHeaders
        bench.answer(.multivariant, AuditBench.playlist(1), headers: headers, redirects: 1, leftHost: true)
        bench.answer(.segment, redirects: 1, leftHost: true)
        #expect(bench.codes == [])
        bench.answer(.metadata, redirects: 1, leftHost: true)
        #expect(bench.codes == ["redirect_to_other_host"])
    }

    @Test func aFirstAnswerOverManyHostsIsAChain() throws {
        let bench = try AuditBench()
        let headers = AuditBench.playlistHeaders
        bench.answer(.multivariant, AuditBench.playlist(1), headers: headers, redirects: 3, leftHost: true)
        #expect(bench.codes == ["redirect_chain"])
    }

    @Test func aHostThatIsNotAuthorisedIsAFailureAndNoFindingOfTheTarget() throws {
        let bench = try AuditBench()
        bench.answer(.multivariant, failure: AnswerFailure(.unauthorisedHost), redirects: 1)
        #expect(bench.codes == [])
    }

    @Test(arguments: [(401, ["access_refused"]), (403, ["access_refused"]), (500, [])] as [(Int, [String])])
    func whoIsRefusedItsMetadataIsRefusedAccess(status: Int, codes: [String]) throws {
        let bench = try AuditBench()
        bench.answer(.metadata, status: status)
        #expect(bench.codes == codes)
    }

    @Test func aPingThatSomebodyElseSentIsNotLost() throws {
        let bench = try AuditBench()
        bench.answer(.verification, status: 409)
        bench.answer(.beacon, status: 409)
        #expect(bench.codes == [])
        let totals = RunTotals(merging: [bench.recorder.finish()])
        #expect(totals.count(of: .pingsSentByOthers) == 1 && totals.count(of: .pingsFailed) == 0)
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
    /// Once as what the channel's address answered, and once as a playlist that is polled.
    @Test func aPolledPlaylistIsParsedOnceAndFoundForEachViewerThatGetsIt() throws {
        let bench = try AuditBench()
        bench.answer(.multivariant, AuditBench.playlist(1), headers: AuditBench.playlistHeaders)
        for _ in 0..<3 { bench.answer(.playlist, AuditBench.playlist(1), headers: AuditBench.playlistHeaders) }
        #expect((bench.auditor.library.parsed, bench.auditor.library.recognised) == (2, 2))
        #expect(bench.codes == [])
    }

    @Test func anEqualBodyNeedsNoExamination() throws {
        let bench = try AuditBench()
        bench.answer(.multivariant, AuditBench.playlist(1), headers: AuditBench.playlistHeaders)
        bench.answer(.playlist, AuditBench.playlist(1), headers: AuditBench.playlistHeaders)
        let latest = try #require(bench.machine.facts.version(before: .video))
        func isRepeated(_ text: String, unchanged: Int64) -> Bool {
            Array(text.utf8).withUnsafeBytes {
                bench.auditor.repeated($0, after: latest, unchanged: unchanged, bench.record)
            }
        }
        #expect(isRepeated(AuditBench.playlist(1), unchanged: 0))
        #expect(!isRepeated(AuditBench.playlist(2), unchanged: 0))
        #expect(!isRepeated(AuditBench.playlist(1), unchanged: latest.standstillNanoseconds))
    }

    @Test func aPlaylistThatStandsStillIsFoundOnce() throws {
        let bench = try AuditBench()
        bench.answer(.multivariant, AuditBench.playlist(1), headers: AuditBench.playlistHeaders)
        for second in Int64(1)..<20 {
            bench.answer(.playlist, AuditBench.playlist(1), headers: AuditBench.playlistHeaders, at: second)
        }
        let findings = RunTotals(merging: [bench.recorder.finish()]).findings
        #expect(findings.map(\.code.code) == ["playlist_stale"] && findings.first?.count == 1)
    }

    /// A server may take three of these seconds, and a cache that asked just before holds what it has for one more.
    @Test(arguments: [("", []), ("playback: {staleAfter: 1.5}", ["playlist_stale"])] as [(String, [String])])
    func anHonestServerBehindACacheIsNotStale(settings: String, codes: [String]) throws {
        let bench = try AuditBench(settings)
        bench.answer(.multivariant, AuditBench.playlist(1), headers: AuditBench.playlistHeaders)
        for second in Int64(1)..<4 {
            bench.answer(.playlist, AuditBench.playlist(1), headers: AuditBench.playlistHeaders, at: second)
        }
        bench.answer(.playlist, AuditBench.playlist(2), headers: AuditBench.playlistHeaders, at: 4)
        #expect(bench.codes == codes)
    }

    @Test func aPlanWithoutASettingTakesTheUsualLimit() throws {
        let library = PlaylistLibrary(announcements: nil)
        let place = library.use("http://a/m")
        let shared = try Array(AuditBench.playlist(1).utf8).withUnsafeBytes { try library.media($0, at: place) }
        #expect(try AuditBench().auditor.context.plan.playback.staleAfterTargets == shared.staleAfterTargets)
    }

    @Test func aWrongTypeIsFoundInTheHead() throws {
        let bench = try AuditBench()
        let headers = ["content-type": "text/html", "content-encoding": "gzip"]
        bench.answer(.multivariant, AuditBench.playlist(1), headers: headers)
        #expect(bench.codes == ["content_type_wrong"])
    }
}

/// Checks of what a break's requests are answered with.
@Suite struct BreakCheckTests {
    private static func pod(_ folder: String) -> String {
        """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:5
        #EXTINF:5,
        /\(folder)/0.ts
        #EXTINF:5,
        /\(folder)/1.ts
        #EXT-X-ENDLIST

        """
    }

    @Test(arguments: [("ads", []), ("others", ["pod_mismatch"])] as [(String, [String])])
    func viewersOfOneBreakAreGivenOnePod(folder: String, codes: [String]) throws {
        let bench = try AuditBench(viewers: 2)
        for (place, folder) in ["ads", folder].enumerated() {
            let serial = try bench.askForPod(of: place)
            bench.answer(
                .podManifest,
                Self.pod(folder),
                of: place,
                breakSerial: serial,
                headers: AuditBench.playlistHeaders
            )
        }
        #expect(bench.codes == codes)
    }
}
