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
    private struct Channel {
        var viewer: ScriptedViewer
        let reader: InterstitialReader
        var ad = "ad"
        private var version = 0

        init(
            joining second: Double = 0,
            number: Int = 0,
            ad: String = "ad",
            viewerChange: (inout LoadPlan) -> Void = { _ in }
        ) throws {
            let plan = LoadPlan.forTests {
                $0.breaks.source = .none
                $0.breaks.recognisesStitched = true
                $0.playback.pollsMetadata = false
                viewerChange(&$0)
            }
            self.ad = ad
            viewer = ScriptedViewer(plan, number: number)
            reader = try #require(InterstitialReader(plan.breaks, runStart: WallTime(microseconds: 0)))
            viewer.advance(seconds: second)
            viewer.send(.join)
            viewer.take(.registration)
            viewer.send(.registrationFailed(status: 403))
            viewer.take(.multivariant)
            viewer.send(.multivariant(try .forTests(), url: "http://127.0.0.1:8080/live/main/multivariant.m3u8"))
            try answer()
        }

        mutating func run(until second: Double) throws {
            while viewer.seconds < second - 1e-9 {
                viewer.advance(seconds: min(0.05, second - viewer.seconds))
                try answer()
            }
        }

        private mutating func answer() throws {
            while let request = viewer.open.first(where: { $0.role == .playlist }) {
                viewer.take(.playlist)
                let edge = Int(viewer.seconds / 2)
                version += 1
                let playlist = try MediaPlaylist.parsed(text(edge))
                let url = "http://127.0.0.1:8080/live/main/v0/media.m3u8"
                let shared = SharedPlaylist(
                    version: 1000 + edge,
                    playlist: playlist,
                    announced: [],
                    url: url,
                    schedule: reader.schedule(in: playlist, url: url)
                )
                viewer.send(.playlist(shared, plannedAt: request.plannedAt))
            }
        }

        private func text(_ edge: Int) -> String {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(1000 + edge - 8)\n"
            for number in (edge - 8)..<edge {
                let isAd = (10..<15).contains(number)
                if number == 10 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-OUT:10\n" }
                if (11..<15).contains(number) { text += "#EXT-X-CUE-OUT-CONT:\((number - 10) * 2)/10\n" }
                if number == 15 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-IN\n" }
                text += "#EXT-X-PROGRAM-DATE-TIME:\(InterstitialChannel.date(Double(number * 2)))\n#EXTINF:2,\n"
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

        var outcomes: [ViewerNote] {
            viewer.eventNotes.map(\.1).filter {
                switch $0 {
                case .breakDue, .breakOnTime, .breakLate, .breakFailed, .breakSkipped: true
                default: false
                }
            }
        }
    }

    @Test func aBreakIsOnTimeWhenItsFirstSegmentIsListedBeforeThePlayheadIsThere() throws {
        var channel = try Channel()
        try channel.run(until: 45)
        #expect(channel.viewer.counted(.stitchedBreaks) == 1)
        #expect(channel.outcomes.count == 2)
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
            var channel = try Channel(joining: Double(number) * 0.7, number: number)
            try channel.run(until: 45)
            #expect(channel.fingerprints.count == 1)
            seen.formUnion(channel.fingerprints)
        }
        #expect(seen.count == 1)
        var other = try Channel(ad: "spot")
        try other.run(until: 45)
        #expect(other.fingerprints.count == 1)
        #expect(seen.isDisjoint(with: other.fingerprints))
    }

    /// Its ads are called as the one rendition calls them and then as the other does.
    @Test func whoChangesTheRenditionInTheMiddleIsJudgedAndNotCompared() throws {
        var channel = try Channel(ad: "720p/ad")
        try channel.run(until: 25)
        channel.ad = "360p/ad"
        try channel.run(until: 45)
        #expect(channel.fingerprints.isEmpty)
        #expect(channel.outcomes.count == 2)
    }

    @Test func whoJoinsInTheMiddleIsNeitherJudgedNorCompared() throws {
        var channel = try Channel(joining: 29)
        try channel.run(until: 50)
        #expect(channel.viewer.counted(.joinedMidBreak) == 1)
        #expect(channel.outcomes == [.breakSkipped(.joinedLate)])
    }

    @Test func whoJoinsAfterwardsHasNothingToDoWithIt() throws {
        var channel = try Channel(joining: 60)
        try channel.run(until: 70)
        #expect(channel.viewer.counted(.stitchedBreaks) == 0)
        #expect(channel.viewer.eventNotes.isEmpty)
    }
}
