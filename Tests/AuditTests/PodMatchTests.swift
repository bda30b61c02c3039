import AdServing
import Audience
import HLS
import Recording
import RunResult
import Testing

@testable import Audit

/// Whose pods are held against whose, and what of them.
@Suite struct PodMatchTests {
    private static let audience = "traits: [{name: region, values: [north, south]}]"
    private static let cohorts = "pods: {match: cohort, cohort: [region]}"

    private static func pod(_ folder: String, query: String = "", host: String = "") -> String {
        """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:5
        #EXTINF:5,
        \(host)/\(folder)/0.ts\(query)
        #EXTINF:5,
        \(host)/\(folder)/1.ts\(query)
        #EXT-X-ENDLIST

        """
    }

    /// Gives each viewer of a bench a pod.
    private func give(_ bench: AuditBench, viewers: Int, _ pod: (Int) -> String) throws {
        for place in 0..<viewers {
            let serial = try bench.askForPod(of: place)
            bench.answer(.podManifest, pod(place), of: place, breakSerial: serial, headers: AuditBench.playlistHeaders)
        }
    }

    private func folder(_ group: Matching.Group?) -> String { group == .cohort("region=north") ? "n" : "s" }

    @Test func eachCohortHasAPodOfItsOwn() throws {
        let bench = try AuditBench(Self.cohorts, audience: Self.audience, viewers: 9)
        try give(bench, viewers: 9) { Self.pod(folder(bench.group(of: $0))) }
        #expect(Set((0..<9).map { bench.group(of: $0) }).count == 2)
        #expect(bench.codes == [])
    }

    @Test func oneOfACohortThatIsGivenAnothersPodIsFound() throws {
        let bench = try AuditBench(Self.cohorts, audience: Self.audience, viewers: 9)
        let last = bench.group(of: 8)
        try #require((0..<8).filter { bench.group(of: $0) == last }.count > 1)
        try give(bench, viewers: 9) { $0 == 8 ? Self.pod("other") : Self.pod(folder(bench.group(of: $0))) }
        let found = try #require(bench.findings.first)
        #expect(bench.codes == ["pod_mismatch"] && found.count == 1 && found.viewers.contains(11))
        let evidence = try #require(found.first?.evidence)
        #expect(evidence.expected.contains("viewers of region=\(folder(last) == "n" ? "north" : "south"), viewer "))
        #expect(evidence.observed.hasPrefix("ad 1 is another: "))
    }

    @Test func everyPersonaMayBeACohort() throws {
        let personas = "personas: [hlsjs, avplayer]"
        let bench = try AuditBench("pods: {match: cohort}", audience: personas, viewers: 9)
        #expect(Set((0..<9).map { bench.group(of: $0) }) == [.cohort("persona=hlsjs"), .cohort("persona=avplayer")])
    }

    private static func manifest(_ folder: String, rungs: Int) -> String {
        let variants = (1...rungs).map { rung in
            """
            #EXT-X-STREAM-INF:BANDWIDTH=\(rung)00000,AVERAGE-BANDWIDTH=\(rung)00000,FRAME-RATE=25,\
            RESOLUTION=\(320 * rung)x\(180 * rung),CODECS="avc1.64001f"
            /\(folder)/\(rung).m3u8

            """
        }
        return "#EXTM3U\n#EXT-X-VERSION:7\n" + variants.joined()
    }

    @Test(arguments: ["pods: {match: session}", "pods: {match: all}", Self.cohorts])
    func everybodyIsOfferedTheSameRenditions(match: String) throws {
        let bench = try AuditBench(match, audience: Self.audience, viewers: 9)
        try give(bench, viewers: 9) { place in
            let folder = match == "pods: {match: session}" ? "pod-of-\(place)" : folder(bench.group(of: place))
            return Self.manifest(folder, rungs: place == 8 ? 2 : 3)
        }
        let found = try #require(bench.findings.first)
        #expect(bench.codes == ["pod_ladder_differs"] && found.count == 1 && found.viewers.contains(11))
        let evidence = try #require(found.first?.evidence)
        #expect(
            evidence.expected.hasPrefix("as 8 of 9 viewers, viewer 3 first: 3 variants; 320x180 avc1.64001f 25 fps")
        )
        #expect(
            evidence.observed
                == "1 fewer at the end: 2 variants; 320x180 avc1.64001f 25 fps; 640x360 avc1.64001f 25 fps"
        )
    }

    /// As where manifests leave out what a class of devices cannot play.
    @Test(arguments: ["cohort", "session"])
    func aCohortMayBeOfferedRenditionsOfItsOwn(match: String) throws {
        let pods = "pods: {match: cohort, cohort: [region], matchLadder: \(match)}"
        let bench = try AuditBench(pods, audience: Self.audience, viewers: 9)
        try give(bench, viewers: 9) {
            let folder = folder(bench.group(of: $0))
            return Self.manifest(folder, rungs: folder == "n" ? 2 : 3)
        }
        #expect(bench.codes == [])
    }

    @Test func renditionsInAnotherOrderAtOtherRatesAreTheSameLadder() throws {
        let bench = try AuditBench("pods: {match: session}", viewers: 2)
        try give(bench, viewers: 2) { place in
            let text = Self.manifest("pod-of-\(place)", rungs: 2)
            guard place == 1 else { return text }
            let lines = text.split(separator: "\n").map(String.init)
            return (lines[0..<2] + lines[4...5] + lines[2...3]).joined(separator: "\n")
                .replacing("BANDWIDTH=100000", with: "BANDWIDTH=120000") + "\n"
        }
        #expect(bench.codes == [])
    }

    /// Gives each viewer a manifest that leads to a place of its own, and the rendition that it plays.
    private func lead(_ bench: AuditBench, viewers: Int, rungs: Int = 2, _ pod: (Int) -> String) throws {
        for place in 0..<viewers {
            let serial = try bench.askForPod(of: place)
            let headers = AuditBench.playlistHeaders
            let manifest = Self.manifest("answer-\(place)", rungs: rungs)
            bench.answer(.podManifest, manifest, of: place, breakSerial: serial, headers: headers)
            bench.answer(.podPlaylist, pod(place), of: place, breakSerial: serial, headers: headers)
        }
    }

    @Test func whereRenditionsLieIsNoDifference() throws {
        let bench = try AuditBench(viewers: 4)
        try lead(bench, viewers: 4) { _ in Self.pod("ads") }
        #expect(bench.codes == [])
    }

    @Test func whatARenditionPlaysIsHeldAgainstTheSameRenditionOfOthers() throws {
        let bench = try AuditBench(viewers: 4)
        try lead(bench, viewers: 4) { Self.pod($0 == 2 ? "others" : "ads") }
        let found = try #require(bench.findings.first)
        #expect(bench.codes == ["pod_mismatch"] && found.count == 1 && found.viewers.contains(5))
        let evidence = try #require(found.first?.evidence)
        #expect(evidence.observed.hasPrefix("ad 1 is another: after 1 equal parts: others/0.ts"))
        #expect(found.shares.first?.label.contains(" in 320x180 avc1.64001f 25 fps, one of 2 renditions ") == true)
    }

    @Test(arguments: [("ads", []), ("others", ["pod_changed_on_repeat"])] as [(String, [String])])
    func aPodThatIsAskedForOnceMoreIsComparedByWhatItPlays(folder: String, codes: [String]) throws {
        let bench = try AuditBench("pods: {repeatShare: 100%}")
        let headers = AuditBench.playlistHeaders
        try lead(bench, viewers: 1) { _ in Self.pod("ads") }
        let serial = bench.breakSerial()
        bench.answer(.podRepeat, Self.manifest("again", rungs: 2), breakSerial: serial, headers: headers)
        #expect(bench.isAsked(.podRepeatPlaylist))
        bench.answer(.podRepeatPlaylist, Self.pod(folder), breakSerial: serial, headers: headers)
        #expect(bench.codes == codes)
        let observed = bench.findings.first?.first?.evidence.observed
        #expect(observed?.hasPrefix("ad 1 is another: ") != (folder == "ads"))
    }

    @Test func aPodThatOffersLessOnceMoreIsAnother() throws {
        let bench = try AuditBench("pods: {repeatShare: 100%}")
        let headers = AuditBench.playlistHeaders
        try lead(bench, viewers: 1) { _ in Self.pod("ads") }
        let serial = bench.breakSerial()
        bench.answer(.podRepeat, Self.manifest("answer-0", rungs: 1), breakSerial: serial, headers: headers)
        bench.answer(.podRepeatPlaylist, Self.pod("others"), breakSerial: serial, headers: headers)
        #expect(bench.codes == ["pod_changed_on_repeat"])
        let observed = bench.findings.first?.first?.evidence.observed
        #expect(observed == "1 fewer at the end: 1 variants; 320x180 avc1.64001f 25 fps")
    }

    @Test func renditionsOfOneSizeAreToldApartByTheirBitRates() throws {
        func ladder(_ rates: [Int]) throws -> Ladder {
            let lines = rates.map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0),RESOLUTION=640x360\n\($0).m3u8\n" }
            guard case .multivariant(let playlist) = try Playlist(parsing: Array("#EXTM3U\n\(lines.joined())".utf8))
            else { throw PlaylistError(code: .notAPlaylist, line: 1, detail: "not a multivariant playlist") }
            return Ladder(playlist)
        }
        let (one, other) = (try ladder([500_000, 900_000]), try ladder([950_000, 480_000]))
        #expect(one.rendition(ofVariant: 0)?.hasPrefix("640x360 #1, one of 2 renditions ") == true)
        #expect(one.rendition(ofVariant: 0) == other.rendition(ofVariant: 1))
        #expect(one.rendition(ofVariant: 1) == other.rendition(ofVariant: 0))
        #expect(one.rendition(ofVariant: 2) == nil)
    }

    /// It is kept as long as its break, and shown.
    @Test func whatARenditionIsCalledIsBounded() throws {
        let codecs = "avc1" + String(repeating: "x", count: 100_000)
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"\(codecs)\"\na.m3u8\n"
        guard case .multivariant(let playlist) = try Playlist(parsing: Array(text.utf8)) else {
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: "not a multivariant playlist")
        }
        let name = try #require(Ladder(playlist).rendition(ofVariant: 0))
        #expect(name.hasPrefix("avc1xxx") && name.utf8.count < 100)
    }

    @Test func sessionsAreHeldAgainstNobodyElse() throws {
        let bench = try AuditBench("pods: {match: session}", viewers: 3)
        try give(bench, viewers: 3) { Self.pod("pod-of-\($0)") }
        #expect(bench.codes == [])
    }

    @Test(arguments: [
        ("", "?hdnea=exp=1~acl=/*~hmac=", "https://edge-"), ("", "?Signature=a&Policy=", "//edge-"),
        ("", "?aws.sessionId=", ""), ("pods: {ignore: [\"?who\"]}", "?who=", ""),
    ])
    func addressesThatAreSignedAnewAreTheSamePod(more: String, query: String, host: String) throws {
        let bench = try AuditBench(more, viewers: 3)
        try give(bench, viewers: 3) {
            Self.pod("ads", query: "\(query)\($0)", host: host.hasPrefix("https") ? "\(host)\($0).example" : "")
        }
        #expect(bench.codes == [])
    }

    /// A signature that stays says nothing where what is played changes.
    @Test func aSignatureThatStaysHidesNoOtherPod() throws {
        let bench = try AuditBench(viewers: 3)
        try give(bench, viewers: 3) { Self.pod($0 == 2 ? "others" : "ads", query: "?Signature=same") }
        #expect(bench.codes == ["pod_mismatch"])
    }

    @Test func aParameterThatNobodyKnowsIsPartOfTheAddress() throws {
        let bench = try AuditBench(viewers: 3)
        try give(bench, viewers: 3) { Self.pod("ads", query: "?who=\($0 == 2 ? 2 : 1)") }
        #expect(bench.findings.first?.first?.evidence.observed.hasPrefix("only addresses differ: ") == true)
    }
}

/// A leak is proved: the session is one that this run was given for another viewer.
@Suite struct ForeignSessionTests {
    private static let other = "f3c9a1b2-7777-4d8e-9a53-7b0c5d3c1a2b"
    private static let lines = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n"

    private func bench() throws -> AuditBench {
        let bench = try AuditBench("playback: {metadata: true}")
        bench.sessions.add(Self.other, viewer: 99)
        return bench
    }

    @Test(
        arguments: [
            ("a.ts?stream_id=\(other)", ["foreign_stream_id"]), ("/v1/\(other)/a.ts", ["foreign_stream_id"]),
            ("a.ts?aws.sessionId=\(other)", ["foreign_stream_id"]), ("a.ts?stream_id=sports-hd", []),
            ("a.ts?stream_id=00000000-7777-4d8e-9a53-7b0c5d3c1a2b", []), ("/stream/sports/a.ts", []),
        ] as [(String, [String])]
    )
    func aPodNamesAnothersSession(address: String, codes: [String]) throws {
        let bench = try bench()
        let serial = try bench.askForPod()
        let body = "\(Self.lines)\(address)\n#EXT-X-ENDLIST\n"
        bench.answer(.podManifest, body, breakSerial: serial, headers: AuditBench.playlistHeaders)
        #expect(bench.codes == codes)
        let told = bench.findings.first?.first?.evidence
        #expect(told?.observed.contains(Self.other) != true && told?.url.contains(Self.other) != true)
    }

    @Test func aCookieOfAnothersSession() throws {
        let bench = try bench()
        let serial = try bench.askForPod()
        let headers = AuditBench.playlistHeaders.merging(["set-cookie": "sid=\(Self.other); Path=/"]) { $1 }
        bench.answer(.podManifest, "\(Self.lines)a.ts\n#EXT-X-ENDLIST\n", breakSerial: serial, headers: headers)
        #expect(bench.codes == ["foreign_stream_id"])
        #expect(bench.findings.first?.first?.evidence.observed.hasPrefix("in a cookie ") == true)
    }

    @Test func aLivePlaylistThatNamesAnothersSession() throws {
        let bench = try bench()
        bench.answer(.multivariant, AuditBench.playlist(1), headers: AuditBench.playlistHeaders)
        let leak = AuditBench.playlist(2).replacing("2.ts", with: "2.ts?sid=\(Self.other)")
        bench.answer(.playlist, leak, headers: AuditBench.playlistHeaders, at: 2)
        #expect(bench.codes == ["foreign_stream_id"])
    }
}
