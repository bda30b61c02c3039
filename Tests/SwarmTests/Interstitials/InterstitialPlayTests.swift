import AdServing
import HLS
import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What is played of an interstitial, and where the programme goes on.
@Suite struct InterstitialPlayTests {
    /// How far behind the live edge a viewer is after an interstitial of 10 s, by X-RESUME-OFFSET: WWDC21 session 10140.
    private static let resumptions: [(String, Double)] = [
        // Absent: on where the programme would be by now.
        ("", 6),
        // Zero: where it was left.
        ("X-RESUME-OFFSET=0", 16),
        ("X-RESUME-OFFSET=4", 12),
        ("X-RESUME-OFFSET=12.5", 3.5),
        ("X-RESUME-OFFSET=-2", 18),
        // The limit takes the place of the duration.
        ("X-PLAYOUT-LIMIT=7", 6),
        ("X-PLAYOUT-LIMIT=7,X-RESUME-OFFSET=0", 13),
        ("X-PLAYOUT-LIMIT=20", 6),
    ]

    @Test(arguments: Self.resumptions)
    func theProgrammeGoesOnAtTheResumeOffset(attributes: String, latency: Double) throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, attributes)])
        channel.reply("/list/a", .list([("x.m3u8", 5), ("y.m3u8", 5)]))
        try channel.run(seconds: 45)
        #expect(channel.outcomes == ["a on time"])
        #expect(abs(channel.latency - latency) < 0.1, "\(channel.latency)")
        let isCut = attributes.contains("LIMIT=7")
        #expect(channel.counted(.eventsCutShort) == (isCut ? 1 : 0))
        #expect(channel.counted(.eventsFinished) == (isCut ? 0 : 1))
        #expect(channel.viewer.adEvents.last == .adBreakEnded)
        #expect(channel.viewer.machine.phase == .watching)
    }

    @Test func eachAdGoesThroughItsEvents() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20)])
        channel.reply("/list/a", .list([("x.m3u8", 5), ("y.m3u8", 5)]))
        try channel.run(seconds: 45)
        let ad: [TrackingEvent] = [.started, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        #expect(
            channel.viewer.adEvents == [.adBreakStarted, .adPeriodStarted] + ad + ad + [.adPeriodEnded, .adBreakEnded]
        )
        #expect(channel.counted(.eventsScheduled) == 1)
        #expect(channel.counted(.eventsStarted) == 1)
    }

    @Test func aLimitThatIsAddedWhileItPlaysEndsItEarly() throws {
        var early = InterstitialChannel.list("a", at: 20)
        early.until = 30
        var limited = InterstitialChannel.list("a", at: 20, "X-PLAYOUT-LIMIT=8")
        limited.from = 30
        var channel = try InterstitialChannel([early, limited])
        channel.reply("/list/a", .list([("x.m3u8", 15)]))
        try channel.run(seconds: 50)
        #expect(channel.counted(.eventsChanged) == 1)
        #expect(channel.counted(.eventsCutShort) == 1)
        #expect(channel.viewer.adEvents.count { $0 == .complete } == 0)
        // It began at 26 s and ended at 34 s, where the programme is at 28 s.
        #expect(abs(channel.latency - 6) < 0.1, "\(channel.latency)")
    }

    @Test func aLimitThatHasPassedWhenItIsAddedEndsItAtOnce() throws {
        var early = InterstitialChannel.list("a", at: 20)
        early.until = 35
        var limited = InterstitialChannel.list("a", at: 20, "X-PLAYOUT-LIMIT=2")
        limited.from = 35
        var channel = try InterstitialChannel([early, limited])
        channel.reply("/list/a", .list([("x.m3u8", 30)]))
        try channel.run(seconds: 38)
        #expect(channel.counted(.eventsCutShort) == 1)
        #expect(channel.viewer.machine.phase == .watching)
    }

    @Test func interstitialsOfOneDateArePlayedInTheirOrderAndTheirOffsetsAddUp() throws {
        let ranges = [
            InterstitialChannel.list("first", at: 20, "X-RESUME-OFFSET=1"),
            InterstitialChannel.list("second", at: 20, "X-RESUME-OFFSET=2"),
        ]
        var channel = try InterstitialChannel(ranges)
        channel.reply("/list/first", .list([("x.m3u8", 5)]))
        channel.reply("/list/second", .list([("y.m3u8", 5)]))
        try channel.run(seconds: 50)
        #expect(channel.outcomes == ["first on time", "second on time"])
        #expect(channel.counted(.eventsFinished) == 2)
        // Ten seconds of ads, and three of them on the programme's own account.
        #expect(abs(channel.latency - 13) < 0.1, "\(channel.latency)")
    }

    @Test func whatBeginsInTheStretchThatIsJumpedOverIsSkipped() throws {
        let ranges = [
            InterstitialChannel.list("a", at: 20, "X-RESUME-OFFSET=8"), InterstitialChannel.list("b", at: 25),
        ]
        var channel = try InterstitialChannel(ranges)
        try channel.run(seconds: 45)
        #expect(channel.outcomes == ["a on time", "b skipped during_ads"])
        #expect(channel.counted(.eventsSkipped) == 1)
    }

    /// The ad of the first is some milliseconds longer than the second's date leaves it.
    @Test(arguments: [5.0, 5.015])
    func whatFollowsBackToBackIsPlayedAfterAnAdThatIsALittleTooLong(seconds: Double) throws {
        let ranges = [InterstitialChannel.list("a", at: 20), InterstitialChannel.list("b", at: 25)]
        for trigger in [InterstitialFacts.Trigger.buffered, .playhead(.seconds(3))] {
            var channel = try InterstitialChannel(ranges, trigger: trigger)
            channel.reply("/list/a", .list([("x.m3u8", seconds)]))
            channel.reply("/list/b", .list([("y.m3u8", 5)]))
            try channel.run(seconds: 50)
            #expect(channel.outcomes == ["a on time", "b on time"])
            #expect(channel.counted(.eventsFinished) == 2)
            #expect(abs(channel.latency - 6) < 0.1, "\(channel.latency)")
        }
    }

    @Test func aPreRollComesBeforeTheProgrammeAndOnlyForWhoJoins() throws {
        var range = InterstitialChannel.list("pre", at: 0, "CUE=\"PRE\"")
        var channel = try InterstitialChannel([range])
        try channel.run(seconds: 20)
        #expect(channel.asks(.assetList) == [0])
        #expect(channel.outcomes == ["pre on time"])
        #expect(channel.counted(.eventsFinished) == 1)
        range.from = 10
        var later = try InterstitialChannel([range])
        try later.run(seconds: 30)
        #expect(later.asked.isEmpty)
        #expect(later.books == (0, 0))
    }

    @Test func aPostRollComesWhenTheChannelHasEnded() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("post", at: 0, "CUE=\"POST\"")])
        try channel.run(seconds: 21)
        #expect(channel.asked.isEmpty)
        channel.hasEnded = true
        try channel.run(seconds: 30)
        #expect(channel.outcomes == ["post on time"])
        #expect(channel.counted(.eventsFinished) == 1)
    }

    @Test func theBoundaryNearestToItsStartIsWhereASnappedOneBegins() throws {
        for (attributes, due) in [("", 27.3), ("X-SNAP=\"OUT\"", 28.0)] {
            var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 21.3, attributes)])
            channel.reply("/list/a", .list([("x.m3u8", 5)]))
            var startedAt = -1.0
            while channel.seconds < 40, startedAt < 0 {
                try channel.run(seconds: 0.05)
                if channel.counted(.eventsStarted) == 1 { startedAt = channel.seconds }
            }
            #expect(abs(startedAt - due) < 0.11, "\(attributes): \(startedAt)")
        }
    }

    @Test func aSnappedStartStaysWhenItsSegmentHasLeftTheWindow() throws {
        // The first one leaves the viewer eleven seconds behind, and the window is eight seconds long.
        let ranges = [
            InterstitialChannel.list("a", at: 14, "X-RESUME-OFFSET=0"),
            InterstitialChannel.list("b", at: 21.3, "X-SNAP=\"OUT\""),
        ]
        var channel = try InterstitialChannel(ranges)
        channel.windowSegments = 4
        var startedAt = -1.0
        while channel.seconds < 60, startedAt < 0 {
            try channel.run(seconds: 0.05)
            if channel.counted(.eventsStarted) == 2 { startedAt = channel.seconds }
        }
        #expect(abs(startedAt - 33) < 0.11, "\(startedAt)")
    }

    @Test func aSnappedReturnIsAtASegmentsBoundary() throws {
        var channel = try InterstitialChannel([
            InterstitialChannel.list("a", at: 20, "X-SNAP=\"IN\",X-RESUME-OFFSET=2.7")
        ])
        channel.reply("/list/a", .list([("x.m3u8", 5)]))
        try channel.run(seconds: 40)
        // Left at 20 s, back at 22 s instead of 22.7 s, five seconds later.
        #expect(abs(channel.latency - 9) < 0.1, "\(channel.latency)")
    }

    @Test func whatIsTakenAwayBeforeItIsReachedIsCancelled() throws {
        var range = InterstitialChannel.list("a", at: 40)
        range.until = 20
        var channel = try InterstitialChannel([range], trigger: .discovery)
        try channel.run(seconds: 60)
        #expect(channel.counted(.eventsCancelled) == 1)
        #expect(channel.counted(.eventsStarted) == 0)
        #expect(channel.outcomes.isEmpty)
        #expect(channel.books == (1, 1))
    }

    // MARK: Joining inside

    @Test(arguments: [true, false])
    func whoJoinsInsideBeginsThere(sends: Bool) throws {
        // The break lies from 20 s to 35 s of the programme; a viewer that joins at 33 s is at 26 s.
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, "DURATION=15")], joining: 33) {
            $0.playback.segments = .none
        } facts: {
            $0.interstitials.sendsStartOffset = sends
        } replies: { channel in
            // A server that is told the offset answers with what is left from there on.
            channel.reply("/list/a", .list([("x.m3u8", 5), ("y.m3u8", 5), ("z.m3u8", 5)]))
            channel.reply("_HLS_start_offset", .list([("rest.m3u8", 9)]))
        }
        #expect(channel.counted(.joinedMidBreak) == 1)
        let url = try #require(channel.asked.first?.url)
        #expect(url.contains("_HLS_start_offset=6") == sends)
        try channel.run(seconds: 20)
        let assets = channel.asked.filter { $0.role == .assetManifest }.map { $0.url.prefix { $0 != "?" }.suffix(11) }
        #expect(assets == (sends ? ["0/rest.m3u8"] : ["8080/y.m3u8", "8080/z.m3u8"]))
        #expect(channel.outcomes == ["a on time"])
        #expect(channel.counted(.eventsFinished) == 1)
        // Nine seconds of ads are left, after which the programme is at 35 s, as far behind as it was.
        #expect(abs(channel.latency - 7) < 0.1, "\(channel.latency)")
        // Of the ad that was entered a second after its start, the beginning is not seen.
        #expect(channel.viewer.adEvents.count { $0 == .started } == 1)
        #expect(channel.viewer.adEvents.count { $0 == .complete } == (sends ? 1 : 2))
    }

    @Test func whoJoinsInsideWhereNothingIsLeftSeesNothing() throws {
        let range = InterstitialChannel.list("a", at: 20, "DURATION=15")
        var channel = try InterstitialChannel([range], joining: 33) { _ in
        } facts: {
            $0.interstitials.sendsStartOffset = false
        }
        try channel.run(seconds: 10)
        #expect(channel.outcomes == ["a skipped joined_late"])
        #expect(channel.counted(.eventsSkipped) == 1)
        #expect(channel.viewer.machine.phase == .watching)
        #expect(abs(channel.latency - 7) < 0.1, "\(channel.latency)")
    }

    /// A server that is told the offset leaves out what is over by then, which at the very end is everything.
    @Test func whoIsToldThatNothingIsLeftGoesOnWhereItJoined() throws {
        let range = InterstitialChannel.list("a", at: 20, "DURATION=6.5")
        var channel = try InterstitialChannel([range], joining: 33) { _ in
        } replies: { channel in
            channel.reply("_HLS_start_offset", .list([]))
        }
        #expect(channel.counted(.joinedMidBreak) == 1)
        try channel.run(seconds: 10)
        #expect(channel.outcomes == ["a skipped joined_late"])
        #expect(channel.counted(.eventsFailed) == 0)
        #expect(channel.books == (1, 1))
        #expect(channel.viewer.machine.phase == .watching)
        #expect(abs(channel.latency - 7) < 0.1, "\(channel.latency)")
    }

    @Test func whoJoinsAfterItHasNothingToDoWithIt() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, "DURATION=5")], joining: 40)
        try channel.run(seconds: 20)
        #expect(channel.asked.isEmpty)
        #expect(channel.books == (0, 0))
    }

    @Test func whatIsAnnouncedWhenThePlayheadIsInItIsLost() throws {
        var range = InterstitialChannel.list("a", at: 20, "DURATION=15")
        range.from = 29
        var channel = try InterstitialChannel([range])
        try channel.run(seconds: 50)
        #expect(channel.outcomes == ["a announced_too_late"])
        #expect(channel.books == (1, 1))
    }

    // MARK: Others

    @Test func aViewerThatLeavesSettlesWhatIsLeft() throws {
        var channel = try InterstitialChannel([
            InterstitialChannel.list("a", at: 20), InterstitialChannel.list("b", at: 50),
            InterstitialChannel.list("c", at: 60),
        ])
        channel.reply("/list/a", .list([("x.m3u8", 15)]))
        try channel.run(seconds: 30)
        channel.leave()
        #expect(channel.counted(.eventsLeft) == 3)
        #expect(channel.counted(.leftDuringAds) == 1)
        #expect(channel.viewer.timers.isEmpty)
        #expect(channel.books == (3, 3))
    }

    @Test func thePodOfAnOwnBreakAndAnInterstitialNeverOverlap() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 12)]) {
            $0.breaks.source = .every(interval: .seconds(20), offset: .zero)
        }
        channel.viewer.send(.timer(.registrationRetry))
        channel.viewer.take(.registration)
        channel.viewer.send(.registered(try .forTests))
        channel.reply("/list/a", .list([("x.m3u8", 10)]))
        // The interstitial plays from 18 s to 28 s; the own break is at 20 s.
        try channel.run(seconds: 35)
        #expect(channel.outcomes == ["a on time"])
        #expect(channel.viewer.outcomes == [.breakSkipped(.duringAds)])
        #expect(channel.viewer.count(.podManifest) == 0)
        #expect(channel.viewer.adEvents.count { $0 == .adBreakStarted } == 1)
    }

    @Test func anInterstitialDuringAnOwnPodIsSkipped() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 16)]) {
            $0.breaks.source = .every(interval: .seconds(20), offset: .zero)
        }
        channel.viewer.send(.timer(.registrationRetry))
        channel.viewer.take(.registration)
        channel.viewer.send(.registered(try .forTests))
        try channel.run(seconds: 20)
        try channel.viewer.answerPod()
        try channel.run(seconds: 15)
        #expect(channel.viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(channel.outcomes == ["a skipped during_ads"])
    }
}
