import Testing

@testable import LoadProfile

/// What may count as a view, and whether it is sent.
@Suite struct ImpressionTests {
    private static func serving(_ more: String) -> String {
        """
        duration: 60s
        target:
          podServing:
            contentURL: http://127.0.0.1:8081/live.m3u8
            adServer: http://127.0.0.1:8081
            authorisedHosts: [sink.example.com]
            networkCode: "1"
            customAssetKey: a
        audience: {viewers: 10}
        breaks: {source: {every: 20s}, podDuration: 10s}
        \(more)

        """
    }

    private func plan(_ more: String = "") throws -> LoadPlan {
        try Samples.reader.read(yaml: Self.serving(more), path: "Profiles/evening.yaml", overrides: [])
    }

    private func mistakes(_ more: String) throws -> String {
        let error = #expect(throws: ProfileErrors.self) { try plan(more) }
        return try #require(error).description
    }

    @Test func onlyTheEmbeddedOriginIsToldOfViewsUnasked() throws {
        #expect(try Samples.reader.read(yaml: Samples.minimal, path: "a.yaml", overrides: []).impressions == .allowed)
        #expect(try plan().impressions == .withheld)
    }

    @Test func theProfileDecides() throws {
        #expect(try plan("impressions: allowed").impressions == .allowed)
        #expect(try plan("impressions: withheld").impressions == .withheld)
        #expect(try plan("impressionSink: http://127.0.0.1:9000/").impressions == .sink("http://127.0.0.1:9000"))
        #expect(try plan("impressionSink: https://sink.example.com").impressions == .sink("https://sink.example.com"))
    }

    @Test(
        arguments: [
            ("impressions: yes", "impressions"),
            ("impressionSink: https://elsewhere.example", "may not be asked"),
            ("impressionSink: http://127.0.0.1:9000/path", "has a path"),
            ("impressions: allowed\nimpressionSink: http://127.0.0.1:9000", "says already what becomes of impressions"),
        ]
    )
    func whatContradictsItselfIsRefused(_ more: String, _ words: String) throws {
        #expect(try mistakes(more).contains(words))
    }

    @Test func stitchedAdsAreNotLoadedWithTheChannelByAccident() throws {
        let stitched = """
            duration: 60s
            target: {urlTemplates: {content: 'http://127.0.0.1/a.m3u8'}}
            audience: {viewers: 10}
            breaks: {stitched: true}
            playback: {segments: content}

            """
        let error = #expect(throws: ProfileErrors.self) {
            try Samples.reader.read(yaml: stitched, path: "a.yaml", overrides: [])
        }
        #expect(try #require(error).description.contains("stitched into the channel"))
        let allowed = stitched + "impressions: allowed\n"
        #expect(try Samples.reader.read(yaml: allowed, path: "a.yaml", overrides: []).impressions == .allowed)
    }

    @Test func aSinkKeepsPathAndQuery() {
        let url = "https://dai.google.com/verify/abc?x=1"
        #expect(ImpressionPlan.allowed.address(of: url) == url)
        #expect(ImpressionPlan.withheld.address(of: url) == nil)
        #expect(ImpressionPlan.sink("http://127.0.0.1:9").address(of: url) == "http://127.0.0.1:9/verify/abc?x=1")
        #expect(ImpressionPlan.sink("http://127.0.0.1:9").address(of: "no url") == nil)
    }

    @Test func whatIsWithheldIsAnotherWorkload() throws {
        #expect(try plan("impressions: allowed").workloadDigest != plan().workloadDigest)
        #expect(try plan("impressions: withheld").workloadDigest == plan().workloadDigest)
    }
}
