import Audit
import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Pathways: where a viewer begins, what a steering manifest changes, and what it does when one fails.
@Suite struct SteeringTests {
    private static let base = "http://127.0.0.1:8080/live/main/"

    private static func channel(_ steering: String) -> String {
        """
        #EXTM3U
        #EXT-X-CONTENT-STEERING:\(steering)
        #EXT-X-STREAM-INF:BANDWIDTH=800000,PATHWAY-ID="A"
        a0.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=400000,PATHWAY-ID="A"
        a1.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=800000,PATHWAY-ID="B"
        b0.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=400000,PATHWAY-ID="B"
        b1.m3u8

        """
    }

    private func joined(
        _ steering: String = #"SERVER-URI="/steer?x=1",PATHWAY-ID="B""#,
        variant: PlaybackPlan.VariantChoice = .lowest,
        rule: RequestRule = RequestRule(),
        pathways: PathwayFacts = PathwayFacts()
    ) -> ScriptedCrowd {
        let persona = Persona.forTests {
            $0.requests.steering = rule
            $0.pathways = pathways
        }
        return .joined(
            .watching(persona) { $0.playback.variant = variant },
            multivariant: Self.channel(steering)
        )
    }

    /// Answers the steering request with a manifest.
    private func steer(_ viewer: ScriptedCrowd, _ priority: [String], seconds: Int = 300, _ more: String = "") {
        let order = priority.map { "\"\($0)\"" }.joined(separator: ",")
        viewer.answer(.steering, #"{"VERSION":1,"TTL":\#(seconds),"PATHWAY-PRIORITY":[\#(order)]\#(more)}"#)
    }

    private func answerPolls(_ viewer: ScriptedCrowd) {
        while let request = viewer.first(.playlist) {
            viewer.answer(request, .init(body: ScriptedChannel().text(at: viewer.seconds)))
        }
    }

    @Test(arguments: [
        (#"SERVER-URI="/steer",PATHWAY-ID="B""#, "b1.m3u8"), (#"SERVER-URI="/steer",PATHWAY-ID="A""#, "a1.m3u8"),
        (#"SERVER-URI="/steer""#, "a1.m3u8"), (#"SERVER-URI="/steer",PATHWAY-ID="X""#, "a1.m3u8"),
    ])
    func playbackBeginsOnTheNamedPathway(steering: String, playlist: String) {
        let viewer = joined(steering)
        #expect(viewer.machine.playlistURL == Self.base + playlist)
    }

    @Test func theServerIsToldThePathwayAndTheThroughput() {
        let viewer = joined()
        let url = viewer.first(.steering)?.url
        #expect(url == "http://127.0.0.1:8080/steer?x=1&_HLS_pathway=B&_HLS_throughput=400000")
    }

    @Test func thePreferredPathwayIsTakenAtOnceWithTheSameVariant() {
        let viewer = joined()
        answerPolls(viewer)
        steer(viewer, ["X", "A", "B"])
        #expect(viewer.machine.playlistURL == Self.base + "a1.m3u8")
        #expect(viewer.counted(.steeringSwitches) == 1)
        #expect(viewer.open.contains { $0.role == .playlist && $0.url == Self.base + "a1.m3u8" })
        #expect(viewer.wait(.steering) == 300)
    }

    @Test func aLateAnswerOfThePathwayThatWasLeftIsNotRead() throws {
        let viewer = joined()
        answerPolls(viewer)
        viewer.advance(seconds: 4)
        let late = try #require(viewer.first(.playlist))
        steer(viewer, ["A", "B"])
        let (version, parsed) = (viewer.machine.playback.latest?.version, viewer.parsed)
        viewer.answer(late, .init(body: ScriptedChannel().text(at: 40)))
        #expect(viewer.machine.playback.latest?.version == version && viewer.parsed == parsed)
        #expect(viewer.machine.facts.rendition(ofRequest: late.index) == nil)
        #expect(viewer.machine.facts.rendition(ofRequest: viewer.machine.requestIndex(of: .video)) == .video)
    }

    @Test func aManifestThatChangesNothingSwitchesNothing() {
        let viewer = joined()
        steer(viewer, ["B", "A"], seconds: 10, #","RELOAD-URI":"/again""#)
        #expect(viewer.counted(.steeringSwitches) == 0)
        viewer.advance(seconds: 10)
        let url = viewer.first(.steering)?.url
        #expect(url == "http://127.0.0.1:8080/again?_HLS_pathway=B&_HLS_throughput=400000")
    }

    @Test func aManifestInsideOfThePlaylistNeedsNoRequest() {
        let json = "{%22VERSION%22:1,%22PATHWAY-PRIORITY%22:[%22A%22,%22B%22]}"
        let viewer = joined(#"SERVER-URI="data:application/json,\#(json)",PATHWAY-ID="B""#)
        #expect(viewer.count(.steering) == 0 && viewer.timers[.steering] == nil)
        #expect(viewer.machine.playlistURL == Self.base + "a1.m3u8")
    }

    @Test func aClonedPathwayCanBePlayed() {
        let viewer = joined()
        answerPolls(viewer)
        let clone = #"{"BASE-ID":"B","ID":"C","URI-REPLACEMENT":{"HOST":"127.0.0.9:8080"}}"#
        steer(viewer, ["C", "B"], #","PATHWAY-CLONES":[\#(clone)]"#)
        #expect(viewer.machine.playlistURL == "http://127.0.0.9:8080/live/main/b1.m3u8")
    }

    /// One that is gone is not asked again.
    @Test(arguments: [(7, 7.0), (nil, 300), (0, 1)] as [(Int?, Double)])
    func aBusyServerIsAskedAgainWhenItSays(retryAfter: Int?, seconds: Double) {
        let viewer = joined()
        viewer.answer(.steering, status: 429, headers: retryAfter.map { ["retry-after": "\($0)"] } ?? [:])
        #expect(viewer.counted(.steeringDelayed) == 1 && viewer.wait(.steering) == seconds)
        viewer.advance(seconds: seconds)
        let url = viewer.answer(.steering, status: 410)
        #expect(url == "http://127.0.0.1:8080/steer?x=1&_HLS_pathway=B&_HLS_throughput=400000")
        #expect(viewer.timers[.steering] == nil)
    }

    @Test func aFailureIsRetriedByThePersonasRuleAndThenAtTheUsualTime() {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .seconds(1)))
        let viewer = joined(rule: rule)
        for wait in [1.0, 300] {
            viewer.answer(.steering, status: 502)
            #expect(viewer.wait(.steering) == wait)
            viewer.advance(seconds: wait)
        }
        #expect(viewer.count(.steering) == 1)
    }

    /// What the last manifest said of its life holds until another one comes.
    @Test(arguments: [429, 502])
    func afterAManifestItsTimeToLiveIsWhenAFailedRequestIsMadeAgain(status: Int) {
        let viewer = joined()
        steer(viewer, ["B", "A"], seconds: 20)
        for _ in 0..<2 {
            viewer.advance(seconds: 20)
            viewer.answer(.steering, status: status)
            #expect(viewer.wait(.steering) == 20)
        }
    }

    @Test func aPlayerThatKnowsNoSteeringAsksForNoneAndStays() {
        let viewer = joined(pathways: PathwayFacts(followsSteering: false))
        #expect(viewer.count(.steering) == 0)
        answerPolls(viewer)
        viewer.advance(seconds: 4)
        viewer.fail(.unavailable)
        #expect(viewer.machine.playlistURL == Self.base + "b1.m3u8")
        #expect(viewer.counted(.steeringSwitches) == 0)
    }

    /// By default for two minutes.
    @Test(
        arguments: [
            (40, ["b1.m3u8", "b1.m3u8"]), (300, ["a1.m3u8", "a1.m3u8"]), (nil, ["a1.m3u8", "b1.m3u8"]),
        ] as [(Double?, [String])]
    )
    func howLongAPathwayIsLeftIsAFactOfThePlayer(penalty: Double?, playlists: [String]) {
        let viewer = joined(pathways: penalty.map { PathwayFacts(penalty: .seconds($0)) } ?? PathwayFacts())
        answerPolls(viewer)
        steer(viewer, ["B", "A"], seconds: 60)
        viewer.advance(seconds: 4)
        viewer.fail(.unavailable)
        #expect(viewer.machine.playlistURL == Self.base + "a1.m3u8" && viewer.counted(.steeringSwitches) == 1)
        for (at, playlist) in zip([64.0, 128], playlists) {
            while viewer.seconds < at {
                viewer.advance(seconds: 0.5)
                answerPolls(viewer)
            }
            if viewer.count(.steering) > 0 { steer(viewer, ["B", "A"], seconds: 60) }
            #expect(viewer.machine.playlistURL == Self.base + playlist, "\(at)")
        }
    }
}
