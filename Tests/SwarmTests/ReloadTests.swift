import Audit
import Rules
import Testing

@testable import Profile
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
        return .joined(.watching(persona) { $0.playback.variant = variant }, multivariant: Self.channel(steering))
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

/// When playlists are loaded again, by each of the facts that a persona can have.
@Suite struct CadenceTests {
    /// Target duration 4 s, the last segment 3 s.
    private func playlist(_ version: Int) -> String {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(version)\n"
        for index in 0..<5 {
            text += AnswerBody.dateTag(Double((version + index) * 4 - 23))
            text += "#EXTINF:\(index == 4 ? 3 : 4),\n\(version + index).m4s\n"
        }
        return text
    }

    private func joined(
        _ change: (inout Persona) -> Void,
        _ more: (inout LoadPlan) -> Void = { _ in }
    ) -> ScriptedCrowd {
        .joined(.watching(.forTests(change), more))
    }

    /// Seconds from one poll to the next after answers of half a second each, which bring news or the version before.
    private func waits(_ reload: ReloadFacts, targets: Double? = nil, news: [Bool]) throws -> [Double] {
        let viewer = joined {
            $0.reload = reload
            $0.start = targets.map { StartFacts(point: .holdBack, targets: $0) } ?? StartFacts(point: .holdBack)
        }
        var version = 0
        for isNews in news {
            version += isNews ? 1 : 0
            viewer.answerPlaylist(playlist(version), after: 0.5)
            viewer.advance(seconds: try #require(viewer.wait(.reload)))
        }
        let polls = viewer.asked(.playlist)
        return zip(polls.dropFirst(), polls).map { $0 - $1 }
    }

    /// The profile's own player is the first row's.
    @Test(
        arguments: [
            (.lastSegment, .halfTarget, .loadStart, nil, [3, 3, 2]),
            (.targetDuration, .halfTarget, .loadStart, nil, [4, 4, 2]),
            (.shorterNearEdge, .halfTarget, .loadStart, nil, [3, 3, 2]),
            // Far from the edge the shorter segment does not count.
            (.shorterNearEdge, .halfTarget, .loadStart, 4, [4, 4, 2]),
            (.lastSegment, .lastSegment, .loadStart, nil, [3, 3, 3]),
            // A clock that starts at completion drifts by the round trip.
            (.lastSegment, .halfTarget, .completion, nil, [3.5, 3.5, 2.5]),
        ] as [(ReloadFacts.Basis, ReloadFacts.Unchanged, ReloadFacts.Clock, Double?, [Double])]
    )
    func theFactsDecideHowLongAPollWaits(
        afterChange: ReloadFacts.Basis,
        unchanged: ReloadFacts.Unchanged,
        clock: ReloadFacts.Clock,
        targets: Double?,
        expected: [Double]
    ) throws {
        let facts = ReloadFacts(afterChange: afterChange, unchanged: unchanged, clock: clock)
        #expect(try waits(facts, targets: targets, news: [true, true, false]) == expected)
    }

    @Test func aSmoothedClockTakesTheUsualRoundTripOff() throws {
        let facts = ReloadFacts(afterChange: .lastSegment, unchanged: .halfTarget, clock: .smoothedCompletion)
        for wait in try waits(facts, news: [true, true, true]) { #expect(abs(wait - 3) < 0.001) }
    }

    @Test func aRoundTripFiveLoadsAgoWeighsHalf() {
        var time = SmoothedTime()
        time.add(nanoseconds: 1_000_000)
        #expect(time.nanoseconds == 1_000_000)
        for _ in 0..<5 { time.add(nanoseconds: 0) }
        // One of six loads: its weight is halved by five later ones, and all weights make one.
        let keep = 0.870_550_563_296_124
        let weights = (0...5).map { number in (0..<number).reduce(1.0) { sum, _ in sum * keep } }
        #expect(abs(Double(time.nanoseconds) - 1_000_000 * weights[5] / weights.reduce(0, +)) < 2)
    }

    /// Polls at 4, 6, 8, 10, 12 and 14 s bring nothing new; 14 s is three and a half target durations.
    @Test(arguments: [(3.5, 1), (nil, 0)] as [(Double?, Int)])
    func aPlaylistThatDoesNotChangeIsLeftWhereTheFactsSaySo(targets: Double?, switches: Int) {
        let viewer = joined {
            $0.reload = ReloadFacts(
                afterChange: .targetDuration,
                unchanged: .halfTarget,
                clock: .loadStart,
                stuckAfterTargets: targets
            )
        }
        viewer.answerPlaylist(playlist(1))
        viewer.advance(seconds: 4)
        for _ in 0..<5 {
            viewer.answerPlaylist(playlist(1))
            #expect(viewer.counted(.variantSwitches) == 0, "\(viewer.seconds)")
            viewer.advance(seconds: 2)
        }
        #expect(viewer.seconds == 14)
        viewer.answerPlaylist(playlist(1))
        #expect(viewer.counted(.variantSwitches) == switches)
        guard switches > 0 else { return }
        #expect(viewer.first(.playlist)?.url == "http://127.0.0.1:8080/live/main/v1/media.m3u8")
        #expect(viewer.timers[.reload] == nil)
    }

    // MARK: Retries

    private func retrying(_ rule: RequestRule) -> ScriptedCrowd {
        let viewer = joined { $0.requests.playlist = rule }
        viewer.answerPlaylist(playlist(1))
        viewer.advance(seconds: 3)
        return viewer
    }

    private static let growing = RequestRule(
        afterTimeout: RetryRule(retries: 2),
        afterError: RetryRule(retries: 3, firstWait: .seconds(1), longestWait: .seconds(3))
    )
    private static let linear = RequestRule(
        afterError: RetryRule(retries: 3, firstWait: .seconds(1), growth: .linear, longestWait: .seconds(5))
    )
    private static let some = RequestRule(afterError: RetryRule(retries: 3, firstWait: .seconds(1)))
    private static let all = RequestRule(
        afterError: RetryRule(retries: 3, firstWait: .seconds(1)),
        retriesClientErrors: true
    )

    /// Waits between failures and the requests that follow them, until the loop goes on at its slowest pace.
    @Test(
        arguments: [
            (growing, [.other, .unavailable, .other, .other], [1, 2, 3, 2]),
            (growing, [.timeout, .timeout, .timeout], [0, 0, 2]),
            (linear, [.other, .other, .other, .other], [0, 1, 2, 2]), (some, [.clientError, .badRequest], [2, 2]),
            (all, [.clientError, .badRequest], [1, 2]), (RequestRule(), [.other], [2]),
        ] as [(RequestRule, [LoadFailure], [Double])]
    )
    func failuresAreRetriedByTheRule(rule: RequestRule, failures: [LoadFailure], expected: [Double]) throws {
        let viewer = retrying(rule)
        for (failure, wait) in zip(failures, expected) {
            viewer.fail(failure)
            #expect(viewer.wait(.reload) == wait)
            viewer.advance(seconds: wait)
            #expect(viewer.count(.playlist) == 1)
        }
    }

    @Test func aSuccessEndsTheCountOfFailures() {
        let viewer = retrying(RequestRule(afterError: RetryRule(retries: 2, firstWait: .seconds(1))))
        for version in 2..<5 {
            viewer.fail(.other)
            #expect(viewer.wait(.reload) == 1)
            viewer.advance(seconds: 1)
            viewer.answerPlaylist(playlist(version))
            viewer.advance(seconds: viewer.wait(.reload) ?? 0)
        }
    }

    @Test func aFuzzedWaitIsDrawnAndStaysInItsBounds() throws {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .seconds(1), fuzz: 0.5))
        let waits = try (0..<40).map { number in
            let viewer = ScriptedCrowd.joined(.watching(.forTests { $0.requests.playlist = rule }), number: number)
            viewer.fail(.other)
            return try #require(viewer.wait(.reload))
        }
        #expect(waits.allSatisfy { (0.5...1.5).contains($0) })
        #expect(Set(waits).count > 30)
    }

    @Test func theMultivariantPlaylistHasARuleOfItsOwn() {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .milliseconds(250)))
        let viewer = ScriptedCrowd(.watching(.forTests { $0.requests.multivariant = rule }))
        viewer.join()
        for wait in [0.25, 1] {
            viewer.answer(.multivariant, status: 502)
            #expect(viewer.wait(.reload) == wait && viewer.machine.phase == .joining)
            viewer.advance(seconds: wait)
        }
        #expect(viewer.count(.multivariant) == 1)
    }

    @Test func aSegmentIsRetriedAndThenPassedOver() {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .seconds(1)))
        let viewer = joined {
            $0.requests.segment = rule
        } _: {
            $0.playback.segments = .content
        }
        viewer.answerPlaylist(ScriptedChannel().text(at: 0))
        #expect(viewer.answer(.segment, status: 502) == ScriptedChannel.base + "3.m4s")
        #expect(viewer.count(.segment) == 0)
        viewer.advance(seconds: 1)
        #expect(viewer.answer(.segment, status: 502) == ScriptedChannel.base + "3.m4s")
        #expect(viewer.first(.segment)?.url == ScriptedChannel.base + "4.m4s")
    }
}
