import AdServing
import HLS
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
    ) throws -> ScriptedViewer {
        let persona = Persona.forTests {
            $0.requests.steering = rule
            $0.pathways = pathways
        }
        return try .joined(
            .watching(persona) { $0.playback.variant = variant },
            multivariant: Self.channel(steering)
        )
    }

    private func manifest(_ priority: [String], seconds: Int = 300, reload: String? = nil, clones: [PathwayClone] = [])
        -> SteeringManifest
    {
        SteeringManifest(
            timeToLive: .seconds(seconds),
            reloadURI: reload,
            pathwayPriority: priority,
            pathwayClones: clones
        )
    }

    private func send(_ manifest: SteeringManifest, _ viewer: inout ScriptedViewer) throws {
        let taken = viewer.take(.steering)
        let url = try #require(taken)
        let channel = try #require(viewer.machine.facts.multivariant)
        let extended = SharedMultivariant.extended(channel.playlist, by: manifest, url: channel.url)
        viewer.send(.steered(SharedSteering(manifest, url: url, channel: extended)))
    }

    private func answer(_ viewer: inout ScriptedViewer) throws {
        let request = try #require(viewer.open.first { $0.role == .playlist })
        try viewer.answer(try ScriptedChannel().shared(at: viewer.seconds), index: request.index)
    }

    @Test(arguments: [
        (#"SERVER-URI="/steer",PATHWAY-ID="B""#, "b1.m3u8"), (#"SERVER-URI="/steer",PATHWAY-ID="A""#, "a1.m3u8"),
        (#"SERVER-URI="/steer""#, "a1.m3u8"), (#"SERVER-URI="/steer",PATHWAY-ID="X""#, "a1.m3u8"),
    ])
    func playbackBeginsOnTheNamedPathway(steering: String, playlist: String) throws {
        let viewer = try joined(steering)
        #expect(viewer.machine.playlistURL == Self.base + playlist)
    }

    @Test func theServerIsToldThePathwayAndTheThroughput() throws {
        let viewer = try joined()
        let url = viewer.open.first { $0.role == .steering }?.url
        #expect(url == "http://127.0.0.1:8080/steer?x=1&_HLS_pathway=B&_HLS_throughput=400000")
    }

    @Test func thePreferredPathwayIsTakenAtOnceWithTheSameVariant() throws {
        var viewer = try joined()
        try answer(&viewer)
        try send(manifest(["X", "A", "B"]), &viewer)
        #expect(viewer.machine.playlistURL == Self.base + "a1.m3u8")
        #expect(viewer.counted(.steeringSwitches) == 1)
        #expect(viewer.open.contains { $0.role == .playlist && $0.url == Self.base + "a1.m3u8" })
        #expect(viewer.wait(.steering) == 300)
    }

    @Test func aManifestThatChangesNothingSwitchesNothing() throws {
        var viewer = try joined()
        try send(manifest(["B", "A"], seconds: 10, reload: "/again"), &viewer)
        #expect(viewer.counted(.steeringSwitches) == 0)
        viewer.advance(seconds: 10)
        let url = viewer.open.first { $0.role == .steering }?.url
        #expect(url == "http://127.0.0.1:8080/again?_HLS_pathway=B&_HLS_throughput=400000")
    }

    @Test func aManifestInsideOfThePlaylistNeedsNoRequest() throws {
        let json = "{%22VERSION%22:1,%22PATHWAY-PRIORITY%22:[%22A%22,%22B%22]}"
        let viewer = try joined(#"SERVER-URI="data:application/json,\#(json)",PATHWAY-ID="B""#)
        #expect(viewer.count(.steering) == 0)
        #expect(viewer.machine.playlistURL == Self.base + "a1.m3u8")
        #expect(viewer.timers[.steering] == nil)
    }

    @Test func aClonedPathwayCanBePlayed() throws {
        var viewer = try joined()
        try answer(&viewer)
        let clone = PathwayClone(baseID: "B", id: "C", host: "127.0.0.9:8080")
        try send(manifest(["C", "B"], clones: [clone]), &viewer)
        #expect(viewer.machine.playlistURL == "http://127.0.0.9:8080/live/main/b1.m3u8")
    }

    @Test(arguments: [(Int32?.some(7), 7.0), (nil, 300), (0, 1)])
    func aBusyServerIsAskedAgainWhenItSays(retryAfter: Int32?, seconds: Double) throws {
        var viewer = try joined()
        viewer.take(.steering)
        viewer.send(.steeringFailed(.busy(retryAfter: retryAfter)))
        #expect(viewer.counted(.steeringDelayed) == 1)
        #expect(viewer.wait(.steering) == seconds)
        viewer.advance(seconds: seconds)
        let url = viewer.open.first { $0.role == .steering }?.url
        #expect(url == "http://127.0.0.1:8080/steer?x=1&_HLS_pathway=B&_HLS_throughput=400000")
    }

    @Test func aServerThatIsGoneIsNotAskedAgain() throws {
        var viewer = try joined()
        viewer.take(.steering)
        viewer.send(.steeringFailed(.gone))
        #expect(viewer.timers[.steering] == nil)
    }

    @Test func aFailureIsRetriedByThePersonasRuleAndThenAtTheUsualTime() throws {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .seconds(1)))
        var viewer = try joined(rule: rule)
        for wait in [1.0, 300] {
            viewer.take(.steering)
            viewer.send(.steeringFailed(.failed(.other)))
            #expect(viewer.wait(.steering) == wait)
            viewer.advance(seconds: wait)
        }
        #expect(viewer.count(.steering) == 1)
    }

    /// What the last manifest said of its life holds until another one comes.
    @Test(arguments: [SteeringFailure.busy(retryAfter: nil), .failed(.other)])
    func afterAManifestItsTimeToLiveIsWhenAFailedRequestIsMadeAgain(failure: SteeringFailure) throws {
        var viewer = try joined()
        try send(manifest(["B", "A"], seconds: 20), &viewer)
        for _ in 0..<2 {
            viewer.advance(seconds: 20)
            #expect(viewer.count(.steering) == 1)
            viewer.take(.steering)
            viewer.send(.steeringFailed(failure))
            #expect(viewer.wait(.steering) == 20)
        }
    }

    @Test func aPlayerThatKnowsNoSteeringAsksForNoneAndStays() throws {
        var viewer = try joined(pathways: PathwayFacts(followsSteering: false))
        #expect(viewer.count(.steering) == 0)
        try answer(&viewer)
        viewer.advance(seconds: 4)
        try viewer.fail(.unavailable)
        #expect(viewer.machine.playlistURL == Self.base + "b1.m3u8")
        #expect(viewer.counted(.steeringSwitches) == 0)
        #expect(!KnownPersona.media3.persona.pathways.followsSteering)
    }

    @Test(arguments: [(40.0, "b1.m3u8"), (300, "a1.m3u8")])
    func howLongAPathwayIsLeftIsAFactOfThePlayer(penalty: Double, playlist: String) throws {
        var viewer = try joined(pathways: PathwayFacts(penalty: .seconds(penalty)))
        try answer(&viewer)
        try send(manifest(["B", "A"], seconds: 60), &viewer)
        viewer.advance(seconds: 4)
        try viewer.fail(.unavailable)
        #expect(viewer.machine.playlistURL == Self.base + "a1.m3u8")
        while viewer.seconds < 60 {
            viewer.advance(seconds: 0.5)
            while viewer.count(.playlist) > 0 { try answer(&viewer) }
        }
        try send(manifest(["B", "A"], seconds: 60), &viewer)
        #expect(viewer.machine.playlistURL == Self.base + playlist)
    }

    @Test func aPathwayThatFailsIsLeftForTwoMinutes() throws {
        var viewer = try joined()
        try answer(&viewer)
        try send(manifest(["B", "A"], seconds: 60), &viewer)
        viewer.advance(seconds: 4)
        try viewer.fail(.unavailable)
        #expect(viewer.machine.playlistURL == Self.base + "a1.m3u8")
        #expect(viewer.counted(.steeringSwitches) == 1)
        for (at, playlist) in [(64.0, "a1.m3u8"), (128.0, "b1.m3u8")] {
            while viewer.seconds < at {
                viewer.advance(seconds: 0.5)
                while viewer.count(.playlist) > 0 { try answer(&viewer) }
            }
            if viewer.count(.steering) > 0 { try send(manifest(["B", "A"], seconds: 60), &viewer) }
            #expect(viewer.machine.playlistURL == Self.base + playlist, "\(at)")
        }
    }
}
