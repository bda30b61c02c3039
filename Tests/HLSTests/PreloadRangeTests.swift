import TestSupport
import Testing

@testable import HLS

@Suite struct PreloadRangeTests {
    private static let base = "https://media.example.com/live/index.m3u8"
    private static let head = "ID=\"p1\",CLASS=\"com.apple.hls.preload\",START-DATE=\"2026-11-21T20:00:00Z\""
    private static let targets = "X-URI=\"ads.json\",X-TARGET-ID=\"ad1\",X-TARGET-CLASS=\"com.apple.hls.interstitial\""

    private func preloads(_ attributes: String, _ more: String...) throws -> [PreloadRange] {
        let lines = ["#EXT-X-DATERANGE:" + attributes] + more
        return try Samples.playlist(lines.joined(separator: "\n")).preloads(base: Self.base)
    }

    @Test(arguments: ["DURATION=20", "END-DATE=\"2026-11-21T20:00:20Z\""]) func readsAHint(_ end: String) throws {
        let start = try #require(WallTime(iso8601: "2026-11-21T20:00:00Z"))
        #expect(
            try preloads("\(Self.head),\(end),\(Self.targets)") == [
                PreloadRange(
                    id: "p1",
                    uri: "https://media.example.com/live/ads.json",
                    targetID: "ad1",
                    targetClass: Interstitial.classAttribute,
                    startDate: start,
                    endDate: start + .seconds(20)
                )
            ]
        )
    }

    @Test(arguments: [
        "\(head),\(targets)", "\(head),PLANNED-DURATION=20,\(targets)", "\(head),DURATION=20,CUE=\"ONCE\",\(targets)",
        "\(head),END-ON-NEXT=YES,\(targets)",
        "\(head),DURATION=20,X-TARGET-ID=\"ad1\",X-TARGET-CLASS=\"c\"",
        "\(head),DURATION=20,X-URI=\"a\",X-TARGET-CLASS=\"c\"",
        "\(head),DURATION=20,X-URI=\"a\",X-TARGET-ID=\"ad1\"",
        "\(head.replacing("preload", with: "other")),DURATION=20,\(targets)",
    ]) func whatBreaksTheRulesIsNone(_ attributes: String) throws { #expect(try preloads(attributes).isEmpty) }

    @Test func aFinishedPlaylistHasNoHints() throws {
        #expect(try preloads("\(Self.head),DURATION=20,\(Self.targets)", "#EXT-X-ENDLIST").isEmpty)
    }

    @Test func aHintServesTheTargetThatItNames() throws {
        let hint = try #require(try preloads("\(Self.head),DURATION=20,\(Self.targets)").first)
        func target(_ id: String, _ uri: String) -> Interstitial {
            Interstitial(id: id, startDate: hint.endDate, content: .assetList(uri: uri))
        }
        #expect(hint.match(target("ad1", "https://media.example.com/live/ads.json")) == .matches)
        #expect(hint.match(target("ad1", "https://media.example.com/live/ads.json?b=2")) == .uriDiffers)
        #expect(hint.match(target("ad2", "https://media.example.com/live/ads.json")) == .other)
        var odd = hint
        odd.targetClass = "com.example"
        #expect(odd.match(target("ad1", "https://media.example.com/live/ads.json")) == .classDiffers)
    }

    @Test func theLoadFallsInsideOfWhatIsLeftOfTheRange() throws {
        let hint = try #require(try preloads("\(Self.head),DURATION=20,\(Self.targets)").first)
        let before = hint.startDate - .seconds(60)
        let late = hint.endDate + .seconds(60)
        func date(_ fraction: Double, _ playhead: WallTime, _ latest: WallTime) -> Duration? {
            hint.loadDate(fraction: fraction, playhead: playhead, latest: latest)?.duration(since: hint.startDate)
        }
        #expect(date(0, before, late) == .zero)
        #expect(date(0.5, before, late) == .seconds(10))
        #expect(date(1, before, late) == .seconds(20))
        #expect(date(0.5, hint.startDate + .seconds(10), late) == .seconds(15))
        #expect(date(0.5, before, hint.startDate + .seconds(10)) == .seconds(5))
        #expect(date(.nan, before, late) == .zero)
        #expect(date(7, before, late) == .seconds(20))
        #expect(date(0.5, hint.endDate + .seconds(1), late) == nil)
        #expect(date(0.5, before, hint.startDate - .seconds(1)) == nil)
    }

    @Test func evenDrawsSpreadEvenlyOverTheRange() throws {
        let hint = try #require(try preloads("\(Self.head),DURATION=20,\(Self.targets)").first)
        var generator = SeededGenerator(seed: 5)
        var perSecond = [Int](repeating: 0, count: 20)
        for _ in 0..<20_000 {
            let fraction = Double.random(in: 0..<1, using: &generator)
            let date = try #require(hint.loadDate(fraction: fraction, playhead: hint.startDate, latest: hint.endDate))
            perSecond[Int(date.duration(since: hint.startDate).components.seconds)] += 1
        }
        #expect(perSecond.allSatisfy { (850...1_150).contains($0) }, "\(perSecond)")
    }
}
