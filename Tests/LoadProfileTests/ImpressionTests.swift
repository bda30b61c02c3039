import ProfileSyntax
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
            ("impressions: allow", "allowed: allowed, withheld; did you mean allowed?"),
            ("impressionSink: https://elsewhere.example", "may not be asked"),
            ("impressionSink: http://127.0.0.1:9000/path", "has a path"),
            ("impressions: allowed\nimpressionSink: http://127.0.0.1:9000", "says already what becomes of impressions"),
        ]
    )
    func whatContradictsItselfIsRefused(_ more: String, _ words: String) throws {
        #expect(try mistakes(more).contains(words))
    }

    private static func channel(_ target: String, breaks: String, segments: String, _ more: String = "") -> String {
        """
        duration: 60s
        target: \(target)
        audience: {viewers: 10}
        breaks: \(breaks)
        playback: {segments: \(segments)}
        \(more)

        """
    }

    private static let foreign = [
        "{urlTemplates: {content: 'http://127.0.0.1/a.m3u8'}}",
        "{mediaTailor: {server: 'http://127.0.0.1', asset: a/b/c.m3u8, reporting: client}}",
        "{eyevinnProxy: {master: 'http://127.0.0.1/a.m3u8'}}",
    ]

    @Test(arguments: foreign, ["{stitched: true}", "{interstitials: true}"])
    func stitchedAdsAreNotLoadedWithTheChannelByAccident(_ target: String, _ breaks: String) throws {
        for segments in ["content", "all"] {
            for more in ["", "impressions: withheld", "impressionSink: http://127.0.0.1:9000"] {
                let problems = Samples.problems(Self.channel(target, breaks: breaks, segments: segments, more))
                let problem = try #require(problems.first)
                #expect(problems.count == 1, "\(problems)")
                #expect(problem.contains("playback.segments: \(segments) loads "))
                #expect(problem.hasSuffix("may count as views; allowed: none or ads, or impressions: allowed"))
                #expect(problem.contains("nobody marked") == !breaks.contains("stitched"))
            }
            let allowed = Self.channel(target, breaks: breaks, segments: segments, "impressions: allowed")
            #expect(try Samples.reader.read(yaml: allowed, path: "a.yaml", overrides: []).impressions == .allowed)
        }
        for segments in ["none", "ads"] {
            #expect(Samples.problems(Self.channel(target, breaks: breaks, segments: segments)).isEmpty)
        }
    }

    @Test func podswarmsOwnChannelIsLoadedUnasked() {
        let breaks = "{source: {every: 20s}}"
        #expect(Samples.problems(Self.channel("embedded", breaks: breaks, segments: "all")).isEmpty)
        let withheld = Self.channel("embedded", breaks: breaks, segments: "all", "impressions: withheld")
        #expect(Samples.problems(withheld).isEmpty)
        let stitched = Self.channel("embedded", breaks: "{stitched: true}", segments: "all", "impressions: withheld")
        #expect(Samples.problems(stitched).count == 1)
    }

    @Test func aWordThatIsWrongIsAllThatIsSaidOfIt() {
        let problems = Samples.problems(
            Self.channel(Self.foreign[0], breaks: "{interstitials: true}", segments: "all", "impressions: yes")
        )
        #expect(problems.count == 1 && problems[0].contains("impressions: "), "\(problems)")
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
