import AdServing
import HLS
import Testing

@Suite struct StreamSessionTests {
    private func session(_ json: String) throws -> StreamSession {
        try Array(json.utf8).withUnsafeBytes { try StreamSession(json: $0) }
    }

    @Test func readsTheDocumentedAnswer() throws {
        let session = try session(
            """
            {
              "stream_id": "6e69425c-0ac5-43ef-b070-c5143ba68541:CHS",
              "media_verification_url": "https://dai.google.com/view/p/service/linear/stream/x/media/",
              "metadata_url": "https://dai.google.com/linear/pods/hls/pa/event/x/stream/y/metadata",
              "session_update_url": "https://dai.google.com/linear/v1/pa/event/x/stream/y/session",
              "pod_manifest_url": "https://dai.google.com/pod",
              "polling_frequency": 10, "manifest_format": "hls", "valid_for": "8h0m0s",
              "valid_until": "2026-11-22T04:00:00.000-08:00",
              "later_addition": {"nested": [1, null, true]}
            }
            """
        )
        #expect(session.streamID == StreamID("6e69425c-0ac5-43ef-b070-c5143ba68541:CHS"))
        #expect(session.mediaVerificationURL == "https://dai.google.com/view/p/service/linear/stream/x/media/")
        #expect(session.metadataURL == "https://dai.google.com/linear/pods/hls/pa/event/x/stream/y/metadata")
        #expect(session.sessionUpdateURL == "https://dai.google.com/linear/v1/pa/event/x/stream/y/session")
        #expect(session.pollingFrequency == .seconds(10))
        #expect(session.validFor == .seconds(28_800))
        #expect(session.validUntil == WallTime(iso8601: "2026-11-22T12:00:00Z"))
    }

    @Test(arguments: [
        "{}", #"{"stream_id": null}"#, #"{"stream_id": 5}"#, #"{"stream_id": ""}"#, #"{"stream_id": {"a": 1}}"#,
    ]) func anAnswerWithoutAStreamIDIsStillAnAnswer(_ json: String) throws {
        #expect(try session(json).streamID == nil)
    }

    @Test(arguments: ["", "<html>", "{", "{\"stream_id\": }", "\u{0}", "nonsense"])
    func textThatIsNoJSONIsRefused(_ json: String) { #expect(throws: AdServingError.notJSON) { try session(json) } }

    @Test(arguments: ["[]", "\"a\"", "5", "null", "true"]) func jsonThatIsNoObjectIsRefused(_ json: String) {
        #expect(throws: AdServingError.notAnObject) { try session(json) }
    }

    @Test(arguments: [
        ("8h0m0s", 28_800_000), ("90s", 90_000), ("1h", 3_600_000), ("1m30s", 90_000), ("1.5s", 1_500), ("250ms", 250),
        ("1h1m1s1ms", 3_661_001), ("", nil), ("8", nil), ("h", nil), ("-8h", nil), ("1s1h", nil), ("1h1h", nil),
        ("8 h", nil), ("1d", nil), ("999999999999h", nil), ("..s", nil), ("1e9h", nil), ("٣h", nil),
    ]) func durationTextIsReadOrMissing(_ text: String, _ milliseconds: Int?) throws {
        let expected = milliseconds.map { Duration.milliseconds($0) }
        #expect(try session("{\"valid_for\": \"\(text)\"}").validFor == expected)
    }

    @Test(arguments: [
        ("10", Duration.seconds(10)), ("0.5", .milliseconds(500)), ("\"10\"", .seconds(10)), ("-1", nil),
        ("1e300", nil), ("\"NaN\"", nil), ("\"soon\"", nil), ("null", nil), ("true", nil), ("[]", nil),
    ]) func thePollingFrequencyIsANumberOfSecondsOrMissing(_ json: String, _ expected: Duration?) throws {
        #expect(try session("{\"polling_frequency\": \(json)}").pollingFrequency == expected)
    }

    @Test func theEarlierEndCounts() throws {
        let registration = try #require(WallTime(iso8601: "2026-11-21T20:00:00Z"))
        let both = try session(#"{"valid_for": "1h0m0s", "valid_until": "2026-11-21T20:30:00Z"}"#)
        #expect(both.expiry(registeredAt: registration) == registration + .seconds(1_800))
        let hour = try session(#"{"valid_for": "1h0m0s"}"#).expiry(registeredAt: registration)
        #expect(hour == registration + .seconds(3_600))
        #expect(try session("{}").expiry(registeredAt: registration) == nil)
    }

    @Test func deepNestingEndsWithoutATrap() {
        let json = "{\"a\":" + String(repeating: "[", count: 100_000)
        #expect(throws: AdServingError.tooDeep) { try session(json) }
        func closed(_ depth: Int) -> String {
            "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        #expect(throws: Never.self) { try session(closed(127)) }
        #expect(throws: AdServingError.tooDeep) { try session(closed(128)) }
    }

    @Test func anAnswerOfTooManyValuesIsRefused() {
        let many = String(repeating: "0,", count: 250_000)
        #expect(throws: AdServingError.tooManyValues) { try session("{\"a\":[\(many)0]}") }
        #expect(throws: AdServingError.tooLarge) { try session(String(repeating: " ", count: 16 << 20) + "{}") }
    }

    @Test(arguments: ["stream_id", "metadata_url", "media_verification_url", "session_update_url"])
    func aTextThatNoRequestCarriesIsRefused(_ key: String) throws {
        let longest = String(repeating: "a", count: StreamSession.longestText)
        #expect(throws: Never.self) { try session("{\"\(key)\":\"\(longest)\"}") }
        #expect(throws: AdServingError.textTooLong) { try session("{\"\(key)\":\"\(longest)a\"}") }
    }
}
