import Testing

@testable import HLS

/// Reading and writing again keeps every tag and attribute of the specifications' own examples.
@Suite struct SpecificationExamplesTests {
    @Test(arguments: SpecificationExamples.media.indices)
    func mediaPlaylistsKeepEveryAttribute(_ index: Int) throws {
        let (name, text) = SpecificationExamples.media[index]
        let written = MediaPlaylistWriter(describing: try Samples.mediaPlaylist(text)).render()
        #expect(facts(String(decoding: written, as: UTF8.self)) == facts(text), "\(name)")
        #expect(
            try Samples.mediaPlaylist(String(decoding: written, as: UTF8.self)).contentDigest
                == Samples.mediaPlaylist(text).contentDigest,
            "\(name)"
        )
    }

    @Test(arguments: SpecificationExamples.multivariant.indices)
    func multivariantPlaylistsKeepEveryAttribute(_ index: Int) throws {
        let (name, text) = SpecificationExamples.multivariant[index]
        let written = MultivariantPlaylistWriter(describing: try Samples.multivariantPlaylist(text)).render()
        #expect(facts(String(decoding: written, as: UTF8.self)) == facts(text), "\(name)")
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
            case "#EXTINF":
                facts.append("#EXTINF " + normal(value.hasSuffix(",") ? String(value.dropLast()) : value))
            case "#EXT-X-PROGRAM-DATE-TIME":
                facts.append("#EXT-X-PROGRAM-DATE-TIME " + normal(value))
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
                let text = list.string(attribute.value)
                let value = attribute.isQuoted ? "\"\(date(text))\"" : normal(text)
                found.append(list.string(attribute.name) + "=" + value)
            }
            return list.isMalformed || found.isEmpty ? nil : found
        }
        guard let attributes else {
            return [tag + (value.isEmpty ? "" : " " + normal(value))]
        }
        let silent: Set<String> = ["DEFAULT=NO", "AUTOSELECT=NO", "CAN-BLOCK-RELOAD=NO", "BYTERANGE-START=0"]
        // Attributes of one date range count together, whichever of its tags they stand in.
        let id = attributes.first { tag == "#EXT-X-DATERANGE" && $0.hasPrefix("ID=") } ?? ""
        return [tag] + attributes.filter { !silent.contains($0) }.map { "\(tag)\(id) \($0)" }
    }

    private func date(_ text: String) -> String {
        WallTime(iso8601: text)?.iso8601 ?? text
    }

    private func normal(_ text: String) -> String {
        if let date = WallTime(iso8601: text) {
            return date.iso8601
        }
        guard text.contains("."), let number = Double(text) else {
            return text
        }
        return number == number.rounded() ? String(Int(number)) : String(number)
    }

    @Test func theSessionsPlaylistsMeanWhatItSays() throws {
        func playlist(_ name: String) throws -> MediaPlaylist {
            let found = try #require(SpecificationExamples.media.first { $0.name.contains(name) })
            return try Samples.mediaPlaylist(found.text)
        }
        let base = "https://example.com/live/index.m3u8"
        let two = try playlist("two dates").interstitials(base: base)
        #expect(two.map(\.id) == ["ad1", "ad2"])
        #expect(two.map(\.resumeOffset) == [.zero, .zero])
        #expect(try playlist("one date").interstitials(base: base).map(\.id) == ["ad1", "ad2"])
        let early = try #require(try playlist("early return").interstitials(base: base).first)
        #expect(early.playoutDuration(ofAssets: .seconds(15)) == .seconds(12))
        #expect(early.resumeOffset == nil)
        let live = try playlist("six segments")
        #expect(live.interstitials(base: base).map(\.content) == [.assetList(uri: "https://example.com/adpod?id=1")])
        // The playhead sits after the third of six segments.
        let playhead = live.durationMicroseconds - live.holdBack.wholeMicroseconds
        #expect(playhead == live.segments[3].startOffsetMicroseconds)
        let beacon = try #require(try playlist("D.6").interstitials(base: base).first)
        #expect(beacon.restrictions == [.skip, .jump])
        #expect(beacon.userAttributes == ["X-COM-EXAMPLE-BEACON": .number("123")])
        let skip = try #require(try playlist("D.7").interstitials(base: base).first?.skipControl)
        #expect(skip == SkipControl(offsetSeconds: 2, durationSeconds: 5, labelID: "Exit-Label"))
    }

    @Test func theDeltaUpdateFollowsTheLowLatencyExample() throws {
        let low = try #require(SpecificationExamples.media.first { $0.name == "low-latency playlist" })
        let update = try #require(SpecificationExamples.media.first { $0.name == "playlist delta update" })
        let previous = try Samples.mediaPlaylist(low.text)
        #expect(DeliveryDirectives.next(after: previous) == DeliveryDirectives(mediaSequence: 273, part: 3))
        let merged = try MediaPlaylist.merging(delta: Samples.mediaPlaylist(update.text), into: previous)
        #expect(merged.segments.map { merged.uri(of: $0) } == (266...272).map { "fileSequence\($0).mp4" })
        #expect(merged.trailingPartCount == 4)
        #expect(
            merged.segments.map { $0.mapURI.map { merged.string(in: $0) } } == Array(repeating: "init.mp4", count: 7)
        )
        #expect(merged.programDate(at: 0)?.iso8601 == "2019-02-14T02:13:36.106Z")
    }
}
