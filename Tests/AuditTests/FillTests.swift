import AdServing
import Audience
import Recording
import Testing

@testable import Audit
@testable import RunResult

/// How much of a break was filled, and with what.
@Suite struct FillTests {
    private static func pod(_ parts: [(folder: String, seconds: Int)]) -> String {
        let lines = parts.map { "#EXTINF:\($0.seconds),\n/\($0.folder)/0.ts\n" }
        let body = lines.joined(separator: "#EXT-X-DISCONTINUITY\n")
        return "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n\(body)#EXT-X-ENDLIST\n"
    }

    private func breaks(_ bench: AuditBench) -> BreakResults {
        BreakResults(totals: RunTotals(merging: [bench.recorder.finish()]))
    }

    private func give(_ bench: AuditBench, viewers: Int, playsOut: Bool = true, _ pod: (Int) -> String) throws {
        for place in 0..<viewers {
            let serial = try bench.askForPod(of: place)
            bench.answer(.podManifest, pod(place), of: place, breakSerial: serial, headers: AuditBench.playlistHeaders)
            if playsOut { bench.playOut(of: place) }
        }
    }

    @Test func adsAndSlateAreCountedForEachBreak() throws {
        let bench = try AuditBench(viewers: 2)
        try give(bench, viewers: 2) { _ in Self.pod([("ads/1", 3), ("ads/2", 3), ("slate", 2)]) }
        let results = breaks(bench)
        let fill = try #require(results.each.first?.fill)
        #expect(fill.asked == 2 && fill.askedMilliseconds == 20_000)
        #expect(fill.ads == 4 && fill.adMilliseconds == 12_000 && fill.slateMilliseconds == 4_000)
        #expect(fill.filledPercent == 80 && results.fill == fill && results.fillOfCohorts == nil)
        #expect(results.each.first?.compared == 2 && results.each.first?.differing == 0)
    }

    @Test func aProfileSaysWhatSlateIsCalled() throws {
        let bench = try AuditBench("pods: {slate: [/filler/*-loop]}")
        try give(bench, viewers: 1) { _ in Self.pod([("slate", 5), ("filler/night-loop", 5)]) }
        let fill = try #require(breaks(bench).fill)
        #expect(fill.adMilliseconds == 5_000 && fill.slateMilliseconds == 5_000)
        let only = try AuditBench("pods: {slate: [/filler/*-loop]}")
        try give(only, viewers: 1) { _ in Self.pod([("filler/night-loop", 5), ("filler/day-loop", 5)]) }
        #expect(only.codes == ["slate_only"])
    }

    /// The ads of the next break, of which the second is slate.
    private func metadata(_ bench: AuditBench, slateOf places: Set<Int>) throws -> String {
        let planned = try #require(bench.record.current?.planned)
        let name = planned.identifier.pathComponent.replacing("ad_break_id/", with: "").replacing("pod/", with: "pod-")
        let ads = (1...2).map { place in
            #""ad\#(place)":{"ad_break_id":"\#(name)","seq":\#(place),"duration":5,"slate":\#(places.contains(place))}"#
        }
        return #"{"tags":{},"ads":{\#(ads.joined(separator: ","))},"ad_breaks":{}}"#
    }

    @Test func metadataSayWhichAdsAreSlate() throws {
        let bench = try AuditBench()
        try give(bench, viewers: 1, playsOut: false) { _ in Self.pod([("ads/1", 5), ("ads/2", 5)]) }
        let text = try metadata(bench, slateOf: [2])
        // However often they are asked for.
        for _ in 0..<3 { bench.answer(.metadata, text) }
        bench.playOut()
        let fill = try #require(breaks(bench).fill)
        #expect(fill.ads == 1 && fill.adMilliseconds == 5_000 && fill.slateMilliseconds == 5_000)
        #expect(fill.filledPercent == 100 && bench.codes == [])
    }

    @Test func aPodThatMetadataCallSlateIsFoundOnce() throws {
        let bench = try AuditBench()
        try give(bench, viewers: 1, playsOut: false) { _ in Self.pod([("ads/1", 5), ("ads/2", 5)]) }
        let text = try metadata(bench, slateOf: [1, 2])
        for _ in 0..<3 { bench.answer(.metadata, text) }
        bench.playOut()
        #expect(bench.codes == ["slate_only"] && bench.findings.first?.count == 1)
        let fill = try #require(breaks(bench).fill)
        #expect(fill.ads == 0 && fill.adMilliseconds == 0 && fill.slateMilliseconds == 10_000)
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
        let bench = try AuditBench()
        try give(bench, viewers: 1) { _ in Self.pod([("ads/1", 10), ("slate", 5)]) }
        let fill = try #require(breaks(bench).fill)
        #expect(fill.askedMilliseconds == 10_000 && fill.filledPercent == 100)
        #expect(fill.adMilliseconds == 6_667 && fill.slateMilliseconds == 3_333)
    }

    /// The break begins at 20 s.
    @Test(arguments: [(22, 2_000), (28, 8_000), (50, 10_000)])
    func aViewerThatLeavesCutsBothSums(second: Int64, asked: UInt64) throws {
        let bench = try AuditBench()
        try give(bench, viewers: 1, playsOut: second > 40) { _ in Self.pod([("ads/1", 5), ("ads/2", 5)]) }
        if second <= 40 { bench.runTimers(until: second) }
        bench.leave(at: second)
        let fill = try #require(breaks(bench).fill)
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

    /// Whoever's pods are held against whose.
    @Test(arguments: ["cohort", "session", "all"])
    func eachCohortHasItsOwnFigures(match: String) throws {
        let traits = "traits: [{name: region, values: [north, south]}]"
        let bench = try AuditBench("pods: {match: \(match)}", audience: traits, viewers: 9)
        try give(bench, viewers: 9) {
            Self.pod(bench.cohort(of: $0) == "region=north" ? [("n", 5), ("m", 5)] : [("s", 5), ("slate", 5)])
        }
        let cohorts = try #require(breaks(bench).fillOfCohorts)
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
