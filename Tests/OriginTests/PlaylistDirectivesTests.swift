import Testing

@testable import Origin

/// Delivery directives by the rules of bis-22 section 6.2.5.
@Suite struct PlaylistDirectivesTests {
    private static let offered = LowLatencyPlan(partDuration: .milliseconds(500), deltaUpdates: .dateRanges)

    private static func read(_ query: String, _ plan: LowLatencyPlan? = offered) -> PlaylistDirectives? {
        PlaylistDirectives.read(FormFields(query), offered: plan, parts: plan?.partDuration == nil ? 0 : 4)
    }

    @Test func directivesAreRead() {
        #expect(Self.read("") == PlaylistDirectives.none)
        #expect(Self.read("_HLS_msn=7") == PlaylistDirectives(segment: 7))
        #expect(Self.read("_HLS_msn=7&_HLS_part=3&a=b") == PlaylistDirectives(segment: 7, part: 3))
        #expect(Self.read("_HLS_msn=7&_HLS_part=4") == PlaylistDirectives(segment: 8, part: 0), "past the last part")
        #expect(Self.read("_HLS_skip=YES") == PlaylistDirectives(delta: .init()))
        #expect(Self.read("_HLS_skip=v2") == PlaylistDirectives(delta: .init(skipsDateRanges: true)))
    }

    @Test(arguments: [
        "_HLS_part=1", "_HLS_msn=x", "_HLS_msn=-1", "_HLS_msn=7&_HLS_part=x", "_HLS_msn=7&_HLS_part=-1", "_HLS_skip=no",
        "_HLS_msn=18446744073709551615", "_HLS_msn=7&_HLS_part=99999999999",
    ])
    func mistakesAreRefused(query: String) {
        #expect(Self.read(query) == nil)
    }

    @Test func whatIsNotOfferedIsAsAbsent() {
        #expect(Self.read("_HLS_part=1&_HLS_skip=no", nil) == PlaylistDirectives.none)
        let plain = LowLatencyPlan(blocking: false)
        #expect(Self.read("_HLS_part=1&_HLS_skip=v2&_HLS_msn=3", plain) == PlaylistDirectives.none)
        let segments = LowLatencyPlan(deltaUpdates: .segments)
        #expect(Self.read("_HLS_skip=v2", segments) == PlaylistDirectives(delta: .init()))
        #expect(Self.read("_HLS_msn=3&_HLS_part=1", segments) == PlaylistDirectives(segment: 3), "no parts")
    }

    private static let ahead: [(query: String, isTooFar: Bool)] = [
        ("_HLS_msn=99", false), ("_HLS_msn=102", false), ("_HLS_msn=103", true),
        // The last part is 1 of segment 101; six parts ahead of it are allowed at half a second each.
        ("_HLS_msn=101&_HLS_part=3", false), ("_HLS_msn=102&_HLS_part=3", false), ("_HLS_msn=103&_HLS_part=0", true),
    ]

    @Test(arguments: ahead)
    func whatIsTooFarAheadIsRefused(query: String, isTooFar: Bool) throws {
        let timeline = ChannelTimeline(segmentSeconds: 2, windowSegments: 10, partMicroseconds: 500_000)
        let asked = try #require(Self.read(query))
        #expect(asked.isTooFar(beyond: LiveEdge(newest: 100, parts: 2), timeline: timeline) == isTooFar)
    }

    @Test func partsAreCountedAgainstTheAdvancePartLimit() throws {
        // With parts of a second, three are the limit, and a segment of eight seconds has more.
        let timeline = ChannelTimeline(segmentSeconds: 8, windowSegments: 10, partMicroseconds: 1_000_000)
        for (part, isTooFar) in [(0, false), (3, false), (4, true), (7, true)] {
            let asked = PlaylistDirectives(segment: 101, part: part)
            #expect(
                asked.isTooFar(beyond: LiveEdge(newest: 100, parts: 1), timeline: timeline) == isTooFar,
                "part \(part)"
            )
        }
    }

    @Test(arguments: ["7.1.m4s", "18446744073709551615.65535.m4s", "0.0.gone.m4s"])
    func partNamesAreReadAsTheyAreWritten(file: String) throws {
        #expect(try #require(PartName(file: file)).file == file)
    }

    @Test(arguments: [
        "", "7.m4s", "7.1.mp4", "7.1.2.m4s", "gone.m4s", "7.gone.m4s", "-7.1.m4s", "7.70000.m4s", "..m4s",
    ])
    func otherNamesAreNoParts(file: String) {
        #expect(PartName(file: file) == nil)
    }
}
