import AdServing
import Testing

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

    @Test func readsTagsAdsAndBreaks() throws {
        let metadata = try metadata(document)
        #expect(
            metadata.tags == [
                .init(prefix: "google_55", adID: "ad1", adBreakID: "b1", type: "start"),
                .init(prefix: "google_5555", adID: "ad1", adBreakID: "b1", type: "firstquartile"),
                .init(prefix: "google_9", adID: "ad1", adBreakID: "b1", type: "progress"),
            ]
        )
        #expect(metadata.tags.map(\.isVerified) == [true, true, false])
        #expect(metadata.ads.map(\.id) == ["ad1", "ad2"])
        #expect(metadata.ads.map(\.sequence) == [1, 2])
        #expect(metadata.ads.map(\.duration) == [.milliseconds(15_500), .seconds(30)])
        #expect(metadata.ads.map(\.isSlate) == [false, true])
        #expect(metadata.ads.map(\.title) == ["T", nil])
        #expect(metadata.ads.map(\.clickThroughURL) == ["https://c/", nil])
        #expect(metadata.adBreaks.map(\.id) == ["b1"])
        #expect(metadata.adBreaks.map(\.type) == ["mid"])
        #expect(metadata.adBreaks.map(\.duration) == [.milliseconds(45_500)])
        #expect(metadata.adBreaks.map(\.ads) == [2])
        #expect(metadata.pollingFrequency == .seconds(10))
    }

    @Test(arguments: [
        ("google_55551", "firstquartile"), ("google_551", "start"), ("google_9", "progress"), ("google_1", nil),
        ("", nil),
    ])
    func theLongestPrefixMatches(_ mediaID: String, _ type: String?) throws {
        #expect(try metadata(document).tag(matching: mediaID)?.type == type)
    }

    @Test(arguments: ["{}", #"{"tags": [], "ads": null, "ad_breaks": 3}"#, #"{"ads": {"a": {"seq": 1e300}}}"#])
    func oddDocumentsAreRead(_ json: String) throws {
        let metadata = try metadata(json)
        #expect(metadata.tags.isEmpty)
        #expect(metadata.adBreaks.isEmpty)
        #expect(metadata.ads.allSatisfy { $0.sequence == nil && $0.duration == nil })
    }

    @Test func otherTextIsRefused() {
        #expect(throws: AdServingError.notJSON) { try metadata("<html>") }
        #expect(throws: AdServingError.notAnObject) { try metadata("[]") }
    }
}
