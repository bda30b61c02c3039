import Rules
import Testing
import Values

@testable import Profile
@testable import Results
@testable import Swarm
@testable import Viewer

/// Segments come over a viewer's own line, at its rate.
@Suite struct ViewerLineTests {
    /// A viewer that watched for two minutes; each segment of four seconds is 4 Mbit.
    private func watched(_ bitsPerSecond: Int64) -> ScriptedCrowd {
        let (channel, segment) = (ScriptedChannel(), String(repeating: "s", count: 500_000))
        let persona = Persona.forTests { $0.start = StartFacts(point: .holdBack) }
        let viewer = ScriptedCrowd.joined(
            .watching(persona) {
                $0.playback.segments = .content
                $0.audience.bandwidth = .bitsPerSecond(bitsPerSecond)
            }
        )
        viewer.answerPlaylist(channel.text(at: 0))
        viewer.watch(seconds: 120) { request in
            switch request.role {
            case .playlist: .init(body: channel.text(at: viewer.seconds))
            case .segment: .init(body: segment)
            default: nil
            }
        }
        return viewer
    }

    private func totals(_ viewer: ScriptedCrowd) -> RunTotals { RunTotals(merging: [viewer.crowd.recorder.whole()]) }

    @Test func halfTheRateThatIsNeededShowsThePictureHalfOfTheTime() throws {
        let viewer = watched(500_000)
        // The first segment is answered at 0.25; of the last four seconds shown, 3.75 are waited for in vain.
        viewer.leave()
        viewer.advance(seconds: 0)
        #expect(viewer.isGone, "what is on its way keeps no viewer")
        let playback = try #require(PlaybackResult(totals(viewer)))
        #expect(playback.firstPicture?.count == 1 && playback.firstPicture?.maximumMicroseconds == 8_250_000)
        #expect((playback.stalls, playback.stalledMilliseconds) == (14, 55_750))
        #expect(playback.playedMilliseconds == 56_000)
        #expect(playback.rebufferingPercent == 5_575_000.0 / 56_000)
        // The target's times are its own.
        #expect(totals(viewer).latency(.segment, .response).maximumMicroseconds == 250_000)
    }

    @Test func twiceTheRateThatIsNeededStallsNobody() throws {
        let viewer = watched(2_000_000)
        #expect(PlaybackResult(totals(viewer))?.rebufferingPercent == nil, "the viewer still watches")
        viewer.leave()
        let playback = try #require(PlaybackResult(totals(viewer)))
        #expect(playback.firstPicture?.maximumMicroseconds == 2_250_000)
        #expect((playback.stalls, playback.rebufferingPercent) == (0, 0))
    }

    /// A break at second 20, whose segments of 8 Mbit are answered from a second on.
    private func shown(_ rate: Int64, from second: Double, until end: Double, patience: Duration? = nil) -> BreakRecord?
    {
        let plan = LoadPlan.forTests {
            ($0.playback.segments, $0.playback.timedMetadataShare) = (.ads, 0)
            $0.audience.personas = [PersonaShare(.forTests { $0.requests.segment.total = patience }, share: 1)]
            $0.audience.traits = [AudienceTrait("line", .values([.init("\(rate) bit/s", share: 1)]))]
            $0.audience.bandwidth = .trait("line")
        }
        let viewer = ScriptedCrowd.watching(plan, seconds: 19)
        let segment = String(repeating: "a", count: 1_000_000)
        viewer.watch(seconds: end - 19) { request in
            guard request.role == .podSegment else { return .init(body: AnswerBody.ordinary(request, version: 12)) }
            return viewer.seconds < second ? nil : .init(body: segment)
        }
        return totals(viewer).breaks.first { $0.due > 0 }
    }

    /// The target is late where its answer alone is past the grace of a second.
    @Test(
        arguments: [
            (8_000_000, 20, 1_000_000, [1, 0, 0]), (4_000_000, 20, 2_000_000, [0, 1, 1]),
            (4_000_000, 21, 3_000_000, [0, 1, 1]), (4_000_000, 22, 4_000_000, [0, 1, 0]),
        ] as [(Int64, Double, Int64, [UInt64])]
    )
    func aBreakIsShownOnceItsFirstSegmentCameOverTheLine(
        rate: Int64,
        second: Double,
        after: Int64,
        outcomes: [UInt64]
    ) throws {
        let record = try #require(shown(rate, from: second, until: 26))
        #expect([record.onTime, record.late, record.lateByLine] == outcomes)
        #expect(record.firstPicture.count == 1 && record.firstPicture.maximumMicroseconds == after)
    }

    @Test(arguments: [(20, BreakFailure.ownLine), (22, .deadlineMissed)] as [(Double, BreakFailure)])
    func aDeadlineThatTheLineMissesIsNotTheTargets(second: Double, failure: BreakFailure) throws {
        let record = try #require(shown(1_000_000, from: second, until: 28, patience: .seconds(5)))
        #expect(record.failuresByName == [failure.rawValue: 1])
    }

    /// The line is busy with an early segment until the window has begun inside a stitched break, which lasts from second
    /// 14 to 22.
    @Test func aStitchedBreakThatALineJumpsOverIsLateByIt() throws {
        let viewer = ScriptedCrowd.joined(
            .watching {
                ($0.breaks.recognisesStitched, $0.playback.segments) = (true, .content)
                $0.audience.bandwidth = .bitsPerSecond(250_000)
            },
            multivariant: AnswerBody.oneVariant
        )
        var segments = 0
        viewer.watch(seconds: 36) { request in
            guard request.role == .segment else {
                return request.role == .playlist ? .init(body: StitchedLiveTests.cued(at: viewer.seconds)) : nil
            }
            segments += 1
            return .init(body: String(repeating: "s", count: segments == 2 ? 937_500 : 78_125))
        }
        let record = try #require(totals(viewer).breaks.first { $0.due > 0 })
        #expect([record.due, record.late, record.lateByLine] == [1, 1, 1])
    }

    @Test func bodiesShareTheLine() {
        let line = ViewerLine(bitsPerSecond: 1_000_000)
        let start = ScriptedCrowd.start
        #expect(line.carry(125_000, from: start) == start.later(by: .seconds(1)))
        #expect(line.carry(125_000, from: start.later(by: .milliseconds(500))) == start.later(by: .seconds(2)))
        #expect(line.carry(125_000, from: start.later(by: .seconds(9))) == start.later(by: .seconds(10)))
        #expect(line.carry(.max, from: start) > start.later(by: .seconds(86_400)))
    }
}
