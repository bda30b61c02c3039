import HLS
import Testing

@testable import AdServing
@testable import Audit
@testable import Results
@testable import Swarm
@testable import Viewer

/// Whose pods are held against whose, and what of them.
@Suite struct PodMatchTests {
    private static let audience = "traits: [{name: region, values: [north, south]}]"
    private static let cohorts = "pods: {match: cohort, cohort: [region]}"

    private static func pod(_ folder: String, query: String = "", host: String = "") -> String {
        let segments = (0..<2).map { "#EXTINF:5,\n\(host)/\(folder)/\($0).ts\(query)\n" }.joined()
        return "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n\(segments)#EXT-X-ENDLIST\n"
    }

    private func folder(_ cohort: String) -> String { cohort == "region=north" ? "n" : "s" }

    @Test func eachCohortHasAPodOfItsOwn() throws {
        let bench = try ScriptedCrowd.comparing(Self.cohorts, audience: Self.audience, viewers: 9)
        bench.give { Self.pod(folder(bench.cohort(of: $0))) }
        #expect(Set((0..<9).map { bench.cohort(of: $0) }).count == 2)
        #expect(bench.codes == [])
    }

    @Test func oneOfACohortThatIsGivenAnothersPodIsFound() throws {
        let bench = try ScriptedCrowd.comparing(Self.cohorts, audience: Self.audience, viewers: 9)
        let last = bench.cohort(of: 8)
        try #require((0..<8).filter { bench.cohort(of: $0) == last }.count > 1)
        bench.give { $0 == 8 ? Self.pod("other") : Self.pod(folder(bench.cohort(of: $0))) }
        let found = try #require(bench.findings.first)
        #expect(bench.codes == ["pod_mismatch"] && found.count == 1 && found.viewers.contains(8))
        let evidence = try #require(found.first?.evidence)
        #expect(evidence.expected.contains("viewers of region=\(folder(last) == "n" ? "north" : "south"), viewer "))
        #expect(evidence.observed.hasPrefix("ad 1 is another: "))
    }

    @Test func everyPersonaMayBeACohort() throws {
        let personas = "personas: [hlsjs, avplayer]"
        let bench = try ScriptedCrowd.comparing("pods: {match: cohort}", audience: personas, viewers: 9)
        #expect(Set((0..<9).map { bench.cohort(of: $0) }) == ["persona=hlsjs", "persona=avplayer"])
    }

    private static func manifest(_ folder: String, rungs: Int) -> String {
        let variants = (1...rungs).map { rung in
            "#EXT-X-STREAM-INF:BANDWIDTH=\(rung)00000,AVERAGE-BANDWIDTH=\(rung)00000,FRAME-RATE=25,"
                + "RESOLUTION=\(320 * rung)x\(180 * rung),CODECS=\"avc1.64001f\"\n/\(folder)/\(rung).m3u8\n"
        }
        return "#EXTM3U\n#EXT-X-VERSION:7\n" + variants.joined()
    }

    @Test(arguments: ["pods: {match: session}", "pods: {match: all}", Self.cohorts])
    func everybodyIsOfferedTheSameRenditions(match: String) throws {
        let bench = try ScriptedCrowd.comparing(match, audience: Self.audience, viewers: 9)
        bench.give { place in
            let folder = match == "pods: {match: session}" ? "pod-of-\(place)" : folder(bench.cohort(of: place))
            return Self.manifest(folder, rungs: place == 8 ? 2 : 3)
        }
        let found = try #require(bench.findings.first)
        #expect(bench.codes == ["pod_ladder_differs"] && found.count == 1 && found.viewers.contains(8))
        let evidence = try #require(found.first?.evidence)
        let first = "320x180 avc1.64001f 25 fps"
        #expect(evidence.expected.hasPrefix("as 8 of 9 viewers, viewer 0 first: 3 variants; \(first)"))
        #expect(evidence.observed == "1 fewer at the end: 2 variants; \(first); 640x360 avc1.64001f 25 fps")
    }

    /// As where manifests leave out what a class of devices cannot play.
    @Test(arguments: ["cohort", "session"])
    func aCohortMayBeOfferedRenditionsOfItsOwn(match: String) throws {
        let pods = "pods: {match: cohort, cohort: [region], matchLadder: \(match)}"
        let bench = try ScriptedCrowd.comparing(pods, audience: Self.audience, viewers: 9)
        bench.give {
            let folder = folder(bench.cohort(of: $0))
            return Self.manifest(folder, rungs: folder == "n" ? 2 : 3)
        }
        #expect(bench.codes == [])
    }

    @Test func renditionsInAnotherOrderAtOtherRatesAreTheSameLadder() throws {
        let bench = try ScriptedCrowd.comparing("pods: {match: session}", viewers: 2)
        bench.give { place in
            let text = Self.manifest("pod-of-\(place)", rungs: 2)
            guard place == 1 else { return text }
            let lines = text.split(separator: "\n").map(String.init)
            return (lines[0..<2] + lines[4...5] + lines[2...3]).joined(separator: "\n")
                .replacing("BANDWIDTH=100000", with: "BANDWIDTH=120000") + "\n"
        }
        #expect(bench.codes == [])
    }

    /// Gives each viewer a manifest that leads to a place of its own, and the rendition that it plays.
    private func lead(_ bench: ScriptedCrowd, _ pod: (Int) -> String) {
        bench.give { Self.manifest("answer-\($0)", rungs: 2) }
        for place in bench.crowd.viewers.indices { bench.answer(.podPlaylist, pod(place), of: place) }
    }

    @Test func whereRenditionsLieIsNoDifference() throws {
        let bench = try ScriptedCrowd.comparing(viewers: 4)
        lead(bench) { _ in Self.pod("ads") }
        #expect(bench.codes == [])
    }

    @Test func aRenditionIsComparedWithTheSameRenditionOfOthers() throws {
        let bench = try ScriptedCrowd.comparing(viewers: 4)
        lead(bench) { Self.pod($0 == 2 ? "others" : "ads") }
        let found = try #require(bench.findings.first)
        #expect(bench.codes == ["pod_mismatch"] && found.count == 1 && found.viewers.contains(2))
        let evidence = try #require(found.first?.evidence)
        #expect(evidence.observed.hasPrefix("ad 1 is another: after 1 equal part: others/0.ts"))
        #expect(found.shares.first?.label.contains(" in 320x180 avc1.64001f 25 fps, one of 2 renditions ") == true)
    }

    /// A pod that is asked for once more is compared by what it plays, and by what it offers.
    @Test(
        arguments: [
            (2, "ads", nil), (2, "others", "ad 1 is another: "),
            (1, "others", "1 fewer at the end: 1 variants; 320x180 avc1.64001f 25 fps"),
        ] as [(Int, String, String?)]
    )
    func aPodThatIsAskedForOnceMoreIsCompared(rungs: Int, folder: String, observed: String?) throws {
        let bench = try ScriptedCrowd.comparing("pods: {repeatShare: 100%}")
        lead(bench) { _ in Self.pod("ads") }
        bench.answer(.podRepeat, Self.manifest(rungs == 2 ? "again" : "answer-0", rungs: rungs))
        bench.answer(.podRepeatPlaylist, Self.pod(folder))
        #expect(bench.codes == (observed == nil ? [] : ["pod_changed_on_repeat"]))
        let told = bench.findings.first?.first?.evidence.observed
        #expect(told?.hasPrefix(observed ?? "") == (observed == nil ? nil : true))
    }

    @Test func renditionsOfOneSizeAreToldApartByTheirBitRates() throws {
        func ladder(_ rates: [Int]) throws -> Ladder {
            let lines = rates.map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0),RESOLUTION=640x360\n\($0).m3u8\n" }
            return Ladder(try MultivariantPlaylist.parsed("#EXTM3U\n\(lines.joined())"))
        }
        let (one, other) = (try ladder([500_000, 900_000]), try ladder([950_000, 480_000]))
        #expect(one.rendition(ofVariant: 0)?.hasPrefix("640x360 #1, one of 2 renditions ") == true)
        #expect(one.rendition(ofVariant: 0) == other.rendition(ofVariant: 1))
        #expect(one.rendition(ofVariant: 1) == other.rendition(ofVariant: 0) && one.rendition(ofVariant: 2) == nil)
    }

    /// It is kept as long as its break, and shown.
    @Test func whatARenditionIsCalledIsBounded() throws {
        let codecs = "avc1" + String(repeating: "x", count: 100_000)
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"\(codecs)\"\na.m3u8\n"
        let name = try #require(Ladder(try MultivariantPlaylist.parsed(text)).rendition(ofVariant: 0))
        #expect(name.hasPrefix("avc1xxx") && name.utf8.count < 100)
    }

    @Test func sessionsAreHeldAgainstNobodyElse() throws {
        let bench = try ScriptedCrowd.comparing("pods: {match: session}", viewers: 3)
        bench.give { Self.pod("pod-of-\($0)") }
        #expect(bench.codes == [])
    }

    @Test(arguments: [
        ("", "?hdnea=exp=1~acl=/*~hmac=", "https://edge-"), ("", "?Signature=a&Policy=", "//edge-"),
        ("", "?aws.sessionId=", ""), ("pods: {ignore: [\"?who\"]}", "?who=", ""),
    ])
    func addressesThatAreSignedAnewAreTheSamePod(more: String, query: String, host: String) throws {
        let bench = try ScriptedCrowd.comparing(more, viewers: 3)
        bench.give {
            Self.pod("ads", query: "\(query)\($0)", host: host.hasPrefix("https") ? "\(host)\($0).example" : "")
        }
        #expect(bench.codes == [])
    }

    /// A signature that stays says nothing where what is played changes.
    @Test func aSignatureThatStaysHidesNoOtherPod() throws {
        let bench = try ScriptedCrowd.comparing(viewers: 3)
        bench.give { Self.pod($0 == 2 ? "others" : "ads", query: "?Signature=same") }
        #expect(bench.codes == ["pod_mismatch"])
    }

    @Test func aParameterThatNobodyKnowsIsPartOfTheAddress() throws {
        let bench = try ScriptedCrowd.comparing(viewers: 3)
        bench.give { Self.pod("ads", query: "?who=\($0 == 2 ? 2 : 1)") }
        #expect(bench.findings.first?.first?.evidence.observed.hasPrefix("only addresses differ: ") == true)
    }
}

/// A leak is proved: the session is one that this run was given for another viewer.
@Suite struct ForeignSessionTests {
    private static let other = "f3c9a1b2-7777-4d8e-9a53-7b0c5d3c1a2b"

    private func bench() throws -> ScriptedCrowd {
        let bench = try ScriptedCrowd.comparing("playback: {metadata: true}")
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
        bench.give { _ in AnswerBody.pod([10]).replacing("/ads/0.mp4", with: address) }
        #expect(bench.codes == codes)
        let told = bench.findings.first?.first?.evidence
        #expect(told?.observed.contains(Self.other) != true && told?.url.contains(Self.other) != true)
    }

    @Test func aCookieOfAnothersSession() throws {
        let bench = try bench()
        bench.give({ _ in AnswerBody.pod([10]) }, headers: ["set-cookie": "sid=\(Self.other); Path=/"])
        #expect(bench.codes == ["foreign_stream_id"])
        #expect(bench.findings.first?.first?.evidence.observed.hasPrefix("in a cookie ") == true)
    }

    @Test func aLivePlaylistThatNamesAnothersSession() throws {
        let bench = try bench()
        bench.fire(.reload)
        bench.answer(.playlist, AnswerBody.media(102) { $0 == 103 ? "103.m4s?sid=\(Self.other)" : "\($0).m4s" })
        #expect(bench.codes == ["foreign_stream_id"])
    }
}

/// Time of a break that was filled, with ads or with slate.
@Suite struct FillTests {
    private static func pod(_ parts: [(folder: String, seconds: Int)]) -> String {
        let lines = parts.map { "#EXTINF:\($0.seconds),\n/\($0.folder)/0.ts\n" }
        let body = lines.joined(separator: "#EXT-X-DISCONTINUITY\n")
        return "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n\(body)#EXT-X-ENDLIST\n"
    }

    private func breaks(_ crowd: ScriptedCrowd) -> BreakResults { BreakResults(totals: crowd.totals) }

    /// Viewers that have had a break, filled with these parts.
    private func filled(_ parts: (String, Int)..., by more: String = "", viewers: Int = 1) throws -> ScriptedCrowd {
        let crowd = try ScriptedCrowd.comparing(more, viewers: viewers)
        crowd.give { _ in Self.pod(parts.map { (folder: $0.0, seconds: $0.1) }) }
        crowd.advance(seconds: 15)
        return crowd
    }

    @Test func adsAndSlateAreCountedForEachBreak() throws {
        let results = breaks(try filled(("ads/1", 3), ("ads/2", 3), ("slate", 2), viewers: 2))
        let fill = try #require(results.each.first?.fill)
        #expect(fill.asked == 2 && fill.askedMilliseconds == 20_000)
        #expect(fill.ads == 4 && fill.adMilliseconds == 12_000 && fill.slateMilliseconds == 4_000)
        #expect(fill.filledPercent == 80 && results.fill == fill && results.fillOfCohorts == nil)
        #expect(results.each.first?.compared == 2 && results.each.first?.differing == 0)
    }

    @Test func aProfileSaysWhatSlateIsCalled() throws {
        let pods = "pods: {slate: [/filler/*-loop]}"
        let fill = try #require(breaks(try filled(("slate", 5), ("filler/night-loop", 5), by: pods)).fill)
        #expect(fill.adMilliseconds == 5_000 && fill.slateMilliseconds == 5_000)
        let only = try filled(("filler/night-loop", 5), ("filler/day-loop", 5), by: pods)
        #expect(only.codes == ["slate_only"])
    }

    /// Metadata say which ads are slate, and a pod of slate alone is found once, however often they are asked for.
    @Test(arguments: [([2], ads: 1), ([1, 2], 0)] as [(Set<Int>, ads: UInt64)])
    func metadataSayWhichAdsAreSlate(places: Set<Int>, ads: UInt64) throws {
        let crowd = try ScriptedCrowd.comparing()
        crowd.give { _ in Self.pod([("ads/1", 5), ("ads/2", 5)]) }
        let name = crowd.slot().podIdentifier.replacing("ad_break_id/", with: "").replacing("pod/", with: "pod-")
        let entries = (1...2).map { place in
            #""ad\#(place)":{"ad_break_id":"\#(name)","seq":\#(place),"duration":5,"slate":\#(places.contains(place))}"#
        }
        let text = #"{"tags":{},"ads":{\#(entries.joined(separator: ","))},"ad_breaks":{}}"#
        crowd.watch(seconds: 15) { $0.role == .metadata ? .init(body: text) : nil }
        #expect(crowd.asked(.metadata).count > 2)
        let fill = try #require(breaks(crowd).fill)
        #expect(fill.ads == ads && fill.adMilliseconds == ads * 5_000)
        #expect(fill.slateMilliseconds == 10_000 - ads * 5_000 && fill.filledPercent == 100)
        #expect(crowd.codes == (ads == 0 ? ["slate_only"] : []))
        #expect(crowd.findings.allSatisfy { $0.count == 1 })
    }

    @Test func slateThatItsAddressNamesIsCountedOnce() {
        var filled = FilledBreak(slot: .kept(0))
        filled.named(ads: 1, milliseconds: 4_000)
        #expect(filled.takeUncounted() == nil)
        filled.came(ads: 2, adMilliseconds: 6_000, slateMilliseconds: 4_000)
        #expect(filled.takeUncounted() == nil && filled.adsOfSlateAlone == nil)
        filled.named(ads: 2, milliseconds: 7_000)
        #expect(filled.takeUncounted()?.milliseconds == 3_000 && filled.takeUncounted() == nil)
        filled.named(ads: 3, milliseconds: .max)
        #expect(filled.takeUncounted()?.milliseconds == 3_000 && filled.adsOfSlateAlone != nil)
    }

    @Test func onlyWhatWasCountedIsMovedToSlate() {
        var filled = FilledBreak(slot: .kept(0))
        filled.came(ads: 3, adMilliseconds: 9_000, slateMilliseconds: 1_000)
        #expect(filled.inCounted(9_000) == 0)
        var parts = FillTally()
        filled.over(filledMilliseconds: 5_000, &parts)
        #expect(parts.cameAds == 3 && parts.cameAdMilliseconds == 4_500 && parts.cameSlateMilliseconds == 500)
        #expect(filled.inCounted(3_000) == 1_500)
        var empty = FilledBreak(slot: .kept(0))
        empty.over(filledMilliseconds: 5_000, &parts)
        #expect(parts.cameAdMilliseconds == 5_000 && parts.cameAds == 0)
    }

    /// A pod that is longer than its break fills it once.
    @Test func aBreakIsFilledOnce() throws {
        let fill = try #require(breaks(try filled(("ads/1", 10), ("slate", 5))).fill)
        #expect(fill.askedMilliseconds == 10_000 && fill.filledPercent == 100)
        #expect(fill.adMilliseconds == 6_667 && fill.slateMilliseconds == 3_333)
    }

    /// The break begins at 20 s.
    @Test(arguments: [(2, 2_000), (8, 8_000), (30, 10_000)])
    func aViewerThatLeavesCutsBothSums(after seconds: Double, asked: UInt64) throws {
        let crowd = try ScriptedCrowd.comparing()
        crowd.give { _ in Self.pod([("ads/1", 5), ("ads/2", 5)]) }
        crowd.advance(seconds: seconds)
        crowd.leave()
        let fill = try #require(breaks(crowd).each.first?.fill)
        #expect(fill.askedMilliseconds == asked && fill.adMilliseconds == asked && fill.filledPercent == 100)
    }

    @Test(arguments: [("id:SLATE-*", 1), ("id:AD-1", 1), ("id:*-*", 2), ("id:LATE", 0), ("/slate", 0)])
    func signallingNamesSlateByItsIds(part: String, ads: Int) throws {
        let slot = #"{"type":"linear","start":0,"duration":4,"identifiers":[{"scheme":"x","value":"AD-1"}]}"#
        let slate = #"{"type":"linear","start":4,"duration":6,"identifiers":[{"scheme":"x","value":"SLATE-7"}]}"#
        let text = #"{"version":2,"type":"pod","payload":[{"start":0,"duration":10,"slots":[\#(slot),\#(slate)]}]}"#
        let signaling = try #require(CreativeSignaling(attribute: text))
        let pattern = SlatePattern([try #require(SlatePattern.Part(part))])
        let found = pattern.slate(in: signaling, total: .seconds(9))
        #expect(found.ads == ads && found.duration <= .seconds(9) && (found.duration > .zero) == (ads > 0))
    }

    @Test(arguments: ["cohort", "session", "all"])
    func eachCohortHasItsOwnFigures(match: String) throws {
        let traits = "traits: [{name: region, values: [north, south]}]"
        let crowd = try ScriptedCrowd.comparing("pods: {match: \(match)}", audience: traits, viewers: 9)
        crowd.give {
            crowd.cohort(of: $0) == "region=north" ? AnswerBody.pod(folder: "n") : Self.pod([("s", 5), ("slate", 5)])
        }
        crowd.advance(seconds: 15)
        let cohorts = try #require(breaks(crowd).fillOfCohorts)
        #expect(cohorts.map(\.cohort) == ["region=north", "region=south"])
        #expect(cohorts.map { $0.slateMilliseconds > 0 } == [false, true])
        #expect(cohorts.reduce(0) { $0 + $1.asked } == 9)
    }

    @Test(arguments: [
        (["slate"], "https://a/x/slate/0.ts?q", true), (["slate"], "a/slates/0.ts", false),
        (["/a/*"], "/x/a/b/0.ts", true),
        (["/a/*"], "/x/b/a", false), (["x", "*-loop"], "/q/night-loop/1.ts", true), ([], "/slate/0.ts", false),
    ])
    func slateIsKnownByPiecesOfItsPath(patterns: [String], address: String, isSlate: Bool) {
        #expect(SlatePattern(patterns.compactMap { SlatePattern.Part($0) }).isSlate(address) == isSlate)
    }
}
