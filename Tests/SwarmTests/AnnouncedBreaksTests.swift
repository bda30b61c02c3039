import AdServing
import HLS
import Profile
import Results
import Rules
import Testing
import Values

@testable import Swarm
@testable import Viewer

@Suite struct AnnouncedBreaksTests {
    private func breaks(_ lines: String..., classAttribute: String? = nil) throws -> [ScheduledBreak] {
        let lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:2"] + lines
        let text = lines + ["#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z", "#EXTINF:2,", "1.m4s", ""]
        let announced = AnnouncedBreaks(classAttribute: classAttribute, fallbackDuration: .seconds(30))
        return announced.breaks(in: try .parsed(text.joined(separator: "\n")))
    }

    private func range(_ id: String, _ minute: Int, _ more: String = ",SCTE35-OUT=0xFC") -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"2026-11-21T20:0\(minute):00Z\"\(more)"
    }

    @Test func rangesThatLeaveForAdsAreBreaksByTheirStart() throws {
        let found = try breaks(range("b-7", 3), range("a-6", 1), range("chapter", 2, ""))
        #expect(found.map(\.key) == ["a-6", "b-7"] && found.map(\.ordinal) == [6, 7])
    }

    @Test(arguments: [
        ("7", 7), ("b-7", 7), ("b-007", 7), ("12-b", 1), ("b", 1), ("2026-11-21T20:00:00Z", 1), ("ä9", 9),
        ("x9223372036854775807", .max), ("x9223372036854775808", 1), ("x00000000000000000000000005", 5),
    ])
    func theNumberAtTheEndOfAnIDIsTheBreaksOrdinal(id: String, ordinal: Int) throws {
        #expect(try breaks(range(id, 1)).map(\.ordinal) == [ordinal])
    }

    @Test func aClassTakesTheRangesOfThatClassOnly() throws {
        let (own, other) = (range("a", 1, ",CLASS=\"ads\""), range("c", 3, ",CLASS=\"news\""))
        #expect(try breaks(own, range("b", 2), other, classAttribute: "ads").map(\.key) == ["a"])
    }

    @Test(arguments: [(",DURATION=12,PLANNED-DURATION=20", 12), (",PLANNED-DURATION=20", 20), ("", 30)])
    func theDurationIsTheKnownOneElseThePlannedOneElseTheProfiles(attributes: String, seconds: Int) throws {
        let found = try breaks(range("a", 1, ",SCTE35-OUT=0xFC" + attributes))
        #expect(found.map(\.duration) == [.seconds(seconds)])
    }

    @Test(arguments: [("0xFC30", "/DA="), ("0xFC3", nil), ("0xXY", nil)])
    func theSpliceIsThatOfTheRange(hexadecimal: String, base64: String?) throws {
        #expect(try breaks(range("a", 1, ",SCTE35-OUT=\(hexadecimal)")).map(\.scte35) == [base64])
    }
}

/// Redundant packagers round the start of one break apart: that is one break, and further apart it is not.
@Suite struct RoundedStartTests {
    /// Breaks as one viewer or several are told of them.
    private struct Outcome {
        var codes: [String]
        var identifiers: [String]
    }

    /// Four segments of two seconds, with a break that starts so long after the run does.
    private static func playlist(first: Int, startMilliseconds: Int64) -> String {
        let tag = AnswerBody.breakTag(at: Double(startMilliseconds) / 1000, id: "break")
        return AnswerBody.media(first, 4, header: tag, date: Double(first * 2 - 10))
    }

    /// Each viewer polls as often as it has starts, in milliseconds, and then asks for its pod.
    private static func outcome(of starts: [[Int64]], tolerance: Duration) -> Outcome {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .dateRange(classAttribute: nil)
            $0.breaks.announcementTolerance = tolerance
        }
        let crowd = ScriptedCrowd(plan, viewers: starts.count)
        crowd.join()
        for poll in starts[0].indices {
            crowd.answerAll { request in
                guard request.role == .playlist else {
                    return request.role == .metadata ? nil : .init(body: AnswerBody.ordinary(request, version: 1))
                }
                return .init(body: playlist(first: poll + 2, startMilliseconds: starts[request.viewer][poll]))
            }
            crowd.advance(seconds: 2)
        }
        crowd.advance(seconds: 20)
        while crowd.count(.podManifest) > 0 { crowd.answer(.podManifest, AnswerBody.pod([10])) }
        let totals = crowd.crowd.totals()
        let microseconds = tolerance / .microseconds(1)
        let findings = RunTotals(merging: [totals], announcementTolerance: Int64(microseconds)).findings
        return Outcome(
            codes: findings.map(\.code.code).filter { $0.hasPrefix("break_") || $0.hasPrefix("date_range_") }.sorted(),
            identifiers: totals.changes.breaks.flatMap(\.pods.identifiers.keys).sorted()
        )
    }

    private static let name = "ad_break_id/break-17952912"

    @Test(
        arguments: [
            // On both sides of a whole second: one name.
            ([[9_990], [10_010]], ["10"], []),
            ([[9_990], [10_010], [10_000]], ["10"], []),
            // On both sides of the half of one: two names, which rounding alone made.
            ([[10_490], [10_510]], ["10", "11"], []),
            ([[10_479], [10_521]], ["10", "11"], []),
            ([[10_478], [10_521]], ["10", "11"], ["break_identifier_split", "break_start_differs"]),
            ([[10_000], [13_000]], ["10", "13"], ["break_identifier_split", "break_start_differs"]),
        ] as [([[Int64]], [String], [String])]
    )
    func viewersOfTwoPackagersAreOneAudience(starts: [[Int64]], names: [String], codes: [String]) {
        let outcome = Self.outcome(of: starts, tolerance: .milliseconds(42))
        #expect(outcome.codes == codes)
        #expect(outcome.identifiers == names.map { Self.name + $0 })
    }

    @Test(
        arguments: [
            ([10_000, 10_010, 10_000, 10_010], 42, []), ([10_000, 10_042], 42, []),
            ([10_000, 10_043], 42, ["date_range_changed"]), ([10_000, 10_010], 0, ["date_range_changed"]),
            ([10_000, 10_500], 1_000, []),
        ] as [([Int64], Int64, [String])]
    )
    func aViewerThatMeetsBothPackagersSeesNoChange(starts: [Int64], tolerance: Int64, codes: [String]) {
        let outcome = Self.outcome(of: [starts], tolerance: .milliseconds(tolerance))
        #expect(outcome.codes == codes)
    }
}

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

    /// When a viewer that joins at a second asks for the pod of a break that the channel's edge reaches at 20 s, when its playhead is
    /// there, and by how much the run says that the channel is ahead.
    private static func asks(
        ahead: Double,
        joining second: Double,
        _ trigger: BreakPlan.Trigger
    ) throws -> (at: Double, dueAt: Double, latency: Double, told: Double) {
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
        let dueAt = try #require(viewer.machine.screen.playback.playheadInstant(of: date(20 + ahead), viewer.turn))
        let told = Double(try #require(viewer.totals.channelClock.offset)) / 1e6
        return (try #require(asked), ScriptedCrowd.seconds(dueAt), viewer.latency, told)
    }

    @Test(arguments: [30.0, -30, 0, 3_600, -3_600], [2.0, 3.5])
    func aPlayheadFollowsTheDatesOfItsFirstPlaylist(ahead: Double, second: Double) throws {
        let asked = try Self.asks(ahead: ahead, joining: second, .playhead)
        // Three target durations of 2 s behind an edge that is as old as the viewer came after its publication.
        let behind = 6 + second - 2
        #expect(abs(asked.latency - (behind - ahead)) < 0.001 && abs(asked.dueAt - (20 + behind)) < 0.001)
        #expect(abs(asked.at - asked.dueAt) < 0.1, "asked when its media is at the playhead")
        // The freshest playlist came less than a segment after its publication.
        #expect(asked.told <= ahead + 0.001 && asked.told > ahead - 2)
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
