import AdServing
import HLS
import HTTPTypes
import Profile
import Testing
import Values

@testable import Origin

@Suite struct OriginServiceTests {
    @Test func tokensAreAskedForWhereAKeyIsSet() throws {
        let probe = try ServiceProbe { $0.session.authTokenKey = "secret" }
        let expiry = String(probe.now.epochSeconds + 60)
        let event = ["custom_asset_key": "sgai-hls-live", "network_code": "21775744923", "exp": expiry]
        let register = PercentEncoding.encode(AuthToken.sign(fields: event, key: "secret"))
        #expect(probe.post(ServiceProbe.registrationPath).status == .unauthorized)
        let streamID = try probe.streamID("auth-token=\(register)")
        #expect(probe.get(probe.manifestPath("pod/7", streamID)).status == .unauthorized)
        for (pod, status) in [("7", 200), ("8", 401)] {
            let fields = event.merging(["pod_id": pod, "pd": "30000"]) { first, _ in first }
            let token = PercentEncoding.encode(AuthToken.sign(fields: fields, key: "secret"))
            let path = probe.manifestPath("pod/7", streamID, query: "&pd=30000&auth-token=\(token)")
            #expect(probe.get(path).status.code == status)
        }
    }

    @Test(arguments: ["pod/7", "ad_break_id/never-seen-before"], [1, 10_000, 24_500, 30_000, 3_600_000])
    func podAddsUpToWhatWasAskedFor(identifier: String, milliseconds: Int) throws {
        let probe = try ServiceProbe()
        let streamID = try probe.streamID()
        let query = "&pd=\(milliseconds)"
        let manifest = try probe.multivariant(probe.get(probe.manifestPath(identifier, streamID, query: query)))
        #expect(manifest.variants.count == 2)
        #expect(manifest.head.isIndependentSegments)
        var lengths: [[Int64]] = []
        for variant in manifest.variants {
            #expect(variant.bandwidth >= variant.averageBandwidth ?? .max)
            #expect(variant.codecs != nil && variant.width != nil)
            let playlist = try probe.media(probe.get(variant.uri))
            #expect(playlist.hasEndList)
            #expect(playlist.playlistType == .vod)
            #expect(playlist.durationMicroseconds == Int64(milliseconds) * 1_000)
            let discontinuities = playlist.segments.count { $0.isDiscontinuity }
            #expect(discontinuities == (milliseconds - 1) / 10_000)
            for segment in playlist.segments {
                #expect(playlist.uri(of: segment).contains("stream_id=\(streamID.percentEncoded)"))
                #expect(segment.mapURI != nil)
            }
            lengths.append(playlist.segments.map(\.durationMicroseconds))
            let last = try #require(playlist.segments.last)
            #expect(probe.get(playlist.uri(of: last)).status == .ok)
        }
        #expect(lengths[0] == lengths[1], "renditions of one pod must agree")
    }

    @Test func podIsTheSameForEverySessionAndDiffersByIdentifier() throws {
        let probe = try ServiceProbe()
        var hashes: [String: Set<UInt64>] = [:]
        for _ in 0..<5 {
            let streamID = try probe.streamID()
            for identifier in ["pod/1", "pod/2", "ad_break_id/break-1"] {
                let manifest = probe.fingerprint(probe.get(probe.manifestPath(identifier, streamID)), own: streamID)
                let playlist = probe.fingerprint(try probe.podPlaylist(identifier, streamID), own: streamID)
                hashes[identifier, default: []].formUnion([manifest, playlist])
            }
        }
        #expect(hashes.values.allSatisfy { $0.count == 2 }, "one manifest and one playlist each")
        #expect(Set(hashes.values.flatMap { $0 }).count == 6)
    }
}
