import AdServing
import Rules
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Pods of the viewer's own as AVPlayer treats the events that an application schedules; breaks are every 20 s.
@Suite struct OwnEventTests {
    /// Twelve seconds behind the edge of a channel of four-second segments.
    private static func viewer(_ change: (inout LoadPlan) -> Void) -> ScriptedCrowd {
        let viewer = ScriptedCrowd.joined(.forTests(change), multivariant: AnswerBody.oneVariant)
        viewer.answerPlaylist(ScriptedChannel().text(at: 0))
        return viewer
    }

    /// Watches until a second of the run, with each pod at once.
    private static func watch(
        _ viewer: ScriptedCrowd,
        _ channel: ScriptedChannel = ScriptedChannel(),
        until end: Double
    ) {
        viewer.watch(seconds: end - viewer.seconds, step: 0.05) { request in
            switch request.role {
            case .playlist: .init(body: channel.text(at: viewer.seconds))
            case .podManifest: .init(body: AnswerBody.pod())
            default: nil
            }
        }
    }

    /// WWDC21 session 10140: the programme is buffered up to the ad, then the ad is.
    @Test func aPodIsAskedForWhenTheProgrammeIsBufferedUpToItsBreak() throws {
        let viewer = Self.viewer { $0.breaks.trigger = .buffered }
        Self.watch(viewer, until: 21)
        let asked = try #require(viewer.asked(.podManifest).first)
        #expect((8..<9).contains(asked), "the edge is at what is shown at 20 s, twelve seconds before")
        #expect(viewer.outcomes.contains { if case .breakOnTime = $0 { true } else { false } })
    }

    /// The guide's sample places its event at a time of the player, so that the stall from 12 s to 22 s delays it.
    @Test(arguments: [(BreakPlan.Clock.wall, 20.0), (.player, 30)])
    func aStallDelaysABreakAtThePlayersOwnTime(clock: BreakPlan.Clock, second: Double) {
        let viewer = Self.viewer {
            ($0.breaks.trigger, $0.breaks.clock) = (.playhead, clock)
        }
        let channel = ScriptedChannel(outage: 2..<22)
        Self.watch(viewer, channel, until: second - 0.5)
        #expect(viewer.adEvents.isEmpty && viewer.outcomes.isEmpty)
        Self.watch(viewer, channel, until: second + 1)
        #expect(viewer.adEvents.first == .adBreakStarted)
        #expect(viewer.asked(.podManifest).first.map { abs($0 - second) < 0.3 } ?? false)
    }

    /// An event without restrictions may be cancelled, one with restrictions may not.
    @Test(arguments: [(BreakPlan.Skipping.never, 0, 0), (.restricted, 0, 1), (.allowed, 1, 0)])
    func aPodIsLeftWhereTheEventAllowsIt(skipping: BreakPlan.Skipping, skipped: Int, refused: Int) {
        let viewer = Self.viewer {
            $0.breaks.skipping = skipping
            $0.audience.skips = NavigationPlan(share: 1, every: .seconds(1))
        }
        Self.watch(viewer, until: 31)
        #expect(viewer.counts(.eventsSkipped, .eventsRestricted) == [skipped, refused])
        #expect(viewer.counted(.eventsFinished) == 1 - skipped)
        #expect(viewer.counted(.rejoinedLiveEdge) == 1)
    }

    /// AVFoundation, AVPlayerInterstitialEventController.events: the current event goes on until it is complete.
    @Test func anEventThatIsSetWhileAnotherPlaysLeavesItAlone() {
        let viewer = Self.viewer { $0.breaks.source = .trigger(TriggerPlan()) }
        for second in [10, 40] as [Int64] {
            let start = ScriptedCrowd.wallStart + .seconds(second)
            let scheduled = ScheduledBreak(start: start, duration: .seconds(10), ordinal: second == 10 ? 1 : 2)
            Self.watch(viewer, until: second == 10 ? 5 : 15)
            _ = viewer.crowd.call(viewer.plan.breakBook.call(scheduled), from: 0)
        }
        Self.watch(viewer, until: 21)
        #expect(viewer.counted(.eventsFinished) == 1 && viewer.adEvents.count { $0 == .complete } == 2)
        Self.watch(viewer, until: 51)
        #expect(viewer.asked(.podManifest) == [10, 40] && viewer.counted(.eventsFinished) == 2)
    }
}
