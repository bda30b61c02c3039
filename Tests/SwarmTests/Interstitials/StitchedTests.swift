import HLS
import LoadProfile
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Breaks that are stitched into the live playlist: recognised, judged by when they were there, and compared.
@Suite struct StitchedTests {
    /// A channel of 2 s segments with a break of five of them, from 20 s to 30 s.
    private final class Channel {
        let viewer: ScriptedCrowd
        var ad: String

        init(joining second: Double = 0, number: Int = 0, ad: String = "ad") {
            let plan = LoadPlan.forTests {
                $0.breaks.source = .none
                $0.breaks.recognisesStitched = true
                $0.playback.pollsMetadata = false
            }
            self.ad = ad
            viewer = .joined(plan, number: number, at: second)
            viewer.answerAll(reply)
        }

        func run(until second: Double) { viewer.watch(seconds: second - viewer.seconds, step: 0.05, reply) }

        private func reply(_ request: ScriptedCrowd.Request) -> ScriptedCrowd.Reply? {
            request.role == .playlist ? .init(body: text(Int(viewer.seconds / 2))) : nil
        }

        private func text(_ edge: Int) -> String {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(1000 + edge - 8)\n"
            for number in (edge - 8)..<edge {
                let isAd = (10..<15).contains(number)
                if number == 10 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-OUT:10\n" }
                if (11..<15).contains(number) { text += "#EXT-X-CUE-OUT-CONT:\((number - 10) * 2)/10\n" }
                if number == 15 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-IN\n" }
                text += "#EXT-X-PROGRAM-DATE-TIME:\(AnswerBody.date(Double(number * 2)))\n#EXTINF:2,\n"
                text += isAd ? "\(ad)\(number).ts?token=\(viewer.machine.number)\n" : "c\(number).ts\n"
            }
            return text
        }

        var fingerprints: [UInt64] {
            viewer.eventNotes.compactMap {
                guard case .stitchedObserved(let fingerprint, _) = $0.1 else { return nil }
                return fingerprint
            }
        }

        var outcomes: [ViewerNote] { viewer.eventNotes.map(\.1).filter(\.isOutcome) }
    }

    @Test func aBreakIsOnTimeWhenItsFirstSegmentIsListedBeforeThePlayheadIsThere() throws {
        let channel = Channel()
        channel.run(until: 45)
        #expect(channel.viewer.counted(.stitchedBreaks) == 1 && channel.outcomes.count == 2)
        guard case .breakOnTime(let afterStart, _) = channel.outcomes.last else {
            Issue.record("\(channel.outcomes)")
            return
        }
        // Listed at 22 s and seen at the next poll; the playhead is there at 26 s.
        #expect((-4_000_000_000...(-1_900_000_000)).contains(afterStart), "\(afterStart)")
    }

    @Test func viewersOfTheSameAdsHaveOneFingerprintWheneverTheyPoll() throws {
        var seen: Set<UInt64> = []
        for number in 0..<8 {
            let channel = Channel(joining: Double(number) * 0.7, number: number)
            channel.run(until: 45)
            #expect(channel.fingerprints.count == 1)
            seen.formUnion(channel.fingerprints)
        }
        let other = Channel(ad: "spot")
        other.run(until: 45)
        #expect(seen.count == 1 && other.fingerprints.count == 1 && seen.isDisjoint(with: other.fingerprints))
    }

    /// Its ads are called as the one rendition calls them and then as the other does.
    @Test func whoChangesTheRenditionInTheMiddleIsJudgedAndNotCompared() throws {
        let channel = Channel(ad: "720p/ad")
        channel.run(until: 25)
        channel.ad = "360p/ad"
        channel.run(until: 45)
        #expect(channel.fingerprints.isEmpty && channel.outcomes.count == 2)
    }

    @Test(arguments: [(29, 1, [.breakSkipped(.joinedLate)]), (60, 0, [])] as [(Double, Int, [ViewerNote])])
    func whoJoinsLateIsNeitherJudgedNorCompared(second: Double, breaks: Int, outcomes: [ViewerNote]) {
        let channel = Channel(joining: second)
        channel.run(until: second + 21)
        #expect(channel.viewer.counted(.joinedMidBreak) == breaks && channel.viewer.eventNotes.isEmpty == (breaks == 0))
        #expect(channel.outcomes == outcomes)
    }
}
