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

    @Test(arguments: [(8_000_000, 1_000_000, 1), (4_000_000, 2_000_000, 0)] as [(Int64, Int64, UInt64)])
    func aBreakIsShownOnceItsFirstSegmentCameOverTheLine(rate: Int64, after: Int64, onTime: UInt64) {
        let plan = LoadPlan.forTests {
            ($0.playback.segments, $0.playback.timedMetadataShare) = (.ads, 0)
            $0.audience.traits = [AudienceTrait("line", .values([.init("\(rate) bit/s", share: 1)]))]
            $0.audience.bandwidth = .trait("line")
        }
        let viewer = ScriptedCrowd.watching(plan, seconds: 19)
        let segment = String(repeating: "a", count: 1_000_000)
        viewer.watch(seconds: 5) { request in
            let body = AnswerBody.ordinary(request, version: 12)
            return .init(body: request.role == .podSegment ? segment : body)
        }
        let record = totals(viewer).breaks.first { $0.due > 0 }
        #expect(record?.onTime == onTime && record?.late == 1 - onTime)
        #expect(record?.firstPicture.count == 1 && record?.firstPicture.maximumMicroseconds == after)
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
