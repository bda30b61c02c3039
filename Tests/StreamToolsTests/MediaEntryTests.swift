import HLS
import Testing
import Transport

@testable import Tools

/// Which media playlists of a multivariant playlist a stream may be looked at by.
@Suite struct MediaEntryTests {
    private func entry(_ uris: String..., more: Int = 0) throws -> MediaEntry {
        let address = try Streams.address()
        let allowed = AuthorisedHosts(["live.example.com"], of: [address.url], headersAlsoTo: [])
        var facts = StreamFacts(address, allowed: allowed)
        let text =
            "#EXTM3U\n"
            + (uris + (0..<more).map { "\($0).m3u8" }).map { "#EXT-X-STREAM-INF:BANDWIDTH=1\n\($0)\n" }.joined()
        return try MediaEntry(try Playlist(parsing: Array(text.utf8)), at: address.url, &facts)
    }

    @Test func variantsAreTriedInTheirOrderEachAddressOnce() throws {
        let variants = try entry("a.m3u8", "a.m3u8", "https://cdn.example.net/b.m3u8", "c.m3u8").variants
        #expect(variants.map(\.number) == [1, 4])
        #expect(try entry("a.m3u8", more: 2_000).variants.count == MediaEntry.mostLookedAt)
        #expect(variants.map(\.url) == ["a", "c"].map { "https://live.example.com/channel/\($0).m3u8" })
    }

    @Test func thoseElsewhereAreNamedWhereThereIsNoOther() throws {
        let failure = #expect(throws: StreamFailure.self) { try entry("https://cdn.example.net/b.m3u8") }
        #expect(failure?.message.contains("--allow-host cdn.example.net") == true)
        #expect(try entry("https://cdn.example.net/b.m3u8", "c.m3u8").variants.map(\.number) == [2])
    }
}
