import HLS
import Profile
import Testing

@testable import Origin

@Suite struct InterstitialScheduleTests {
    /// A multiple of ten minutes.
    private static let start = WallTime(microseconds: 1_795_248_600_000_000)
    private static let base = "http://127.0.0.1:8080"
    private static let window = Duration.seconds(20)

    private static func schedule(_ yaml: String) throws -> InterstitialSchedule {
        let plan = try ChannelPlan.read("interstitials:\n  - {\(yaml)}")
        return InterstitialSchedule(scripts: plan.interstitials, standardLead: .seconds(10))
    }

    /// What a client reads of the playlist whose live edge is at an instant relative to the break's start.
    private static func ranges(_ schedule: InterstitialSchedule, edge seconds: Double) throws -> [DateRange] {
        let edge = start + .milliseconds(Int64(seconds * 1_000))
        var writer = MediaPlaylistWriter(targetDurationSeconds: 2, version: 7)
        writer.dateRanges = schedule.dateRanges(from: edge - window, edge: edge, base: base)
        writer.segments = (0..<10).map { index in
            var segment = MediaPlaylistWriter.Segment(uri: "\(index).m4s", durationMicroseconds: 2_000_000)
            segment.programDate = edge - window + .seconds(2 * index)
            return segment
        }
        let playlist = try MediaPlaylist.reading(writer.render())
        #expect(playlist.dateRanges.count == writer.dateRanges.count, "none was illegal or merged")
        return playlist.dateRanges
    }

    @Test func interstitialIsAnnouncedAheadAndKeptWhileItsDatesAreListed() throws {
        let schedule = try Self.schedule("every: 600s, announce: 12s")
        for edge in stride(from: -30.0, through: 60, by: 0.5) {
            // The window begins 20 s before the edge; the interstitial lasts 10 s.
            let isListed = edge >= -12 && edge - 20 < 10
            #expect(try Self.ranges(schedule, edge: edge).count == (isListed ? 1 : 0), "edge \(edge)")
        }
    }

    @Test func earlyReturnIsAddedOnceAndStays() throws {
        let schedule = try Self.schedule("every: 600s, assetDuration: 15s, earlyReturn: {after: 8s, limit: 12s}")
        for edge in stride(from: -10.0, to: 35, by: 0.5) {
            let range = try #require(try Self.ranges(schedule, edge: edge).first)
            #expect(range.attributes["X-PLAYOUT-LIMIT"] == (edge >= 8 ? .number("12") : nil), "edge \(edge)")
            #expect(range.duration == .seconds(15), "nothing else changes")
        }
    }

    @Test func cancelledInterstitialDisappearsBeforeItsStart() throws {
        let schedule = try Self.schedule("every: 600s, announce: 10s, cancel: 4s, preload: {length: 6s}")
        #expect(try Self.ranges(schedule, edge: -10).count == 2)
        #expect(try Self.ranges(schedule, edge: -4.5).count == 2)
        for edge in stride(from: -4.0, to: 60, by: 1) { #expect(try Self.ranges(schedule, edge: edge).isEmpty) }
    }

    @Test(arguments: ["before", "after"])
    func preloadRangeEndsAtTheBreakAndNamesIt(order: String) throws {
        let schedule = try Self.schedule(
            "id: 'm-{start}', every: 600s, announce: 10s, preload: {length: 6s, order: \(order), ahead: 3s}"
        )
        let early = try Self.ranges(schedule, edge: -13)
        #expect(early.map(\.classAttribute) == ["com.apple.hls.preload"], "before its target's tag")
        #expect(try Self.ranges(schedule, edge: -13.5).isEmpty)
        let both = try Self.ranges(schedule, edge: -10)
        #expect(both.count == 2)
        let preload = try #require(both.first { $0.classAttribute == "com.apple.hls.preload" })
        let target = try #require(both.first { $0.classAttribute == "com.apple.hls.interstitial" })
        #expect((both.first == preload) == (order == "before"))
        #expect(preload.startDate == Self.start - .seconds(6) && preload.duration == .seconds(6))
        #expect(preload.attributes["X-URI"] == target.attributes["X-ASSET-LIST"])
        #expect(preload.attributes["X-TARGET-ID"] == .quoted(target.id))
        #expect(preload.attributes["X-TARGET-CLASS"] == .quoted("com.apple.hls.interstitial"))
        #expect(preload.cue.isEmpty && !preload.endOnNext)
        #expect(try Self.ranges(schedule, edge: 19.5).count == 2, "while a date in it is listed")
        #expect(try Self.ranges(schedule, edge: 20).count == 1)
    }

    @Test func interstitialsOfOneStartKeepTheirOrder() throws {
        let plan = try ChannelPlan.read(
            """
            interstitials:
              - {id: 'z-{start}-{i}', every: 600s, together: 3, assetDuration: 3s}
              - {id: 'a-{start}', every: 600s}
              - {id: 'early-{start}', every: 600s, offset: 595s}
            """
        )
        let schedule = InterstitialSchedule(scripts: plan.interstitials, standardLead: .seconds(10))
        let names = try Self.ranges(schedule, edge: 4).map { $0.id.split(separator: "-") }
        #expect(names.map(\.first) == ["early", "z", "z", "z", "a"])
        #expect(names.dropFirst().prefix(3).map(\.last) == ["0", "1", "2"])
        #expect(try Self.ranges(schedule, edge: 28).map { $0.id.first } == ["z", "z", "z", "a"])
    }

    @Test func preRollIsAlwaysListedAndNeverChanges() throws {
        let schedule = try Self.schedule("id: preroll, cue: [pre, once]")
        let first = try #require(try Self.ranges(schedule, edge: 0).first)
        #expect(first.cue == [.pre, .once] && first.id == "preroll")
        for edge in stride(from: 1.0, to: 3_000, by: 37) { #expect(try Self.ranges(schedule, edge: edge) == [first]) }
    }

    @Test func identifiersAreNeverUsedAgainAndAttributesNeverChange() throws {
        let plan = try ChannelPlan.read(
            """
            interstitials:
              - {every: 40s, offset: 5s, assetDuration: 8s, earlyReturn: {after: 4s}, preload: {length: 4s, ahead: 2s}}
              - {every: 60s, together: 2, assetDuration: 4s, duration: planned, oddities: true, beacons: true}
              - {cue: [pre, once]}
            """
        )
        let schedule = InterstitialSchedule(scripts: plan.interstitials, standardLead: .seconds(10))
        var known: [String: DateRange] = [:]
        var gone: Set<String> = []
        for second in 0..<600 {
            let ranges = try Self.ranges(schedule, edge: Double(second))
            let listed = Set(ranges.map(\.id))
            #expect(listed.count == ranges.count)
            #expect(listed.isDisjoint(with: gone), "an ID came back at \(second)")
            for range in ranges {
                var merged = known[range.id] ?? range
                merged.consolidate(with: range)
                #expect(merged.conflictingAttributes.isEmpty)
                #expect(merged == range, "an attribute was lost at \(second)")
                known[range.id] = range
            }
            gone.formUnion(Set(known.keys).subtracting(listed))
        }
        #expect(gone.count > 30)
    }

    @Test func signallingOnTheTagIsBase64OfItsJSON() throws {
        let schedule = try Self.schedule("id: 'm-{start}', every: 600s, assets: 2, assetDuration: 5s, beacons: [tag]")
        let range = try #require(try Self.ranges(schedule, edge: 0).first)
        guard case .quoted(let text) = range.attributes["X-AD-CREATIVE-SIGNALING"] else {
            throw ClipError(description: "no signalling")
        }
        let json = try TestJSON(base64: text)
        #expect(json["version"]?.number == 2 && json["type"]?.text == "pod")
        let slots = json["payload"]?[0]?["slots"]
        #expect(slots?.count == 2)
        #expect(slots?[1]?["start"]?.number == 5 && slots?[1]?["duration"]?.number == 5)
        let first = slots?[1]?["tracking"]?[0]
        #expect(first?["type"]?.text == "impression")
        #expect(first?["urls"]?[0]?.text == "http://127.0.0.1:8080/interstitials/m-1795248600/beacon/1/impression")
    }
}
