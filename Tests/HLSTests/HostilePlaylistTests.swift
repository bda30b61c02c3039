import TestSupport
import Testing

@testable import HLS

/// Playlists that somebody broke: whatever is read of them, nothing traps, and a merge that succeeds is whole.
@Suite struct HostilePlaylistTests {
    private static let tokens = [
        "18446744073709551615", "-9223372036854775808", "99999999999", "0", "\"", ",", "=", "\n", "\t", "{$a}",
        "#EXTINF:1,\n",
        "#EXT-X-DISCONTINUITY\n", "#EXT-X-CUE-OUT:99999999999\n", "#EXT-X-CUE-OUT-CONT:5/1\n", "#EXT-X-CUE-IN\n",
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"ad1\"\n",
        "#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n",
        "#EXT-X-PROGRAM-DATE-TIME:9999-12-31T23:59:59Z\n", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n",
        "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"0000-01-01T00:00:00Z\",SCTE35-OUT=0xFC,PLANNED-DURATION=31557600000\n",
        "#EXT-X-PART:DURATION=31557600000,URI=\"p\"\n", "#EXT-X-START:TIME-OFFSET=-31557600000\n",
    ]

    private func broken(_ text: String, _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0...(generator.next() % 4) {
            let place = Int(generator.next() % UInt64(bytes.count))
            switch generator.next() % 4 {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + Int(generator.next() % 9)))
            default:
                let token = Self.tokens[Int(generator.next() % UInt64(Self.tokens.count))]
                bytes.insert(contentsOf: token.utf8, at: place)
            }
            guard !bytes.isEmpty else {
                return [0]
            }
        }
        return bytes
    }

    @Test(arguments: SpecificationExamples.media.indices)
    func nothingThatIsReadOfABrokenPlaylistTraps(_ index: Int) throws {
        var generator = SeededGenerator(seed: UInt64(index) + 1)
        let base = "https://h/live/index.m3u8?a=1"
        var previous = try Samples.mediaPlaylist(SpecificationExamples.media[index].text)
        var breaks = StitchedBreaks()
        for _ in 0..<400 {
            let body = broken(SpecificationExamples.media[index].text, &generator)
            let result = body.withUnsafeBytes { try? Playlist.parse($0, url: base, importing: ["a": "1"]) }
            guard case .media(let playlist) = result else {
                continue
            }
            let date = playlist.programDate(at: 0) ?? WallTime(microseconds: 0)
            for interstitial in playlist.interstitials(base: base) {
                _ = playlist.nearestBoundary(to: interstitial.startDate)
                _ = interstitial.playoutDuration(ofAssets: .seconds(31_557_600_000))
            }
            for preload in playlist.preloads(base: base) {
                _ = preload.loadDate(fraction: 0.5, playhead: date, latest: preload.endDate)
            }
            breaks.read(playlist)
            _ = DeliveryDirectives.next(after: playlist)
            _ = CDNTuneIn.directives(goal: .seconds(86_400), playlist: playlist)
            if let merged = try? MediaPlaylist.merging(delta: playlist, into: previous) {
                #expect(merged.skippedSegments == 0)
                #expect(merged.endMediaSequence == playlist.endMediaSequence)
                #expect(merged.contentDigest != playlist.contentDigest)
            } else if playlist.skippedSegments == 0 {
                previous = playlist
            }
        }
    }
}
