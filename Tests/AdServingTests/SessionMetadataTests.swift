import TestSupport
import Testing

@testable import AdServing

@Suite struct SessionMetadataTests {
    private func metadata(_ json: String) throws -> SessionMetadata {
        try Array(json.utf8).withUnsafeBytes { try SessionMetadata(json: $0) }
    }

    private let document = """
        {
          "polling_frequency": 10,
          "tags": {
            "google_5555": {"ad": "ad1", "ad_break_id": "b1", "type": "firstquartile"},
            "google_55": {"ad": "ad1", "ad_break_id": "b1", "type": "start"},
            "google_9": {"ad": "ad1", "ad_break_id": "b1", "type": "progress"},
            "google_bad": 5
          },
          "ads": {
            "ad1": {"ad_break_id": "b1", "seq": 1, "duration": 15.5, "title": "T", "clickthrough_url": "https://c/"},
            "ad2": {"ad_break_id": "b1", "seq": 2, "duration": "30", "slate": true}
          },
          "ad_breaks": {"b1": {"type": "mid", "duration": 45.5, "ads": 2}}
        }
        """

    @Test func readsTagsAndAds() throws {
        let metadata = try metadata(document)
        #expect(
            metadata.tags == [
                .init(prefix: "google_55", adID: "ad1", adBreakID: "b1", type: "start"),
                .init(prefix: "google_5555", adID: "ad1", adBreakID: "b1", type: "firstquartile"),
                .init(prefix: "google_9", adID: "ad1", adBreakID: "b1", type: "progress"),
            ]
        )
        #expect((metadata.tags.map(\.isVerified), metadata.ads.map(\.id)) == ([true, true, false], ["ad1", "ad2"]))
        #expect(metadata.ads.map(\.sequence) == [1, 2])
        #expect(metadata.ads.map(\.duration) == [.milliseconds(15_500), .seconds(30)])
        #expect(metadata.ads.map(\.isSlate) == [false, true])
        #expect(metadata.pollingFrequency == .seconds(10))
    }

    @Test(arguments: [
        ("google_55551", "firstquartile"), ("google_551", "start"), ("google_9", "progress"), ("google_1", nil),
        ("", nil),
    ]) func theLongestPrefixMatches(_ mediaID: String, _ type: String?) throws {
        #expect(try metadata(document).tag(matching: mediaID)?.type == type)
    }

    @Test(arguments: ["{}", #"{"tags": [], "ads": null, "ad_breaks": 3}"#, #"{"ads": {"a": {"seq": 1e300}}}"#])
    func oddDocumentsAreRead(_ json: String) throws {
        let metadata = try metadata(json)
        #expect(metadata.tags.isEmpty)
        #expect(metadata.ads.allSatisfy { $0.sequence == nil && $0.duration == nil })
    }

    @Test func ofEntriesWithOneIDTheFirstCounts() throws {
        let metadata = try metadata(
            #"{"tags": {"b": {"type": "1"}, "a": {}, "b": {"type": "2"}, "a": 5}, "ads": {"x": 1, "x": {}}}"#
        )
        #expect((metadata.tags.map(\.prefix), metadata.tags.map(\.type)) == (["a", "b"], ["", "1"]))
        #expect(metadata.ads.isEmpty)
    }

    /// The one that is found by halves is the one that is found by trying each.
    @Test func prefixesOfPrefixesMatch() throws {
        let prefixes = ["", "a", "aa", "aab", "aabb", "ab", "abc", "b", "é", "aaa\u{301}"]
        for left in 0..<1 << prefixes.count {
            let chosen = prefixes.indices.filter { left & 1 << $0 != 0 }.map { prefixes[$0] }
            let members = chosen.map { "\"\($0)\":{}" }.joined(separator: ",")
            let metadata = try metadata("{\"tags\":{\(members)}}")
            for id in [
                "", "a", "aa", "aaa", "aaaa", "aab", "aabbb", "aac", "abcd", "abd", "b", "bb", "c", "é", "éa",
                "aaa\u{301}",
            ] {
                let wanted = chosen.filter { id.utf8.starts(with: $0.utf8) }.max { $0.utf8.count < $1.utf8.count }
                #expect(metadata.tag(matching: id)?.prefix == wanted)
            }
        }
    }

    private static func large(_ tags: Int) -> [UInt8] {
        let types = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]
        let entries = (0..<tags).map { "\"google_\($0)\":{\"ad\":\"ad\($0 / 5)\",\"type\":\"\(types[$0 % 5])\"}" }
        let ads = (0..<tags / 5).map { "\"ad\($0)\":{\"ad_break_id\":\"b\",\"seq\":\($0)}" }
        let text = "{\"tags\":{\(entries.joined(separator: ","))},\"ads\":{\(ads.joined(separator: ","))}}"
        return Array(text.utf8)
    }

    @Test func thousandsOfTagsTakeATimeThatGrowsWithThem() throws {
        let ids = try LinearTime.expect(
            of: 20_000,
            make: { Self.large($0) },
            work: { text in
                let metadata = try text.withUnsafeBytes { try SessionMetadata(json: $0) }
                let ids = metadata.mediaIDs(of: .adBreakID("b"))
                return ids.filter { metadata.tag(matching: "\($0)x")?.adID != nil }
            }
        )
        #expect(!ids.isEmpty && ids == ids.indices.map { "google_\($0)" })
    }

    @Test(arguments: [
        (#""a":{"ad":"1","type":"start"},"b":{"ad":"1","type":"start"}"#, "start"),
        (#""a":{"ad":"1","type":"start"},"b":{"ad":"2","type":"start"}"#, nil),
        (#""a":{"ad":"1","type":"start"},"b":{"ad":"1","type":"complete"}"#, nil),
        (#""a":{"ad":"1","type":"progress"},"b":{"ad":"1","type":"progress"}"#, nil),
        (#""a":{"ad":"9","type":"start"},"b":{"ad":"9","type":"start"}"#, nil), ("", nil),
    ]) func twoMediaIDsOfOneEventAreDoubled(tags: String, event: String?) throws {
        #expect(try metadata("{\"tags\":{\(tags)}}").doubledEvent(ofAds: ["1", "2"]) == event)
    }

    @Test func otherTextIsRefused() {
        #expect(throws: AdServingError.notJSON) { try metadata("<html>") }
        #expect(throws: AdServingError.notAnObject) { try metadata("[]") }
    }
}
