import Rules
import TestSupport
import Testing

@testable import HLS

/// Reading and writing again keeps every tag and attribute of the specifications' own examples.
@Suite struct SpecificationExamplesTests {
    @Test(arguments: SpecificationExample.media)
    func mediaPlaylistsKeepEveryAttribute(_ example: SpecificationExample) throws {
        let playlist = try Samples.mediaPlaylist(example.text)
        let written = String(decoding: MediaPlaylistWriter(describing: playlist).render(), as: UTF8.self)
        #expect(facts(written) == facts(example.text))
        #expect(try Samples.mediaPlaylist(written).contentDigest == playlist.contentDigest)
    }

    @Test(arguments: SpecificationExample.multivariant)
    func multivariantPlaylistsKeepEveryAttribute(_ example: SpecificationExample) throws {
        let playlist = try Samples.multivariantPlaylist(example.text)
        let written = String(decoding: playlist.render(), as: UTF8.self)
        #expect(facts(written) == facts(example.text))
    }

    @Test(arguments: SpecificationExample.media + SpecificationExample.multivariant)
    func nothingFalseIsFoundInExamples(_ example: SpecificationExample) {
        let violations = Array(example.text.utf8).withUnsafeBytes { PlaylistChecks.violations(in: $0) }
        let codes = violations.filter { $0.code.severity > .advice }.map(\.code.code)
        #expect(Set(codes) == example.findings, "\(violations)")
    }

    @Test func everyExampleIsThere() {
        #expect(SpecificationExample.media.count == 13 && SpecificationExample.multivariant.count == 7)
    }

    /// The comparison itself sees what is lost, changed and added.
    @Test func aLostAttributeIsSeen() {
        let text = "#EXTM3U\n#EXT-X-A:B=\"1,2\",C=3.0\nu"
        #expect(facts(text) == ["#EXTM3U", "#EXT-X-A", "#EXT-X-A B=\"1,2\"", "#EXT-X-A C=3", "u"].sorted())
        #expect(facts(text) != facts("#EXTM3U\n#EXT-X-A:B=\"1,2\"\nu"))
        #expect(facts(text) != facts("#EXTM3U\n#EXT-X-A:B=\"1,2\",C=3.1\nu"))
    }

    /// Each tag, each attribute of each tag, and each URI, in one spelling and sorted.
    ///
    /// Left out is what says nothing: an attribute NO that is the default, a start of 0, CAN-BLOCK-RELOAD=NO, the media
    /// sequence 0, the second tag of one date range (its attributes count with the first), and how a number is written.
    private func facts(_ text: String) -> [String] {
        var facts: [String] = []
        for line in text.split(whereSeparator: \.isNewline).map(String.init) {
            guard line.hasPrefix("#EXT") else {
                facts += line.hasPrefix("#") ? [] : [line]
                continue
            }
            let halves = line.split(separator: ":", maxSplits: 1).map(String.init)
            let value = halves.count == 2 ? halves[1] : ""
            switch halves[0] {
            case "#EXTINF": facts.append("#EXTINF " + normal(value.hasSuffix(",") ? String(value.dropLast()) : value))
            case "#EXT-X-PROGRAM-DATE-TIME": facts.append("#EXT-X-PROGRAM-DATE-TIME " + normal(value))
            case "#EXT-X-MEDIA-SEQUENCE" where value == "0": break
            default: facts += attributeFacts(halves[0], value)
            }
        }
        return Array(Set(facts)).sorted()
    }

    private func attributeFacts(_ tag: String, _ value: String) -> [String] {
        let bytes = Array(value.utf8)
        let attributes = bytes.withUnsafeBytes { buffer -> [String]? in
            var list = AttributeList(buffer, 0..<buffer.count)
            var found: [String] = []
            while let attribute = list.next() {
                let text = buffer.text(attribute.value)
                let value = attribute.isQuoted ? "\"\(date(text))\"" : normal(text)
                found.append(buffer.text(attribute.name) + "=" + value)
            }
            return list.isMalformed || found.isEmpty ? nil : found
        }
        guard let attributes else { return [tag + (value.isEmpty ? "" : " " + normal(value))] }
        let silent: Set<String> = ["DEFAULT=NO", "AUTOSELECT=NO", "CAN-BLOCK-RELOAD=NO", "BYTERANGE-START=0"]
        // Attributes of one date range count together, whichever of its tags they stand in.
        let id = attributes.first { tag == "#EXT-X-DATERANGE" && $0.hasPrefix("ID=") } ?? ""
        return [tag] + attributes.filter { !silent.contains($0) }.map { "\(tag)\(id) \($0)" }
    }

    private func date(_ text: String) -> String { WallTime(iso8601: text)?.iso8601 ?? text }

    private func normal(_ text: String) -> String {
        if let date = WallTime(iso8601: text) { return date.iso8601 }
        guard text.contains("."), let number = Double(text) else { return text }
        return number == number.rounded() ? String(Int(number)) : String(number)
    }

    @Test func theSessionsPlaylistsMeanWhatItSays() throws {
        func interstitials(_ name: String) throws -> [Interstitial] {
            try SpecificationExample.playlist(name).interstitials(base: "https://example.com/live/index.m3u8")
        }
        let two = try interstitials("WWDC21-two-ads-at-two-dates")
        #expect((two.map(\.id), two.map(\.resumeOffset)) == (["ad1", "ad2"], [.zero, .zero]))
        #expect(try interstitials("WWDC21-two-ads-at-one-date").map(\.id) == ["ad1", "ad2"])
        let early = try #require(try interstitials("WWDC21-early-return-a-15-s-ad-cut-to-12-s").first)
        #expect(early.playoutDuration(ofAssets: .seconds(15)) == .seconds(12))
        #expect(early.resumeOffset == nil)
        let beacon = try #require(try interstitials("D.6-interstitial").first)
        #expect(beacon.restrictions == [.skip, .jump])
        let skip = try #require(try interstitials("D.7-skip-button-control").first?.skipControl)
        #expect(skip == SkipControl(offsetSeconds: 2, durationSeconds: 5, labelID: "Exit-Label"))
        let live = "WWDC21-an-asset-list-in-a-live-playlist-of-six-segments"
        #expect(try interstitials(live).map(\.content) == [.assetList(uri: "https://example.com/adpod?id=1")])
    }

    @Test func thePlayheadIsAfterTheThirdOfSixSegments() throws {
        let live = try SpecificationExample.playlist("WWDC21-an-asset-list-in-a-live-playlist-of-six-segments")
        let playhead = live.durationMicroseconds - live.holdBack.wholeMicroseconds
        #expect(playhead == live.segments[3].startOffsetMicroseconds)
    }

    @Test func theDeltaUpdateFollowsTheLowLatencyExample() throws {
        let previous = try SpecificationExample.playlist("low-latency-playlist")
        #expect(DeliveryDirectives.next(after: previous) == DeliveryDirectives(mediaSequence: 273, part: 3))
        let update = try SpecificationExample.playlist("playlist-delta-update")
        let merged = try MediaPlaylist.merging(delta: update, into: previous)
        #expect(merged.segments.map { merged.uri(of: $0) } == (266...272).map { "fileSequence\($0).mp4" })
        #expect(merged.trailingPartCount == 4)
        #expect(merged.segments.allSatisfy { $0.mapURI.map { merged.string(in: $0) } == "init.mp4" })
        #expect(merged.programDate(at: 0)?.iso8601 == "2019-02-14T02:13:36.106Z")
    }
}
