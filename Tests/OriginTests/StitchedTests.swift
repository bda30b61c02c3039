import AdServing
import HLS
import Profile
import Testing

@testable import Origin

@Suite struct StitchedTests {
    /// A multiple of 120 s.
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)

    private static func probe(_ setting: String = "", faults: String = "", seconds: Int = 2) throws -> ServiceProbe {
        try ServiceProbe(faults: faults, channel: "stitched: {every: 120s, duration: 20s, adDuration: 8s\(setting)}") {
            $0.segmentDuration = .seconds(seconds)
            $0.announcesBreaks = false
        }
    }

    private static func playlist(_ probe: ServiceProbe, after seconds: Int, viewer: UInt64? = nil) throws
        -> MediaPlaylist
    {
        probe.now = start + .seconds(seconds)
        return try probe.media(probe.get("/live/main/360p/media.m3u8", viewer: viewer))
    }

    private static func isAd(_ uri: String) -> Bool { uri.hasPrefix("stitched/") }

    @Test(arguments: [1, 2, 4, 8])
    func discontinuityNumbersHoldWhileTheWindowSlides(seconds: Int) throws {
        let probe = try Self.probe(seconds: seconds)
        var numbers: [UInt64: UInt64] = [:]
        var uris: [UInt64: String] = [:]
        var previous: MediaPlaylist?
        var largest: UInt64 = 0
        for step in 0..<300 / seconds {
            let playlist = try Self.playlist(probe, after: step * seconds)
            if let previous { #expect(playlist.isUpdate(of: previous)) }
            previous = playlist
            for (index, segment) in playlist.segments.enumerated() {
                let sequence = playlist.mediaSequence + UInt64(index)
                let number = numbers[sequence] ?? segment.discontinuitySequence
                #expect(segment.discontinuitySequence == number, "segment \(sequence) at step \(step)")
                numbers[sequence] = number
                let uri = uris[sequence] ?? playlist.uri(of: segment)
                #expect(playlist.uri(of: segment) == uri, "the URI of a media sequence changed")
                uris[sequence] = uri
                largest = max(largest, segment.discontinuitySequence)
                #expect(segment.programDate == probe.service.channel.timeline.programDate(of: sequence))
            }
        }
        let first = try #require(numbers.values.min())
        // Ads of 8, 8 and 4 s, rounded up to whole segments, and the way back: 4 a break, 3 where ads are that long.
        #expect(largest - first >= 3)
        #expect(Set(uris.values.filter(Self.isAd)).count == uris.values.count(where: Self.isAd), "no URI twice")
    }

    @Test func plannedFaultGivesSomeViewersOtherAds() throws {
        let probe = try Self.probe(faults: "- {fault: stitched_mismatch, share: 40%}")
        var lists: [[String]: Int] = [:]
        for viewer in UInt64(0)..<100 {
            let playlist = try Self.playlist(probe, after: 20, viewer: viewer)
            lists[playlist.segments.map { playlist.uri(of: $0) }, default: 0] += 1
            #expect(playlist.segments.count { $0.isDiscontinuity } == 3)
        }
        #expect(lists.count == 2)
        let touched = try #require(lists.values.min())
        #expect((20...60).contains(touched))
        #expect(probe.service.truth(at: probe.now).faults == ["stitched_mismatch": touched])
    }

    @Test func adsVaryBySessionOnlyWhereThePlanSaysSo() throws {
        for (setting, isSame) in [("", true), (", varies: none", true), (", varies: session", false)] {
            let probe = try Self.probe(setting)
            let lists = try (UInt64(0)..<40).map { viewer in
                let playlist = try Self.playlist(probe, after: 20, viewer: viewer)
                return playlist.segments.map { playlist.uri(of: $0) }
            }
            #expect((Set(lists).count == 1) == isSame)
            #expect(Set(lists).count <= 16)
        }
    }

    @Test func adsAreAimedAsPodsAre() throws {
        let probe = try ServiceProbe(channel: "stitched: {every: 120s, duration: 20s, adDuration: 8s, varies: aim}") {
            $0.segmentDuration = .seconds(2)
            $0.announcesBreaks = false
            $0.aimingParameter = "cohort"
        }
        var lists: [String: Set<[String]>] = [:]
        for viewer in UInt64(1)...12 {
            let cohort = ["north", "south", "west"][Int(viewer % 3)]
            _ = probe.post(ServiceProbe.registrationPath, body: "cohort=\(cohort)", viewer: viewer)
            let playlist = try Self.playlist(probe, after: 20, viewer: viewer)
            lists[cohort, default: []].insert(playlist.segments.map { playlist.uri(of: $0) })
        }
        #expect(lists.values.allSatisfy { $0.count == 1 })
        #expect(Set(lists.values).count == 3)
    }

    @Test func listedBreaksAndRuledOnesAgree() {
        let timeline = ChannelTimeline(segmentSeconds: 2, windowSegments: 10)
        func schedule(_ breaks: BreakSchedule) -> StitchedSchedule {
            let plan = StitchedPlan(
                schedule: breaks,
                duration: .seconds(30),
                adDuration: .seconds(10),
                dialects: [.cueOut]
            )
            return StitchedSchedule(plan, timeline: timeline)
        }
        let zero = WallTime(microseconds: ChannelTimeline.zeroSeconds * 1_000_000)
        let ruled = schedule(
            .every(
                interval: .seconds(75),
                epoch: WallTime(microseconds: 0),
                firstOffset: .milliseconds(7_300),
                duration: .seconds(30)
            )
        )
        let starts = ruled.plan.schedule.breaks(in: zero - .seconds(200)..<zero + .seconds(1_000)).map(\.start)
        let listed = schedule(.list(starts, duration: .seconds(30)))
        func isDiscontinuity(_ schedule: StitchedSchedule, _ segment: UInt64) -> Bool {
            schedule.place(of: segment)?.beginsAd ?? (schedule.breakEnding(before: segment) != nil)
        }
        var counted: UInt64 = 0
        for segment in UInt64(0)..<400 {
            #expect(ruled.discontinuities(before: segment) == counted, "segment \(segment)")
            #expect(listed.discontinuities(before: segment) == counted, "segment \(segment)")
            #expect(isDiscontinuity(ruled, segment) == isDiscontinuity(listed, segment))
            #expect(ruled.place(of: segment)?.index == listed.place(of: segment)?.index)
            counted += isDiscontinuity(ruled, segment) ? 1 : 0
        }
        #expect(counted > 20)
    }
}
