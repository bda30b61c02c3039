import AdServing
import Foundation
import HLS
import HTTPTypes
import NIOCore
import Rules
import TestSupport
import Testing

@testable import Origin

/// The origin's playlists keep every rule but the one that a planned fault breaks.
@Suite struct PlaylistConformanceTests {
    /// The start of a break, and of a planned fault's zone.
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)
    private static let media = "/live/main/360p/media.m3u8"
    private static let multivariant = "/live/main/multivariant.m3u8"

    private static func violations(
        _ probe: ServiceProbe,
        _ path: String,
        importing imported: [String: String] = [:]
    ) -> [Violation] {
        var exchange = probe.exchange(path, viewer: 7)
        let plain = probe.service.answer(exchange, body: .init(), isJSON: false)
        exchange.acceptsGzip = true
        let packed = probe.service.answer(exchange, body: .init(), isJSON: false)
        let url = "http://127.0.0.1:8080\(path)"
        let found = plain.body.withUnsafeReadableBytes {
            PlaylistChecks.violations(in: $0, url: url, importing: imported)
        }
        let bytes = plain.body.readableBytes
        let head = ResponseChecks.violations(acceptedGzip: true, url: url, bodyBytes: bytes) {
            packed.fields[$0 == "content-type" ? .contentType : .contentEncoding]
        }
        return found + head
    }

    /// Findings of a watcher that loads the playlist once a second, where `path` is a live media playlist.
    private static func violations(
        _ probe: ServiceProbe,
        _ path: String,
        watchedBy watch: inout PlaylistWatch
    ) throws -> [Violation] {
        guard path == media else { return [] }
        let body = probe.service.answer(probe.exchange(path, viewer: 7), body: .init(), isJSON: false).body
        let parsed = body.withUnsafeReadableBytes { bytes in try? Playlist.parse(bytes) }
        guard case .media(let playlist)? = parsed else { return [] }
        let now = probe.now.duration(since: start) + .seconds(60)
        return watch.loaded(playlist, askedAt: now, at: now)
    }

    private static let plans: [String] = {
        let folder = PackageFolder.file("Profiles/channels")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }()

    private static let ownPlans = [
        "", "stitched: {every: 40s, duration: 12s, dialect: [cue-out-cont, daterange]}",
        "variables: {base: up, token: key}", "renditions: {audio: [en, es], subtitles: [en]}",
        """
        lowLatency: {partDuration: 500ms, deltaUpdates: v2, goneHintEvery: 7}
        steering: {pathways: [a, b], switchEvery: 30s}
        renditions: {audio: [en], subtitles: [en]}
        """,
    ]

    @Test func thereAreShippedPlans() { #expect(Self.plans.count >= 2) }

    /// The whole of a channel: all media playlists that the multivariant playlist names, over a minute.
    @Test(arguments: Self.plans + Self.ownPlans)
    func aCleanChannelBreaksNoRule(plan: String) throws {
        let probe = try ServiceProbe(channel: plan) { $0.breakDuration = .seconds(20) }
        let url = "http://127.0.0.1:8080\(Self.multivariant)"
        let listed = try probe.multivariant(probe.get(Self.multivariant), url: url)
        let imported = listed.variables(url: url)
        let uris = listed.variants.map(\.uri) + listed.renditions.compactMap(\.uri)
        let paths = try uris.map { uri in
            let whole = try #require(URLReference.resolve(uri, against: url))
            return String(whole.dropFirst("http://127.0.0.1:8080".utf8.count))
        }
        #expect(paths.count >= 2)
        var watch = PlaylistWatch()
        for second in 0..<60 {
            probe.now = Self.start + .seconds(second)
            for path in [Self.multivariant] + paths {
                let versions = try Self.violations(probe, path, watchedBy: &watch)
                let found = Self.violations(probe, path, importing: imported) + versions
                #expect(found.filter { $0.code.severity > .advice }.isEmpty, "\(path) at \(second) s: \(found)")
            }
        }
    }

    @Test func podsAndAssetsBreakNoRule() throws {
        let probe = try ServiceProbe(channel: "interstitials: [{id: 'mid-{start}', every: 60s, assetDuration: 5s}]")
        let session = try probe.streamID()
        let manifest = probe.manifestPath("pod/1", session)
        let pods = try probe.multivariant(probe.get(manifest)).variants.map(\.uri)
        let listed = probe.get("/interstitials/mid-1795248720/assets.json?_HLS_interstitial_id=mid-1795248720")
        let texts = String(buffer: listed.body).replacing("\\/", with: "/").split(separator: "\"").map(String.init)
        let asset = try #require(
            texts.first { $0.contains("asset.m3u8") }?.replacing("http://127.0.0.1:8080", with: "")
        )
        let played = try probe.multivariant(probe.get(asset)).variants.map { variant in
            let url = URLReference.resolve(variant.uri, against: "http://127.0.0.1:8080\(asset)") ?? ""
            return url.replacing("http://127.0.0.1:8080", with: "")
        }
        let assets = [asset] + played
        #expect(played.count >= 1)
        #expect(!pods.isEmpty)
        for path in [manifest] + pods + assets {
            let found = Self.violations(probe, path)
            #expect(found.filter { $0.code.severity > .advice }.isEmpty, "\(path): \(found)")
        }
    }

    private static let faults = FaultKind.playlists.map(\.name).filter { $0 != "not_a_playlist" }

    /// Each fault breaks its own rule while it lasts, and no other rule of one playlist at any time.
    @Test(arguments: Self.faults)
    func aPlannedFaultBreaksItsRuleAndNoOther(fault: String) throws {
        let kind = try #require(FaultKind.playlists.first { $0.name == fault })
        let probe = try ServiceProbe(faults: "- {fault: \(fault)}")
        let clean = try ServiceProbe()
        let path = kind.kinds.contains(.playlist) ? Self.media : Self.multivariant
        var seen: Set<String> = []
        var (watch, cleanWatch) = (PlaylistWatch(), PlaylistWatch())
        for second in -6..<40 {
            probe.now = Self.start + .seconds(second)
            clean.now = probe.now
            let versions = try Self.violations(probe, path, watchedBy: &watch).filter { $0.code.group == .playlist }
            let found = Self.violations(probe, path) + versions
            seen.formUnion(found.map(\.code.code))
            #expect(Self.violations(clean, path).isEmpty)
            #expect(try Self.violations(clean, path, watchedBy: &cleanWatch).isEmpty)
        }
        #expect(seen == [fault])
    }

    /// What the origin's own channel lacks is broken in channels that have it.
    @Test(arguments: [
        "server_control_invalid", "partial_segment_invalid", "part_hold_back_short", "live_window_short",
        "tag_misplaced",
        "playlist_form_loose",
    ])
    func aPlannedFaultBreaksItsRuleInOtherChannels(fault: String) throws {
        for plan in Self.plans + Self.ownPlans where !plan.contains("variables") {
            let probe = try ServiceProbe(faults: "- {fault: \(fault)}", channel: plan)
            var seen: Set<String> = []
            var watch = PlaylistWatch()
            for second in -6..<40 {
                probe.now = Self.start + .seconds(second)
                let versions = try Self.violations(probe, Self.media, watchedBy: &watch)
                let found = Self.violations(probe, Self.media) + versions.filter { $0.code.group == .playlist }
                let codes = found.filter { $0.code.severity > .advice || $0.code.code == fault }.map(\.code.code)
                seen.formUnion(codes)
            }
            #expect(seen == [fault], "\(plan)")
        }
    }

    @Test(arguments: [
        "header_changed", "segment_attributes_changed", "discontinuity_sequence_missing", "break_announced_late",
    ])
    func aPlannedFaultOfVersionsBreaksItsRuleAndNoOtherOfTheirs(fault: String) throws {
        for channel in ["", "lowLatency: {partDuration: 500ms}"] {
            let probe = try ServiceProbe(faults: "- {fault: \(fault)}", channel: channel)
            var watch = PlaylistWatch()
            let codes = try (-10..<50).flatMap { second in
                probe.now = Self.start + .seconds(second)
                return try Self.violations(probe, Self.media, watchedBy: &watch).map(\.code.code)
            }
            #expect(Set(codes) == [fault], "\(channel)")
        }
    }

    /// Faults of segments say the same of a segment for as long as it is listed.
    @Test(arguments: ["target_duration_exceeded", "segment_duration_short", "program_date_inconsistent"])
    func aFaultOfSegmentsIsTheSameInEveryVersion(fault: String) throws {
        let probe = try ServiceProbe(faults: "- {fault: \(fault)}")
        var known: [UInt64: MediaPlaylist.Segment] = [:]
        for second in -6..<29 {
            probe.now = Self.start + .seconds(second)
            let playlist = try probe.media(probe.get(Self.media, viewer: 7))
            for (place, segment) in playlist.segments.enumerated() {
                let number = playlist.mediaSequence + UInt64(place)
                let first = known[number] ?? segment
                #expect(segment.durationMicroseconds == first.durationMicroseconds, "segment \(number)")
                #expect(segment.programDate == first.programDate, "segment \(number)")
                known[number] = first
            }
        }
    }
}
