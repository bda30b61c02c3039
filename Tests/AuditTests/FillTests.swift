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

    private func give(_ bench: AuditBench, viewers: Int, _ pod: (Int) -> String) throws {
        for place in 0..<viewers {
            let serial = try bench.askForPod(of: place)
            bench.answer(.podManifest, pod(place), of: place, breakSerial: serial, headers: AuditBench.playlistHeaders)
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

    @Test func eachCohortHasItsOwnFigures() throws {
        let labels = "labels: [{name: region, values: [north, south]}]"
        let bench = try AuditBench("pods: {match: cohort}", audience: labels, viewers: 9)
        try give(bench, viewers: 9) {
            Self.pod(bench.group(of: $0) == .cohort("region=north") ? [("n", 5), ("m", 5)] : [("s", 5), ("slate", 5)])
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
        #expect(SlatePattern(patterns).isSlate(address) == isSlate)
    }
}
