import AdServing
import LoadProfile
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Channels whose dates are not those of this machine's clock.
@Suite struct ChannelClockTests {
    /// A version of a channel that is ahead by so many seconds, published when its last segment of 2 s ended.
    private static func playlist(ahead: Double, at seconds: Double, _ breaks: [Double]) -> String {
        let end = Int((seconds / 2).rounded(.down))
        let header = breaks.map { AnswerBody.breakTag(at: $0, id: "a") }.joined()
        return AnswerBody.media(1_000 + end - 8, 8, header: header, date: Double(end * 2 - 16) + ahead)
    }

    private static func date(_ seconds: Double) -> WallTime {
        ScriptedCrowd.wallStart + .microseconds(Int64(seconds * 1e6))
    }

    /// When a viewer that joins at a second asks for the pod of a break that the channel's edge reaches at 20 s, and when
    /// its playhead is there.
    private static func asks(
        ahead: Double,
        joining second: Double,
        _ trigger: BreakPlan.Trigger
    ) throws -> (at: Double, dueAt: Double, latency: Double) {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .dateRange(classAttribute: nil)
            $0.breaks.trigger = trigger
            $0.playback.pollsMetadata = false
        }
        let viewer = ScriptedCrowd.joined(plan, at: second)
        viewer.answerPlaylist(playlist(ahead: ahead, at: second, []))
        while viewer.count(.podManifest) == 0, viewer.seconds < 60 {
            viewer.watch(seconds: 0.05) { request in
                guard request.role == .playlist else { return nil }
                let breaks = viewer.seconds >= 12 ? [20 + ahead] : []
                return .init(body: playlist(ahead: ahead, at: viewer.seconds, breaks))
            }
        }
        let asked = viewer.asked(.podManifest).first
        let dueAt = try #require(viewer.machine.playback.playheadInstant(of: date(20 + ahead), viewer.turn))
        return (try #require(asked), ScriptedCrowd.seconds(dueAt), viewer.latency)
    }

    @Test(arguments: [30.0, -30, 0, 3_600, -3_600], [2.0, 3.5])
    func aPlayheadFollowsTheDatesOfItsFirstPlaylist(ahead: Double, second: Double) throws {
        let asked = try Self.asks(ahead: ahead, joining: second, .playhead)
        // Three target durations of 2 s behind an edge that is as old as the viewer came after its publication.
        let behind = 6 + second - 2
        #expect(abs(asked.latency - (behind - ahead)) < 0.001)
        #expect(abs(asked.dueAt - (20 + behind)) < 0.001)
        #expect(abs(asked.at - asked.dueAt) < 0.1, "asked when its media is at the playhead")
    }

    @Test(arguments: [30.0, -30, 0, 3_600, -3_600], [2.0, 3.5])
    func aRendezvousIsAtTheChannelsInstant(ahead: Double, second: Double) throws {
        let asked = try Self.asks(ahead: ahead, joining: second, .rendezvous)
        // Playlists tell a clock to one target duration.
        #expect(asked.at > 18 - 0.001 && asked.at < 20 + 2.1, "\(asked)")
        #expect(ahead != 0 || abs(asked.at - 20) < 0.1, "a channel that keeps this machine's clock asks at one instant")
        #expect(abs(asked.dueAt - (24 + second)) < 0.001)
    }

    @Test func aBreakThatIsComputedKeepsThisMachinesClock() {
        let viewer = ScriptedCrowd.joined(.forTests { $0.breaks.source = .list([.init(.seconds(20))]) })
        viewer.answerPlaylist(Self.playlist(ahead: 30, at: 0, []))
        #expect(viewer.timers[.breakFetch] == ScriptedCrowd.instant(20))
    }

    /// What no clock says traps nothing.
    @Test(arguments: [3e9, -1.7e9, 2.5e11, -6e10]) func datesFarOffTrapNothing(ahead: Double) {
        let viewer = ScriptedCrowd.joined(.forTests { $0.breaks.source = .dateRange(classAttribute: nil) })
        let text = AnswerBody.media(1, 1, header: AnswerBody.breakTag(at: ahead, id: "a"), date: 2.3e9)
        viewer.answerPlaylist(text)
        viewer.advance(seconds: 30)
        viewer.leave()
    }
}
