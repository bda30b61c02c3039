import Audit
import Rules
import Testing

@testable import Profile
@testable import Swarm
@testable import Viewer

/// What is read of a pathway that was left; how viewers follow steering are cases of `steering`.
@Suite struct SteeringTests {
    @Test func aLateAnswerOfThePathwayThatWasLeftIsNotRead() throws {
        let channel = ScriptedCrowd.pathways(#"SERVER-URI="/steer?x=1",PATHWAY-ID="B""#)
        let viewer = ScriptedCrowd.joined(.watching { $0.playback.variant = .lowest }, multivariant: channel)
        viewer.answerPlaylist(ScriptedChannel().text(at: 0))
        viewer.advance(seconds: 4)
        let late = try #require(viewer.first(.playlist))
        viewer.answer(.steering, #"{"VERSION":1,"TTL":300,"PATHWAY-PRIORITY":["A","B"]}"#)
        let (version, parsed) = (viewer.machine.screen.playback.latest?.version, viewer.parsed)
        viewer.answer(late, .init(body: ScriptedChannel().text(at: 40)))
        #expect(viewer.machine.screen.playback.latest?.version == version && viewer.parsed == parsed)
        #expect(viewer.machine.rendition(ofRequest: late.index) == nil)
        #expect(viewer.machine.rendition(ofRequest: viewer.machine.requestIndex(of: .video)) == .video)
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

    private func joined(_ change: (inout Persona) -> Void) -> ScriptedCrowd { .joined(.watching(.forTests(change))) }

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
        var pace = ReloadPace()
        let first = pace.smoothed(1_000_000)
        let last = (0..<5).reduce(0) { _, _ in pace.smoothed(0) }
        // One of six loads: its weight is halved by five later ones, and all weights make one.
        let keep = 0.870_550_563_296_124
        let weights = (0...5).map { number in (0..<number).reduce(1.0) { sum, _ in sum * keep } }
        #expect(first == 1_000_000 && abs(Double(last) - 1_000_000 * weights[5] / weights.reduce(0, +)) < 2)
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

    private static func after(_ rule: RetryRule, timeouts: Int = 0, all: Bool = false) -> RequestRule {
        let timeouts = RetryRule(retries: timeouts)
        return RequestRule(afterTimeout: timeouts, afterError: rule, afterNoAnswer: rule, retriesClientErrors: all)
    }

    private static let growing = RetryRule(retries: 3, firstWait: .seconds(1), longestWait: .seconds(3))
    private static let some = RetryRule(retries: 3, firstWait: .seconds(1))
    private static let linear = RetryRule(
        retries: 3,
        firstWait: .seconds(1),
        growth: .linear,
        longestWait: .seconds(5)
    )

    /// Waits between failures and the requests that follow them, until the loop goes on at its slowest pace.
    @Test(
        arguments: [
            (after(growing, timeouts: 2), [.other, .unavailable, .other, .other], [1, 2, 3, 2]),
            (after(growing, timeouts: 2), [.timeout, .timeout, .timeout], [0, 0, 2]),
            (after(linear), [.other, .other, .other, .other], [0, 1, 2, 2]),
            (after(some), [.clientError, .badRequest], [2, 2]),
            (after(some, all: true), [.clientError, .badRequest], [1, 2]), (RequestRule(), [.other], [2]),
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
        let viewer = retrying(Self.after(RetryRule(retries: 2, firstWait: .seconds(1))))
        for version in 2..<5 {
            viewer.fail(.other)
            #expect(viewer.wait(.reload) == 1)
            viewer.advance(seconds: 1)
            viewer.answerPlaylist(playlist(version))
            viewer.advance(seconds: viewer.wait(.reload) ?? 0)
        }
    }

    @Test func aFuzzedWaitIsDrawnAndStaysInItsBounds() throws {
        let rule = Self.after(RetryRule(retries: 1, firstWait: .seconds(1), fuzz: 0.5))
        let waits = try (0..<40).map { number in
            let viewer = ScriptedCrowd.joined(.watching(.forTests { $0.requests.playlist = rule }), number: number)
            viewer.fail(.other)
            return try #require(viewer.wait(.reload))
        }
        #expect(waits.allSatisfy { (0.5...1.5).contains($0) })
        #expect(Set(waits).count > 30)
    }
}
