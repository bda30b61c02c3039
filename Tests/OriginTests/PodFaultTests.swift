import AdServing
import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// Planned faults of pods, asset lists and the numbers of pods.
@Suite struct PodFaultTests {
    @Test func slateIsToldByItsPathAndCanBeLoaded() throws {
        let probe = try ServiceProbe(faults: "- {fault: slate_only}")
        let streamID = try #require(try probe.register().streamID)
        let playlist = try probe.media(try probe.podPlaylist("pod/1", streamID))
        let uris = playlist.segments.map { playlist.uri(of: $0) }
        #expect(!uris.isEmpty && uris.allSatisfy { $0.contains("/slate/") })
        #expect(probe.get(try #require(uris.first)).status == .ok)
    }

    @Test func aStalePodIsTheOneBefore() throws {
        let probe = try ServiceProbe(faults: "- {fault: stale_pod}")
        let streamID = try #require(try probe.register().streamID)
        let first = try probe.multivariant(probe.get(probe.manifestPath("pod/1", streamID)))
        let second = try probe.multivariant(probe.get(probe.manifestPath("pod/2", streamID)))
        #expect(second.variants.map(\.uri) == first.variants.map(\.uri))
        #expect(first.variants.first.flatMap { PodIdentifier(inURL: $0.uri) } == .sequence(1))
        // The decision was made for the new break all the same: its ads can be verified.
        let asked = probe.service.sessions.listed(streamID.rawValue).map(\.decision.identifier)
        #expect(asked == ["pod/1", "pod/2"])
    }

    @Test func oneRenditionHasADiscontinuityLess() throws {
        let probe = try ServiceProbe(faults: "- {fault: pod_rendition_mismatch, path: 180p}")
        let streamID = try #require(try probe.register().streamID)
        let manifest = try probe.multivariant(probe.get(probe.manifestPath("pod/1", streamID)))
        let counts = try manifest.variants.map { variant in
            let playlist = try probe.media(probe.get(variant.uri))
            #expect(playlist.durationMicroseconds == 30_000_000)
            return (variant.uri.contains("180p"), playlist.segments.dropFirst().count { $0.isDiscontinuity })
        }
        let odd = try #require(counts.first { $0.0 })
        let even = try #require(counts.first { !$0.0 })
        #expect(odd.1 != even.1)
    }

    @Test func aCachesAnswerSaysItsAge() throws {
        let probe = try ServiceProbe(faults: "- {fault: pod_not_found_cached}")
        let streamID = try #require(try probe.register().streamID)
        let answer = probe.get(probe.manifestPath("pod/1", streamID))
        #expect(answer.status == .notFound && answer.fields[.age] == "7" && answer.body.readableBytes == 0)
    }

    @Test func whatHealsIsThereAtTheThirdTry() throws {
        let probe = try ServiceProbe(faults: "- {fault: pod_not_found_healed}")
        let streamID = try #require(try probe.register().streamID)
        let statuses = (0..<3).map { _ in probe.get(probe.manifestPath("pod/1", streamID)).status.code }
        #expect(statuses == [404, 404, 200])
    }

    private static let channel = """
        interstitials:
          - {id: "mid-{start}", every: 60s, assets: 2, assetDuration: 5s, announce: 20s, numbersPods: true}
        """

    private func list(_ probe: ServiceProbe) throws -> AssetList {
        let playlist = try probe.media(probe.get("/live/main/360p/media.m3u8"))
        let range = try #require(playlist.dateRanges.first { $0.id.hasPrefix("mid-") })
        let answer = probe.get("/interstitials/\(range.id)/assets.json")
        return try AssetList(parsing: Array(answer.body.readableBytesView))
    }

    @Test func durationsOfAnAssetListAreWrongOrMissing() throws {
        #expect(try list(ServiceProbe(channel: Self.channel)).assets.map(\.duration) == [.seconds(5), .seconds(5)])
        let wrong = try ServiceProbe(faults: "- {fault: asset_duration_wrong}", channel: Self.channel)
        #expect(try list(wrong).assets.map(\.duration) == [.seconds(7), .seconds(7)])
        let missing = try ServiceProbe(faults: "- {fault: asset_duration_missing}", channel: Self.channel)
        #expect(throws: AssetListError.badDuration) { try list(missing) }
    }

    /// The number that the interstitial of 08:12 names its pod by, as long as it is listed.
    private func numbers(_ faults: String, viewer: UInt64 = 1) throws -> Set<Int> {
        let probe = try ServiceProbe(faults: faults, channel: Self.channel)
        let begin = probe.now
        var numbers: Set<Int> = []
        for second in -25..<10 {
            probe.now = begin + .seconds(second)
            let playlist = probe.get("/live/main/360p/media.m3u8", viewer: viewer)
            for range in try probe.media(playlist).dateRanges where range.id == "mid-1795248720" {
                guard case .quoted(let uri)? = range.attributes["X-ASSET-LIST"] else { continue }
                guard case .sequence(let number)? = PodIdentifier(inURL: uri) else { continue }
                numbers.insert(number)
            }
        }
        return numbers
    }

    @Test func theNumberOfAPodIsAnotherAsLongAsItIsListed() throws {
        let own = try #require(try numbers("").first)
        #expect(try numbers("") == [own])
        #expect(own == 1_795_248_720 / 60 + 1)
        #expect(try numbers("- {fault: break_identifier_reused, breaks: [1]}") == [own - 1])
        #expect(try numbers("- {fault: break_identifier_skipped, breaks: [1]}") == [own + 1_000_000])
        #expect(try numbers("- {fault: break_identifier_backwards, breaks: [1]}") == [own / 2])
        #expect(try numbers("- {fault: break_identifier_reused, breaks: [2]}") == [own])
        let split = try (UInt64(0)..<40).map { viewer in
            try numbers("- {fault: break_identifier_split, share: 50%}", viewer: viewer)
        }
        #expect(split.allSatisfy { $0 == [own] || $0 == [own + 1_000_000] })
        #expect(Set(split).count == 2)
    }

    @Test func whoSawAnotherNumberIsCountedUnderItsOwnBreak() throws {
        let probe = try ServiceProbe(
            faults: "- {fault: break_identifier_reused, breaks: [1]}",
            channel: Self.channel
        )
        _ = probe.get("/live/main/360p/media.m3u8", viewer: 4)
        let truth = try #require(probe.service.truth(at: probe.now).affected["break_identifier_reused"])
        #expect(truth.viewers == 1 && truth.breaks == ["1": 1])
    }
}
