import Conformance
import Foundation
import HLS
import Rulebook
import Testing

@testable import Origin

/// Versions of the origin's playlists follow from each other, but where a planned fault breaks that.
@Suite struct VersionConformanceTests {
    /// The start of a break.
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)
    private static let media = "/live/main/360p/media.m3u8"

    /// What a watcher finds that loads the playlist once a second.
    private static func codes(_ probe: ServiceProbe, seconds: Range<Int>) throws -> [String] {
        var watch = PlaylistWatch()
        return try seconds.flatMap { second in
            probe.now = start + .seconds(second)
            let answer = probe.get(media, viewer: 7)
            let now = Duration.seconds(second + 100)
            return try watch.loaded(probe.media(answer), askedAt: now, at: now).map(\.code.code)
        }
    }

    @Test(arguments: [
        "", "stitched: {every: 40s, duration: 12s, dialect: [cue-out-cont, daterange]}",
        "lowLatency: {partDuration: 500ms, deltaUpdates: v2, goneHintEvery: 7}",
        "interstitials: [{id: 'mid-{start}', every: 60s, assetDuration: 5s}]",
    ])
    func aCleanChannelGoesOnAsItMust(plan: String) throws {
        let probe = try ServiceProbe(channel: plan) { $0.breakDuration = .seconds(20) }
        #expect(try Self.codes(probe, seconds: -10..<90) == [])
    }

    @Test(arguments: [
        "header_changed", "segment_attributes_changed", "discontinuity_sequence_missing", "break_announced_late",
    ])
    func aPlannedFaultBreaksItsRuleAndNoOther(fault: String) throws {
        for channel in ["", "lowLatency: {partDuration: 500ms}"] {
            let probe = try ServiceProbe(faults: "- {fault: \(fault)}", channel: channel)
            #expect(try Set(Self.codes(probe, seconds: -10..<50)) == [fault], "\(channel)")
        }
    }
}
