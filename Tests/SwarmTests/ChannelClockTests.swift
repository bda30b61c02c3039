import AdServing
import HLS
import LoadProfile
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Channels whose dates are not those of this machine's clock.
@Suite struct ChannelClockTests {
    /// A version of a channel that is ahead by so many seconds, published when its last segment of 2 s ended.
    private static func shared(ahead: Double, at seconds: Double, _ announced: [ScheduledBreak]) throws
        -> SharedPlaylist
    {
        let end = Int((seconds / 2).rounded(.down))
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(1000 + end)\n"
        for number in (end - 8)..<end {
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date(Double(number * 2) + ahead).iso8601)\n#EXTINF:2,\n\(number).m4s\n"
        }
        return SharedPlaylist(
            version: 1000 + end,
            playlist: try .parsed(text),
            announced: announced,
            url: "http://127.0.0.1:8080/live/main/v0/media.m3u8"
        )
    }

    private static func date(_ seconds: Double) -> WallTime {
        ScriptedViewer.wallStart + .microseconds(Int64(seconds * 1e6))
    }

    private static func planned(_ second: Double) -> ScheduledBreak {
        ScheduledBreak(start: date(second), duration: .seconds(10), key: "a", ordinal: 1, dateRangeID: "a")
    }

    /// When a viewer that joins at a second asks for the pod of a break that the channel's edge reaches at 20 s, and when
    /// its playhead is there.
    private static func asks(
        ahead: Double,
        joining second: Double,
        _ trigger: BreakPlan.Trigger
    ) throws -> (at: Double, dueAt: Double, latency: Double) {
        var viewer = ScriptedViewer(
            .forTests {
                $0.breaks.source = .dateRange(classAttribute: nil)
                $0.breaks.trigger = trigger
                $0.playback.pollsMetadata = false
            }
        )
        viewer.advance(seconds: second)
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        var asked: Double?
        while asked == nil, viewer.seconds < 60 {
            while viewer.count(.playlist) > 0 {
                let isAnnounced = viewer.seconds >= 12
                let announced = isAnnounced ? [planned(20 + ahead)] : []
                try viewer.answer(try shared(ahead: ahead, at: viewer.seconds, announced))
            }
            if viewer.count(.podManifest) > 0 { asked = viewer.seconds }
            viewer.advance(seconds: 0.05)
        }
        let dueAt = try #require(viewer.machine.playback.playheadInstant(of: date(20 + ahead), viewer.turn))
        return (try #require(asked), Double(dueAt.nanoseconds(since: ScriptedViewer.start)) / 1e9, viewer.latency)
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

    @Test func aBreakThatIsComputedKeepsThisMachinesClock() throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.source = .list([.init(.seconds(20))]) })
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        try viewer.answer(try Self.shared(ahead: 30, at: 0, []))
        #expect(viewer.timers[.breakFetch] == ScriptedViewer.start.later(by: .seconds(20)))
    }

    /// What no clock says traps nothing.
    @Test(arguments: [3e9, -1.7e9, 9e11, -9e11]) func datesFarOffTrapNothing(ahead: Double) throws {
        var viewer = ScriptedViewer(.forTests { $0.breaks.source = .dateRange(classAttribute: nil) })
        viewer.send(.join)
        viewer.take(.registration)
        viewer.send(.registered(try .forTests))
        viewer.take(.multivariant)
        viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
        let far = SharedPlaylist(
            version: 1,
            playlist: try .parsed(
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PROGRAM-DATE-TIME:2100-01-01T00:00:00Z\n#EXTINF:2,\n1.m4s\n"
            ),
            announced: [Self.planned(ahead)],
            url: "http://127.0.0.1:8080/live/main/v0/media.m3u8"
        )
        try viewer.answer(far)
        viewer.advance(seconds: 30)
        viewer.send(.leave)
    }
}
