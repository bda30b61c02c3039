import AdServing
import Recording
import Testing

@testable import Audience
@testable import Audit
@testable import RunResult
@testable import Swarm
@testable import Viewer

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
        var filled = FilledBreak(slot: 0)
        filled.named(ads: 1, milliseconds: 4_000)
        #expect(filled.takeUncounted() == nil)
        filled.came(ads: 2, adMilliseconds: 6_000, slateMilliseconds: 4_000)
        #expect(filled.takeUncounted() == nil && filled.adsOfSlateAlone == nil)
        filled.named(ads: 2, milliseconds: 7_000)
        #expect(filled.takeUncounted()?.milliseconds == 3_000)
        #expect(filled.takeUncounted() == nil)
        filled.named(ads: 3, milliseconds: .max)
        #expect(filled.takeUncounted()?.milliseconds == 3_000 && filled.adsOfSlateAlone != nil)
    }

    @Test func onlyWhatWasCountedIsMovedToSlate() {
        var filled = FilledBreak(slot: 0)
        filled.came(ads: 3, adMilliseconds: 9_000, slateMilliseconds: 1_000)
        #expect(filled.inCounted(9_000) == 0)
        let parts = filled.over(filledMilliseconds: 5_000)
        #expect(parts.ads == 3 && parts.adMilliseconds == 4_500 && parts.slateMilliseconds == 500)
        #expect(filled.inCounted(3_000) == 1_500)
        var empty = FilledBreak(slot: 0)
        #expect(empty.over(filledMilliseconds: 5_000).adMilliseconds == 5_000)
        #expect(empty.over(filledMilliseconds: 0).ads == 0)
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
        #expect(found.ads == ads)
        #expect(found.duration <= .seconds(9) && (found.duration > .zero) == (ads > 0))
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
