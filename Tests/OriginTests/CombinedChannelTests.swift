import HLS
import HTTPTypes
import NIOCore
import Profile
import Testing

@testable import Origin

/// Every section of a channel plan at once: what the playlists name is there, and deltas still merge to the whole.
@Suite struct CombinedChannelTests {
    private static let everything = """
        lowLatency: {partDuration: 500ms, deltaUpdates: v2, goneHintEvery: 7}
        renditions: {audio: [en, es], subtitles: [en]}
        variables: {base: up, token: key}
        steering: {pathways: [a, b], switchEvery: 30s}
        stitched: {every: 40s, duration: 12s, dialect: [cue-out-cont, daterange]}
        interstitials:
          - {id: "mid-{start}", every: 60s, offset: 20s, assets: 2, assetDuration: 5s}
        """

    private static func probe(deltas: String = "v2") throws -> ServiceProbe {
        try ServiceProbe(channel: everything.replacing("v2", with: deltas)) {
            $0.windowSegments = 12
            $0.breakInterval = .zero
        }
    }

    /// A media playlist of the channel, with its own URL and the values of its variables.
    private struct Followed {
        let url: String
        let imported: [String: String]

        func playlist(_ probe: ServiceProbe, query: String = "") throws -> MediaPlaylist {
            let answer = probe.get(path(url) + query)
            #expect(answer.status == .ok, "\(url)\(query)")
            return try read(answer)
        }

        func read(_ answer: Answer) throws -> MediaPlaylist {
            let playlist = try Array(answer.body.readableBytesView).withUnsafeBytes { bytes in
                try Playlist.parse(bytes, url: url, importing: imported)
            }
            guard case .media(let media) = playlist else { throw ClipError(description: "not a media playlist") }
            return media
        }

        func path(_ url: String) -> String { String(url.dropFirst("http://origin".utf8.count)) }

        func path(of uri: String) throws -> String {
            path(try #require(URLReference.resolve(uri, against: url)))
        }
    }

    private static func followed(_ probe: ServiceProbe) throws -> [Followed] {
        let url = "http://origin/live/main/multivariant.m3u8"
        let listing = try probe.multivariant(probe.get("/live/main/multivariant.m3u8"), url: url)
        return try (listing.variants.map(\.uri) + listing.renditions.compactMap(\.uri)).map { uri in
            Followed(
                url: try #require(URLReference.resolve(uri, against: url)),
                imported: listing.variables(url: url)
            )
        }
    }

    @Test func whateverAPlaylistNamesIsThere() throws {
        let probe = try Self.probe()
        let playlists = try Self.followed(probe)
        #expect(playlists.count == 10, "two variants and three renditions on two pathways")
        let text = String(buffer: probe.get(playlists[0].path(playlists[0].url)).body)
        #expect(text.contains("{$up}/") && text.contains("#EXT-X-VERSION:11"), "by variables")
        var ads = 0
        var held = 0
        for _ in 0..<8 {
            for followed in playlists {
                let playlist = try followed.playlist(probe)
                var uris = playlist.segments.map { playlist.uri(of: $0) }
                uris += playlist.segments.compactMap { $0.mapURI.map { playlist.string(in: $0) } }
                uris += playlist.parts.map { playlist.string(in: $0.uri) }
                for uri in Set(uris) {
                    let path = try followed.path(of: uri)
                    let answer = probe.get(path)
                    #expect(answer.status == .ok, "\(path)")
                    #expect(answer.body.readableBytes > 0)
                    if uri.contains("stitched/") { ads += 1 }
                }
                for hint in playlist.preloadHints {
                    let path = try followed.path(of: playlist.string(in: hint.uri))
                    let release = try #require(probe.service.release(of: probe.exchange(path)), "\(path)")
                    #expect(release > probe.now && release <= probe.now + .milliseconds(500))
                    held += 1
                }
            }
            probe.now = probe.now + .milliseconds(5_300)
        }
        #expect(ads > 0 && held > 0)
        #expect(probe.service.truth(at: probe.now).delivery.withoutToken == 0)
        #expect(Set(probe.service.truth(at: probe.now).pathways.keys) == ["a", "b"])
    }

    /// Players ask for up to two segments at a time, which is less than half of the skip boundary.
    @Test(arguments: ["v2", "YES"]) func deltasMergeToTheWholeInEveryRendition(deltas: String) throws {
        let probe = try Self.probe(deltas: deltas)
        let playlists = try Self.followed(probe)
        var held = try playlists.map { try $0.playlist(probe) }
        var kinds: Set<String> = []
        for step in 0..<90 {
            probe.now = probe.now + .milliseconds(500 * Int64(1 + step % 8))
            for (place, followed) in playlists.enumerated() {
                let answer = probe.get(followed.path(followed.url) + "&_HLS_skip=\(deltas)")
                let delta = try followed.read(answer)
                let full = try followed.playlist(probe)
                held[place] = try MediaPlaylist.merging(delta: delta, into: held[place])
                #expect(held[place].contentDigest == full.contentDigest, "\(followed.url), step \(step)")
                #expect(DigestComment.digest(in: delta.text) == full.contentDigest)
                kinds.formUnion(full.dateRanges.map { String($0.id.prefix { $0 != "-" }) })
            }
            let ranges = held.map(\.dateRanges)
            #expect(ranges.allSatisfy { $0 == ranges[0] }, "the same in all renditions")
            let numbers = held.map { $0.segments.map(\.discontinuitySequence) }
            #expect(numbers.allSatisfy { $0 == numbers[0] })
        }
        #expect(kinds == ["mid", "stitched"])
        #expect(probe.service.truth(at: probe.now).delivery.outOfOrder == 900, "the token stands before the directive")
    }
}
