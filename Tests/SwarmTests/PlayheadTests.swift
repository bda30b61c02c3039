import HLS
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Where a viewer starts, where its playhead is, and what holds it up.
@Suite struct PlayheadTests {
    private func date(_ seconds: Double) -> WallTime {
        WallTime(microseconds: ScriptedViewer.wallStart.microseconds + Int64(seconds * 1e6))
    }

    /// A viewer that was given its first playlist at the start of the run, when the live edge was just listed.
    private func watching(
        _ channel: ScriptedChannel,
        _ start: StartFacts = StartFacts(point: .holdBack),
        lowLatency: LowLatencyFacts = .none,
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) throws -> ScriptedViewer {
        let persona = Persona.forTests {
            $0.start = start
            $0.lowLatency = lowLatency
        }
        var viewer = try ScriptedViewer.joined(.watching(persona, change))
        try viewer.answer(try channel.shared(at: viewer.seconds))
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
    func startsWhereItsFactsSay(header: String, point: StartFacts.Point, behind: Double) throws {
        let channel = ScriptedChannel(segmentSeconds: 3, header: header)
        let viewer = try watching(channel, StartFacts(point: point))
        #expect(viewer.latency == behind)
    }

    @Test func aLowLatencyPlayerStartsAtThePartHoldBack() throws {
        let blocking = LowLatencyFacts(blocking: .always, skip: .never)
        let header = Self.parts + Self.control
        #expect(try watching(ScriptedChannel(header: header), lowLatency: blocking).latency == 1.5)
        #expect(try watching(ScriptedChannel(header: Self.control), lowLatency: blocking).latency == 13)
    }

    @Test func whatIsListedLateIsLatencyToo() throws {
        let viewer = try watching(ScriptedChannel(delay: 1))
        #expect(viewer.latency == 12 + 4)
        #expect(
            viewer.machine.playback.playheadInstant(of: date(10), viewer.turn)
                == ScriptedViewer.start.later(by: .seconds(26))
        )
    }

    @Test func theNumberOfTargetDurationsIsAFact() throws {
        #expect(try watching(ScriptedChannel(), StartFacts(point: .holdBack, targets: 4)).latency == 16)
    }

    @Test func aChannelWithoutDatesIsPlayedAtTheHoldBack() throws {
        var viewer = try watching(ScriptedChannel(hasDates: false))
        #expect(viewer.latency == 12)
        #expect(!viewer.machine.playback.hasBuffered(until: date(-100)))
        try viewer.watch(ScriptedChannel(outage: 8..<60, hasDates: false), seconds: 60)
        #expect(viewer.counted(.stalls) == 0)
    }

    // MARK: Stalls

    @Test func aChannelThatStandsStillStallsItsViewersAndLeavesThemFurtherBehind() throws {
        var viewer = try watching(ScriptedChannel())
        // The last segment that is listed ends at 8; its end is reached at 20; the next is listed at 30.
        try viewer.watch(ScriptedChannel(outage: 8..<30), seconds: 29)
        #expect(viewer.counted(.stalls) == 0)
        #expect(viewer.machine.playback.playheadDate(viewer.turn) == date(8))
        try viewer.watch(ScriptedChannel(outage: 8..<30), seconds: 4)
        #expect(viewer.counted(.stalls) == 1)
        let stalled = Double(viewer.added(.stalledMilliseconds)) / 1000
        #expect(stalled >= 10 && stalled <= 12.1, "\(stalled)")
        #expect(abs(viewer.latency - 12 - stalled) < 0.01)
    }

    @Test func aHealthyChannelStallsNobody() throws {
        var viewer = try watching(ScriptedChannel(delay: 0.5))
        try viewer.watch(ScriptedChannel(delay: 0.5), seconds: 120)
        #expect(viewer.counted(.stalls) == 0)
        #expect(viewer.latency == 16)
    }

    @Test func aStallThatTheViewerLeavesInIsBookedAsFarAsItWent() throws {
        var viewer = try watching(ScriptedChannel())
        try viewer.watch(ScriptedChannel(outage: 4..<600), seconds: 20)
        viewer.send(.leave)
        #expect(viewer.counted(.stalls) == 1)
        #expect(viewer.added(.stalledMilliseconds) == 4_000)
    }

    // MARK: Interstitials

    @Test func aStoppedPlayheadStaysAndGoesOnWhereItIsTold() throws {
        var viewer = try watching(ScriptedChannel())
        try viewer.watch(ScriptedChannel(), seconds: 20)
        viewer.machine.playback.pausePlayhead(viewer.turn)
        try viewer.watch(ScriptedChannel(), seconds: 10)
        #expect(viewer.machine.playback.playheadDate(viewer.turn) == date(8))
        viewer.machine.playback.resumePlayhead(at: date(8), viewer.turn)
        #expect(viewer.latency == 22)
        viewer.advance(seconds: 1)
        #expect(viewer.machine.playback.playheadDate(viewer.turn) == date(9))
    }

    @Test func aStoppedPlayheadDoesNotStall() throws {
        var viewer = try watching(ScriptedChannel())
        try viewer.watch(ScriptedChannel(), seconds: 6)
        viewer.machine.playback.pausePlayhead(viewer.turn)
        try viewer.watch(ScriptedChannel(outage: 8..<40), seconds: 50)
        #expect(viewer.counted(.stalls) == 0)
    }

    @Test func whatIsListedIsBufferedWhereNoSegmentsAreLoaded() throws {
        let viewer = try watching(ScriptedChannel())
        #expect(viewer.machine.playback.hasBuffered(until: date(0)))
        #expect(!viewer.machine.playback.hasBuffered(until: date(0.001)))
    }

    // MARK: Loaded segments

    @Test func whatIsLoadedWithoutAHoleIsBuffered() throws {
        var viewer = try watching(ScriptedChannel()) { $0.playback.segments = .content }
        #expect(viewer.take(.segment) == ScriptedChannel.base + "3.m4s")
        #expect(!viewer.machine.playback.hasBuffered(until: date(-12)))
        viewer.advance(seconds: 0.5)
        viewer.send(.segmentFinished)
        #expect(viewer.machine.playback.hasBuffered(until: date(-8)))
        #expect(!viewer.machine.playback.hasBuffered(until: date(-7.9)))
        // Playback began when the first segment was there.
        #expect(viewer.latency == 12.5)
        #expect(viewer.counted(.stalls) == 0)
    }

    @Test func aSegmentThatComesTooLateStalls() throws {
        var viewer = try watching(ScriptedChannel()) { $0.playback.segments = .content }
        viewer.take(.segment)
        viewer.send(.segmentFinished)
        viewer.take(.segment)
        viewer.advance(seconds: 6)
        viewer.send(.segmentFinished)
        #expect(viewer.counted(.stalls) == 1)
        #expect(viewer.added(.stalledMilliseconds) == 2_000)
        #expect(viewer.latency == 14)
    }

    @Test func noMoreThanHalfAMinuteIsLoadedAhead() throws {
        let channel = ScriptedChannel(window: 20, header: "#EXT-X-START:TIME-OFFSET=0\n")
        var viewer = try watching(channel, StartFacts(point: .startTagThenHoldBack)) {
            $0.playback.segments = .content
        }
        var loaded = 0
        while viewer.take(.segment) != nil {
            loaded += 1
            viewer.send(.segmentFinished)
        }
        // Segments that begin within 30 s of the playhead.
        #expect(loaded == 8)
        #expect(viewer.wait(.buffering) == 2)
        viewer.advance(seconds: 2)
        #expect(viewer.count(.segment) == 1)
    }

    @Test func afterAJumpLoadingBeginsWhereThePlayheadIs() throws {
        var viewer = try watching(ScriptedChannel(window: 10)) { $0.playback.segments = .content }
        try viewer.watch(ScriptedChannel(window: 10), seconds: 10)
        viewer.machine.playback.pausePlayhead(viewer.turn)
        viewer.machine.playback.resumePlayhead(at: date(20), viewer.turn)
        try viewer.watch(ScriptedChannel(window: 10), seconds: 30)
        #expect(viewer.machine.playback.hasBuffered(until: date(36)))
        #expect(viewer.latency > -10 && viewer.latency < 10)
    }
}
