import LoadProfile
import Players
import Rulebook
import TestSupport
import Testing

@testable import Swarm
@testable import Viewer

/// What each player sends to the same channel with two breaks, and where that is from.
@Suite struct WireTraceTests {
    private static let names = KnownPersona.all.map(\.persona.name)

    private static func golden(_ name: String, _ script: WireChannel.Script, _ kind: String) -> String {
        "Tests/SwarmTests/WireTraces/Goldens/\(name)\(script == .clean ? "" : "-\(script.rawValue)").\(kind)"
    }

    private func trace(_ name: String, _ script: WireChannel.Script = .clean) throws -> WireTrace {
        WireTrace.recorded(try #require(KnownPersona.named(name)), script)
    }

    /// The first request for a break's content.
    private func ask(_ trace: WireTrace, _ path: String) throws -> Int64 {
        try #require(trace.lines(to: path).first, "\(trace.persona.name) never asks for \(path)").milliseconds
    }

    // MARK: Pinned

    @Test(arguments: Self.names, WireChannel.Script.allCases)
    func theTraceIsAsPinned(name: String, script: WireChannel.Script) throws {
        try GoldenFile.expect(try trace(name, script).text, at: Self.golden(name, script, "txt"))
    }

    @Test(arguments: WireChannel.Script.allCases)
    func allStandSideBySideWithTheReasonOfEachDifference(script: WireChannel.Script) throws {
        let table = WireTraceTable(KnownPersona.all, WireTrace.recorded(KnownPersona.all, script))
        try GoldenFile.expect(table.markdown, at: Self.golden("side-by-side", script, "md"))
    }

    @Test(arguments: WireChannel.Script.allCases)
    func whatDiffersHasAFactAndASource(script: WireChannel.Script) throws {
        let table = WireTraceTable(KnownPersona.all, WireTrace.recorded(KnownPersona.all, script))
        var differences = 0
        for row in table.rows {
            for reason in table.reasons(row) {
                differences += 1
                let place = "\(row.path) \(row.occurrence), \(reason.player)"
                #expect(!reason.facts.isEmpty, "\(place): the players' facts do not explain it")
                #expect(!reason.sources.contains("no source"), "\(place): \(reason.facts)")
            }
        }
        #expect(differences > 50)
    }

    // MARK: When content is asked for (the break without a preload range)

    @Test(arguments: [("media3", 18_000), ("shaka", 10_000)] as [(String, Int64)])
    func thePlayheadIsThisFarFromTheBreak(name: String, lead: Int64) throws {
        let trace = try self.trace(name)
        try #require(trace.starts.count == 2)
        #expect(abs(trace.starts[1] - (try ask(trace, "/ads/spot.m3u8")) - lead) <= 1)
    }

    @Test func eagerAsksAsSoonAsAPlaylistShowsTheBreak() throws {
        let trace = try self.trace("eager")
        for (path, listed) in zip(["/ads/first.json", "/ads/spot.m3u8"], WireChannel.listed) {
            let showing = try #require(trace.lines(.playlist).first { $0.milliseconds >= listed })
            #expect(try ask(trace, path) == showing.milliseconds + WireChannel.answerMilliseconds)
        }
    }

    @Test func hlsjsAsksWhenTheEdgeIsNearTheBreak() throws {
        let trace = try self.trace("hlsjs")
        // The edge of the playlist that is out at 62 s is the first less than ten seconds from the break at 68 s.
        let showing = try #require(trace.lines(.playlist).first { $0.milliseconds >= 62_000 })
        let asked = try ask(trace, "/ads/spot.m3u8")
        // At once, or when what the playlist brought is buffered to within a target duration of the edge.
        #expect((showing.milliseconds + 40...showing.milliseconds + 200).contains(asked))
        #expect(try asked < ask(self.trace("strict"), "/ads/spot.m3u8"))
    }

    @Test func strictAsksWhenThePrimaryIsBufferedToTheBreak() throws {
        let trace = try self.trace("strict")
        let asked = try ask(trace, "/ads/spot.m3u8")
        // The segment that ends at the break has been listed, asked for and answered.
        let segment = try #require(trace.lines(to: "/live/main/v0/111.ts").first)
        #expect(asked == segment.milliseconds + WireChannel.answerMilliseconds)
        #expect(asked >= WireChannel.breaks[1])
    }

    @Test func vhsAsksForNothingOfABreak() throws {
        for script in WireChannel.Script.allCases {
            let trace = try self.trace("vhs", script)
            #expect(trace.lines.allSatisfy { !$0.path.hasPrefix("/ads/") && !$0.path.hasPrefix("/beacon/") })
            #expect(trace.lines(.playlist).count > 15)
        }
    }

    /// Only players that know the preload range ask by it; the random ones inside of it, Shaka where it begins.
    @Test func aPreloadRangeMovesThoseThatKnowIt() throws {
        let shaka = try trace("shaka")
        let startUp = try #require(shaka.starts.first) - WireChannel.breaks[0]
        #expect(abs(try ask(shaka, "/ads/first.json") - (WireChannel.preload.lowerBound + startUp)) <= 1)
        for name in ["strict", "avplayer", "ima-guide"] {
            let trace = try self.trace(name)
            let latency = try #require(trace.starts.first) - WireChannel.breaks[0]
            let asked = try ask(trace, "/ads/first.json") - latency
            #expect(WireChannel.preload.contains(asked), "\(name)")
        }
        let media3 = try trace("media3")
        #expect(try #require(media3.starts.first) - (try ask(media3, "/ads/first.json")) == 18_000)
    }

    // MARK: When a playlist is loaded again

    /// The polls after the one that found the playlist unchanged, which all but one player make at the same moment.
    @Test(
        arguments: [
            ("strict", [21_040, 27_040, 33_040, 39_040, 45_040, 49_040]),
            ("hlsjs", [21_040, 27_040, 33_040, 39_040, 45_040, 49_040]),
            ("media3", [21_040, 27_040, 33_040, 39_040, 45_040, 51_040]),
            ("eager", [21_040, 27_040, 33_040, 39_040, 45_040, 51_040]),
            ("shaka", [24_040, 30_040, 36_040, 42_040, 48_040, 52_040]),
            ("vhs", [21_200, 27_240, 33_280, 39_320, 45_360, 49_400]),
        ] as [(String, [Int64])]
    )
    func nothingNewAndAShortSegmentChangeTheCadence(name: String, polls: [Int64]) throws {
        let all = try trace(name).lines(.playlist).map(\.milliseconds)
        let unchanged = try #require(all.last { $0 < WireChannel.late.at })
        #expect(unchanged == (name == "vhs" ? 18_160 : 18_040))
        #expect(Array(all.filter { $0 > unchanged }.prefix(polls.count)) == polls)
    }

    // MARK: What each request carries

    @Test(arguments: Self.names)
    func onlySomeSayWhoTheyAre(name: String) throws {
        let sends = ["strict", "hlsjs", "shaka", "avplayer", "ima-guide", "eager"].contains(name)
        let trace = try self.trace(name)
        for line in trace.lines {
            let isOfInterstitial = line.kind == .assetList || line.kind == .assetManifest
            #expect(line.query == (isOfInterstitial && sends ? ["_HLS_primary_id={primary_id}"] : []), "\(line.text)")
        }
        #expect(trace.lines(.assetManifest).count == (name == "vhs" ? 0 : 3))
    }

    @Test func onlySomeSendBeacons() throws {
        for name in Self.names {
            let count = try trace(name).lines(.beacon).count
            #expect(count == (["strict", "shaka"].contains(name) ? 2 : 0), "\(name)")
        }
    }

    // MARK: What goes wrong

    @Test(arguments: [("media3", 1), ("hlsjs", 1), ("strict", 1), ("eager", 1), ("shaka", 2)])
    func aListThatFailsIsAskedForThisOften(name: String, times: Int) throws {
        let lists = try trace(name, .failing).lines(to: "/ads/first.json")
        #expect(lists.count == times)
        #expect(lists.allSatisfy { $0.ending == "503" })
        guard times > 1 else { return }
        // One second, half of it more or less, after the answer.
        #expect((540...1_540).contains(lists[1].milliseconds - lists[0].milliseconds))
    }

    @Test(
        arguments: [
            ("media3", 8_000, 1), ("hlsjs", 10_000, 1), ("eager", 10_000, 1), ("shaka", 10_000, 2), ("strict", nil, 1),
            ("avplayer", nil, 1),
        ] as [(String, Int?, Int)]
    )
    func anAnswerAfterTwelveSecondsIsTooLateForMost(name: String, patience: Int?, times: Int) throws {
        let trace = try self.trace(name, .failing)
        let lists = trace.lines(to: "/ads/second.json")
        #expect(lists.count == times)
        #expect(lists.allSatisfy { $0.ending == (patience.map { "no answer in \($0) ms" } ?? "") }, "\(lists)")
        #expect(trace.lines(to: "/ads/spot.m3u8").isEmpty == (patience != nil))
        // A player that still waits when the playhead is there stops before the break, and shows nothing of it.
        #expect(trace.lines(.assetManifest).count == (patience == nil ? 1 : 0))
    }
}
