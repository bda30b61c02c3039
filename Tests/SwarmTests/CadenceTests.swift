import HLS
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// When playlists are loaded again, by each of the facts that a persona can have.
@Suite struct CadenceTests {
    /// Target duration 4 s, the last segment 3 s.
    private func shared(_ version: Int, lines: String = "") throws -> SharedPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(version)\n" + lines
        for index in 0..<5 {
            let date = WallTime(
                microseconds: ScriptedViewer.wallStart.microseconds + Int64((version + index) * 4 - 23) * 1_000_000
            )
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date.iso8601)\n#EXTINF:\(index == 4 ? 3 : 4),\n\(version + index).m4s\n"
        }
        return SharedPlaylist(
            version: version + 1,
            playlist: try .parsed(text),
            announced: [],
            url: ScriptedChannel.base + "media.m3u8"
        )
    }

    /// Seconds from one request to the next after answers that each took half a second; nil repeats the version before.
    private func waits(_ reload: ReloadFacts, start: StartFacts = StartFacts(point: .holdBack), news: [Bool]) throws
        -> [Double]
    {
        var viewer = try ScriptedViewer.joined(
            .watching(
                .forTests {
                    $0.reload = reload
                    $0.start = start
                }
            )
        )
        var version = 0
        var waits: [Double] = []
        for isNews in news {
            version += isNews ? 1 : 0
            let before = try #require(viewer.open.first { $0.role == .playlist }).plannedAt
            try viewer.answer(try shared(version), after: 0.5)
            let next = try #require(viewer.timers[.reload])
            waits.append(Double(next.nanoseconds(since: before)) / 1e9)
            viewer.advance(seconds: Double(next.nanoseconds(since: viewer.now)) / 1e9)
        }
        return waits
    }

    @Test(arguments: [
        (ReloadFacts.Basis.lastSegment, 3.0), (.targetDuration, 4), (.shorterNearEdge, 3),
    ])
    func afterAChangeTheBasisDecides(basis: ReloadFacts.Basis, seconds: Double) throws {
        let facts = ReloadFacts(afterChange: basis, unchanged: .halfTarget, clock: .loadStart)
        #expect(try waits(facts, news: [true, true, false]) == [seconds, seconds, 2])
    }

    @Test func farFromTheEdgeTheShorterSegmentDoesNotCount() throws {
        let facts = ReloadFacts(afterChange: .shorterNearEdge, unchanged: .halfTarget, clock: .loadStart)
        #expect(try waits(facts, start: StartFacts(point: .holdBack, targets: 4), news: [true]) == [4])
    }

    @Test func anUnchangedPlaylistMayWaitAsLongAsAChangedOne() throws {
        let facts = ReloadFacts(afterChange: .lastSegment, unchanged: .lastSegment, clock: .loadStart)
        #expect(try waits(facts, news: [true, false, false]) == [3, 3, 3])
    }

    @Test func aClockThatStartsAtCompletionDriftsByTheRoundTrip() throws {
        let facts = ReloadFacts(afterChange: .lastSegment, unchanged: .halfTarget, clock: .completion)
        #expect(try waits(facts, news: [true, true, false]) == [3.5, 3.5, 2.5])
    }

    @Test func aSmoothedClockTakesTheUsualRoundTripOff() throws {
        let facts = ReloadFacts(afterChange: .lastSegment, unchanged: .halfTarget, clock: .smoothedCompletion)
        for wait in try waits(facts, news: [true, true, true]) {
            #expect(abs(wait - 3) < 0.001)
        }
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

    @Test func aPlaylistThatDoesNotChangeIsLeftWhereTheFactsSaySo() throws {
        let facts = ReloadFacts(
            afterChange: .targetDuration,
            unchanged: .halfTarget,
            clock: .loadStart,
            stuckAfterTargets: 3.5
        )
        var viewer = try ScriptedViewer.joined(.watching(.forTests { $0.reload = facts }))
        try viewer.answer(try shared(1))
        // Polls at 4, 6, 8, 10, 12 and 14 s bring nothing new; 14 s is three and a half target durations.
        viewer.advance(seconds: 4)
        for _ in 0..<5 {
            try viewer.answer(try shared(1))
            #expect(viewer.counted(.variantSwitches) == 0, "\(viewer.seconds)")
            viewer.advance(seconds: 2)
        }
        #expect(viewer.seconds == 14)
        try viewer.answer(try shared(1))
        #expect(viewer.counted(.variantSwitches) == 1)
        #expect(viewer.open.first { $0.role == .playlist }?.url == "http://127.0.0.1:8080/live/main/v1/media.m3u8")
        #expect(viewer.timers[.reload] == nil)
    }

    @Test func withoutTheFactNobodyLeavesIt() throws {
        let facts = ReloadFacts(afterChange: .targetDuration, unchanged: .halfTarget, clock: .loadStart)
        var viewer = try ScriptedViewer.joined(
            .watching(.forTests { $0.reload = facts }) { $0.playback.switchEvery = nil }
        )
        for _ in 0..<30 {
            try viewer.answer(try shared(1))
            viewer.advance(seconds: viewer.wait(.reload) ?? 0)
        }
        #expect(viewer.counted(.variantSwitches) == 0)
    }

    // MARK: Retries

    private func retrying(_ rule: RequestRule) throws -> ScriptedViewer {
        var viewer = try ScriptedViewer.joined(.watching(.forTests { $0.requests.playlist = rule }))
        try viewer.answer(try shared(1))
        viewer.advance(seconds: 3)
        return viewer
    }

    /// Waits between failures and the requests that follow them, until the loop goes on at its slowest pace.
    private func waits(_ rule: RequestRule, _ reasons: [LoadFailure]) throws -> [Double] {
        var viewer = try retrying(rule)
        var waits: [Double] = []
        for reason in reasons {
            try viewer.fail(reason)
            let wait = try #require(viewer.wait(.reload))
            waits.append(wait)
            viewer.advance(seconds: wait)
            #expect(viewer.count(.playlist) == 1)
        }
        return waits
    }

    @Test func errorsAreRetriedAfterGrowingWaitsAndThenTheLoopGoesOn() throws {
        let rule = RequestRule(
            afterTimeout: RetryRule(retries: 2),
            afterError: RetryRule(retries: 3, firstWait: .seconds(1), longestWait: .seconds(3))
        )
        #expect(try waits(rule, [.other, .unavailable, .other, .other]) == [1, 2, 3, 2])
        #expect(try waits(rule, [.timeout, .timeout, .timeout]) == [0, 0, 2])
    }

    @Test func linearWaitsBeginWithNone() throws {
        let rule = RequestRule(
            afterError: RetryRule(retries: 3, firstWait: .seconds(1), growth: .linear, longestWait: .seconds(5))
        )
        #expect(try waits(rule, [.other, .other, .other, .other]) == [0, 1, 2, 2])
    }

    @Test func clientErrorsAreRetriedOnlyWhereTheFactsSaySo() throws {
        var rule = RequestRule(afterError: RetryRule(retries: 3, firstWait: .seconds(1)))
        #expect(try waits(rule, [.clientError, .badRequest]) == [2, 2])
        rule.retriesClientErrors = true
        #expect(try waits(rule, [.clientError, .badRequest]) == [1, 2])
    }

    @Test func aSuccessEndsTheCountOfFailures() throws {
        let rule = RequestRule(afterError: RetryRule(retries: 2, firstWait: .seconds(1)))
        var viewer = try retrying(rule)
        for version in 2..<5 {
            try viewer.fail(.other)
            #expect(viewer.wait(.reload) == 1)
            viewer.advance(seconds: 1)
            try viewer.answer(try shared(version))
            viewer.advance(seconds: viewer.wait(.reload) ?? 0)
        }
    }

    @Test func aFuzzedWaitIsDrawnAndStaysInItsBounds() throws {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .seconds(1), fuzz: 0.5))
        let waits = try (0..<40).map { number in
            var viewer = ScriptedViewer(.watching(.forTests { $0.requests.playlist = rule }), number: number)
            viewer.send(.join)
            viewer.take(.multivariant)
            viewer.send(.multivariant(try .forTests(), url: ScriptedChannel.base + "multivariant.m3u8"))
            try viewer.fail(.other)
            return try #require(viewer.wait(.reload))
        }
        #expect(waits.allSatisfy { (0.5...1.5).contains($0) })
        #expect(Set(waits).count > 30)
    }

    @Test func theMultivariantPlaylistHasARuleOfItsOwn() throws {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .milliseconds(250)))
        var viewer = ScriptedViewer(.watching(.forTests { $0.requests.multivariant = rule }))
        viewer.send(.join)
        viewer.take(.multivariant)
        viewer.send(.playlistFailed(plannedAt: viewer.now))
        #expect(viewer.wait(.reload) == 0.25)
        viewer.advance(seconds: 0.25)
        viewer.take(.multivariant)
        viewer.send(.playlistFailed(plannedAt: viewer.now))
        #expect(viewer.wait(.reload) == 1)
    }

    @Test func aSegmentIsRetriedAndThenPassedOver() throws {
        let rule = RequestRule(afterError: RetryRule(retries: 1, firstWait: .seconds(1)))
        var viewer = try ScriptedViewer.joined(
            .watching(.forTests { $0.requests.segment = rule }) { $0.playback.segments = .content }
        )
        try viewer.answer(try ScriptedChannel().shared(at: 0))
        #expect(viewer.take(.segment) == ScriptedChannel.base + "3.m4s")
        viewer.send(.mediaFinished(index: 0, failure: .other))
        #expect(viewer.count(.segment) == 0)
        viewer.advance(seconds: 1)
        #expect(viewer.take(.segment) == ScriptedChannel.base + "3.m4s")
        viewer.send(.mediaFinished(index: 0, failure: .other))
        #expect(viewer.take(.segment) == ScriptedChannel.base + "4.m4s")
    }
}
