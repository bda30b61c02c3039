import Testing

@testable import Profile

/// Requests that may count as views, and whether they are sent.
@Suite struct ImpressionTests {
    private static func plan(_ more: String = "") throws -> LoadPlan {
        let target = Samples.podServing("authorisedHosts: [sink.example.com]")
        return try Samples.plan(Samples.profile(target: target, and: more))
    }

    @Test(arguments: [
        ("", ImpressionPlan.withheld), ("impressions: allowed", .allowed), ("impressions: withheld", .withheld),
        ("impressionSink: http://127.0.0.1:9000/", .sink("http://127.0.0.1:9000")),
        ("impressionSink: https://sink.example.com", .sink("https://sink.example.com")),
    ]) func theProfileDecides(text: String, impressions: ImpressionPlan) throws {
        #expect(try Self.plan(text).impressions == impressions)
    }

    @Test func theEmbeddedOriginIsToldOfViewsUnasked() throws { #expect(try Samples.plan().impressions == .allowed) }

    @Test(
        arguments: [
            "{urlTemplates: {content: 'http://127.0.0.1/a.m3u8'}}",
            "{mediaTailor: {server: 'http://127.0.0.1', asset: a/b/c.m3u8, reporting: client}}",
            "{eyevinnProxy: {master: 'http://127.0.0.1/a.m3u8'}}",
        ],
        ["{stitched: true}", "{interstitials: true}"]
    ) func stitchedAdsAreNotLoadedWithTheChannelByAccident(_ target: String, _ breaks: String) throws {
        func problems(_ segments: String, _ more: String = "") -> [String] {
            let rest = "playback: {segments: \(segments)}\n\(more)"
            return Samples.problems(Samples.profile(target: target, breaks: breaks, and: rest))
        }
        for segments in ["content", "all"] {
            for more in ["", "impressions: withheld", "impressionSink: http://127.0.0.1:9000"] {
                let found = problems(segments, more)
                let problem = try #require(found.first)
                #expect(found.count == 1, "\(found)")
                #expect(problem.contains("playback.segments: \(segments) loads "))
                #expect(problem.hasSuffix("may count as views; allowed: none or ads, or impressions: allowed"))
                #expect(problem.contains("unmarked ads") == !breaks.contains("stitched"))
            }
            #expect(problems(segments, "impressions: allowed").isEmpty)
        }
        #expect(problems("none").isEmpty && problems("ads").isEmpty)
    }

    @Test func aSinkKeepsPathAndQuery() {
        let url = "https://dai.google.com/verify/abc?x=1"
        #expect(ImpressionPlan.allowed.address(of: url) == url)
        #expect(ImpressionPlan.withheld.address(of: url) == nil)
        #expect(ImpressionPlan.sink("http://127.0.0.1:9").address(of: url) == "http://127.0.0.1:9/verify/abc?x=1")
        #expect(ImpressionPlan.sink("http://127.0.0.1:9").address(of: "no url") == nil)
    }
}
