import Rules
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Where a viewer starts, where its playhead is, and what holds it up.
@Suite struct PlayheadTests {
    private func date(_ seconds: Double) -> WallTime { ScriptedCrowd.wallStart + .milliseconds(Int64(seconds * 1e3)) }

    /// A viewer that was given its first playlist at the start of the run, when the live edge was just listed.
    private func watching(
        _ channel: ScriptedChannel,
        _ start: StartFacts = StartFacts(point: .holdBack),
        lowLatency: LowLatencyFacts = .usual,
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) -> ScriptedCrowd {
        let persona = Persona.forTests {
            $0.start = start
            $0.lowLatency = lowLatency
        }
        let viewer = ScriptedCrowd.joined(.watching(persona, change))
        viewer.answerPlaylist(channel.text(at: viewer.seconds))
        return viewer
    }

    // MARK: Start

    private static let control = "#EXT-X-SERVER-CONTROL:HOLD-BACK=13,PART-HOLD-BACK=1.5\n"
    private static let startTag = "#EXT-X-START:TIME-OFFSET=-9\n"
    private static let parts = "#EXT-X-PART-INF:PART-TARGET=0.5\n"

    @Test(arguments: [
        ("", StartFacts.Point.holdBack, 12.0),
        ("", .startTagThenHoldBack, 12), ("", .holdBackThenSegments, 9),
        (control, .holdBack, 13), (control, .startTagThenHoldBack, 13), (control, .holdBackThenSegments, 13),
        (startTag, .holdBack, 12), (startTag, .startTagThenHoldBack, 9), (startTag, .holdBackThenSegments, 9),
        (startTag + control, .startTagThenHoldBack, 9), (startTag + control, .holdBack, 13),
        ("#EXT-X-START:TIME-OFFSET=4\n", .startTagThenHoldBack, 14),
        ("#EXT-X-START:TIME-OFFSET=-900\n", .startTagThenHoldBack, 18),
        ("#EXT-X-START:TIME-OFFSET=900\n", .startTagThenHoldBack, 0),
        (parts + control, .holdBack, 13),
    ])
    func startsWhereItsFactsSay(header: String, point: StartFacts.Point, behind: Double) {
        let channel = ScriptedChannel(segmentSeconds: 3, header: header)
        let viewer = watching(channel, StartFacts(point: point))
        #expect(viewer.latency == behind)
    }

    @Test func otherStartsFollowFromTheirFacts() {
        let blocking = LowLatencyFacts(blocking: .always, skip: .never)
        let header = Self.parts + Self.control
        #expect(watching(ScriptedChannel(header: header), lowLatency: blocking).latency == 1.5)
        #expect(watching(ScriptedChannel(header: Self.control), lowLatency: blocking).latency == 13)
        #expect(watching(ScriptedChannel(), StartFacts(point: .holdBack, targets: 4)).latency == 16)
        // What is listed late is latency too.
        let viewer = watching(ScriptedChannel(delay: 1))
        #expect(viewer.latency == 12 + 4)
        #expect(viewer.machine.screen.playback.playheadInstant(of: date(10), viewer.turn) == ScriptedCrowd.instant(26))
    }

    @Test func aChannelWithoutDatesIsPlayedAtTheHoldBack() {
        let viewer = watching(ScriptedChannel(hasDates: false))
        #expect(viewer.latency == 12 && !viewer.machine.screen.playback.hasBuffered(until: date(-100)))
        viewer.watch(ScriptedChannel(outage: 8..<60, hasDates: false), seconds: 60)
        #expect(viewer.counted(.stalls) == 0)
    }

    // MARK: Stalls

    @Test func aChannelThatStandsStillStallsItsViewersAndLeavesThemFurtherBehind() {
        let viewer = watching(ScriptedChannel())
        // The last segment that is listed ends at 8; its end is reached at 20; the next is listed at 30.
        viewer.watch(ScriptedChannel(outage: 8..<30), seconds: 29)
        #expect(viewer.counted(.stalls) == 0 && viewer.machine.screen.playback.playheadDate(viewer.turn) == date(8))
        viewer.watch(ScriptedChannel(outage: 8..<30), seconds: 4)
        #expect(viewer.counted(.stalls) == 1)
        let stalled = Double(viewer.added(.stalledMilliseconds)) / 1000
        #expect(10...12.1 ~= stalled && abs(viewer.latency - 12 - stalled) < 0.01, "\(stalled)")
    }

    @Test func aHealthyChannelStallsNobody() {
        let viewer = watching(ScriptedChannel(delay: 0.5))
        viewer.watch(ScriptedChannel(delay: 0.5), seconds: 120)
        #expect(viewer.counted(.stalls) == 0 && viewer.latency == 16)
    }

    @Test func aStallThatTheViewerLeavesInIsBookedAsFarAsItWent() {
        let viewer = watching(ScriptedChannel())
        viewer.watch(ScriptedChannel(outage: 4..<600), seconds: 20)
        viewer.leave()
        #expect(viewer.counted(.stalls) == 1 && viewer.added(.stalledMilliseconds) == 4_000)
    }

    @Test(arguments: [3_600.0, 30, -30, -3_600], [PlaybackPlan.SegmentChoice.none, .content])
    func datesThatJumpNeitherStallNorMoveThePlayhead(by seconds: Double, segments: PlaybackPlan.SegmentChoice) {
        let channel = ScriptedChannel(dateJump: .init(at: 20, by: seconds))
        let viewer = watching(channel) { $0.playback.segments = segments }
        viewer.watch(channel, seconds: 90)
        #expect(viewer.counted(.stalls) == 0 && (12...13).contains(viewer.latency))
        let playback = viewer.machine.screen.playback
        #expect(playback.hasBuffered(until: date(88)) && !playback.hasBuffered(until: date(88.1)))
        #expect(playback.placed(date(70 + seconds), by: .coveringTag) == date(70))
    }

    // MARK: Interstitials

    @Test func aStoppedPlayheadStaysAndGoesOnWhereItIsTold() {
        let viewer = watching(ScriptedChannel())
        viewer.watch(ScriptedChannel(), seconds: 20)
        viewer.machine.screen.playback.pausePlayhead(viewer.turn)
        viewer.watch(ScriptedChannel(), seconds: 10)
        #expect(viewer.machine.screen.playback.playheadDate(viewer.turn) == date(8))
        viewer.machine.screen.playback.resumePlayhead(at: date(8), viewer.turn)
        #expect(viewer.latency == 22)
        viewer.advance(seconds: 1)
        #expect(viewer.machine.screen.playback.playheadDate(viewer.turn) == date(9))
    }

    @Test func aStoppedPlayheadDoesNotStall() {
        let viewer = watching(ScriptedChannel())
        viewer.watch(ScriptedChannel(), seconds: 6)
        viewer.machine.screen.playback.pausePlayhead(viewer.turn)
        viewer.watch(ScriptedChannel(outage: 8..<40), seconds: 50)
        #expect(viewer.counted(.stalls) == 0)
    }

    // MARK: Loaded segments

    /// All that is listed where no segments are loaded.
    @Test func whatIsLoadedWithoutAHoleIsBuffered() {
        let listing = watching(ScriptedChannel()).machine.screen.playback
        #expect(listing.hasBuffered(until: date(0)) && !listing.hasBuffered(until: date(0.001)))
        let viewer = watching(ScriptedChannel()) { $0.playback.segments = .content }
        #expect(!viewer.machine.screen.playback.hasBuffered(until: date(-12)))
        #expect(viewer.answer(.segment, after: 0.5) == ScriptedChannel.base + "3.m4s")
        let playback = viewer.machine.screen.playback
        #expect(playback.hasBuffered(until: date(-8)) && !playback.hasBuffered(until: date(-7.9)))
        // Playback began when the first segment was there.
        #expect(viewer.latency == 12.5 && viewer.counted(.stalls) == 0)
    }

    @Test func aSegmentThatComesTooLateStalls() {
        let viewer = watching(ScriptedChannel()) { $0.playback.segments = .content }
        viewer.answer(.segment)
        viewer.answer(.segment, after: 6)
        #expect(viewer.counted(.stalls) == 1 && viewer.added(.stalledMilliseconds) == 2_000 && viewer.latency == 14)
    }

    @Test func noMoreThanHalfAMinuteIsLoadedAhead() {
        let channel = ScriptedChannel(window: 20, header: "#EXT-X-START:TIME-OFFSET=0\n")
        let viewer = watching(channel, StartFacts(point: .startTagThenHoldBack)) { $0.playback.segments = .content }
        viewer.answerAll { $0.role == .segment ? .init() : nil }
        // Segments that begin within 30 s of the playhead.
        #expect(viewer.asked(.segment).count == 8 && viewer.wait(.buffering) == 2)
        viewer.advance(seconds: 2)
        #expect(viewer.count(.segment) == 1)
    }

    @Test func afterAJumpLoadingBeginsWhereThePlayheadIs() {
        let viewer = watching(ScriptedChannel(window: 10)) { $0.playback.segments = .content }
        viewer.watch(ScriptedChannel(window: 10), seconds: 10)
        viewer.machine.screen.playback.pausePlayhead(viewer.turn)
        viewer.machine.screen.playback.resumePlayhead(at: date(20), viewer.turn)
        viewer.watch(ScriptedChannel(window: 10), seconds: 30)
        #expect(viewer.machine.screen.playback.hasBuffered(until: date(36)) && abs(viewer.latency) < 10)
    }
}
