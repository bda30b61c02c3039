import TestSupport
import Testing

@testable import HLS

/// Whatever arrives, parsing ends with a playlist or an error, and a playlist reads back as it is written.
@Suite struct MalformedPlaylistTests {
    static let samples = [Samples.live, Samples.multivariant]

    /// Parses; where that succeeds, the description must survive writing and reading.
    private func checkTotal(_ body: [UInt8], _ comment: Comment) {
        guard let playlist = try? Playlist(parsing: body) else {
            return
        }
        switch playlist {
        case .media(let playlist):
            let description = MediaPlaylistWriter(describing: playlist)
            let again = try? Playlist(parsing: description.render())
            guard case .media(let second) = again else {
                Issue.record("the text written is no media playlist: \(comment)")
                return
            }
            #expect(MediaPlaylistWriter(describing: second) == description, comment)
            for index in playlist.segments.indices {
                #expect(playlist.programDate(at: index) == second.programDate(at: index), comment)
            }
        case .multivariant(let playlist):
            let again = try? Playlist(parsing: MultivariantPlaylistWriter(describing: playlist).render())
            guard case .multivariant(let second) = again else {
                Issue.record("the text written is no multivariant playlist: \(comment)")
                return
            }
            #expect(second == playlist, comment)
        }
    }

    @Test(arguments: 0..<2)
    func everyTruncationEnds(_ sample: Int) {
        let bytes = Array(Self.samples[sample].utf8)
        for length in 0...bytes.count {
            checkTotal(Array(bytes.prefix(length)), "length \(length)")
        }
    }

    @Test(arguments: 0..<2, 1...60)
    func everyMutationEnds(_ sample: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let interesting = Array("\n\r\",=:@#-.0x9E,{}$\u{0}".utf8) + [0xFF, 0xC3]
        for round in 0..<50 {
            var bytes = Array(Self.samples[sample].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes[index] = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
                case 2: bytes.remove(at: index)
                default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 20)], at: index)
                }
            }
            checkTotal(bytes, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: 1...30)
    func linesInAnyOrderEnd(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let lines = (Samples.live + Samples.multivariant).split(separator: "\n", omittingEmptySubsequences: false)
        for round in 0..<20 {
            let some = lines.shuffled(using: &generator).prefix(Int.random(in: 0...lines.count, using: &generator))
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + some.joined(separator: "\n")
            checkTotal(Array(text.utf8), "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: 1...20)
    func noiseEnds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<50 {
            let count = Int.random(in: 0...400, using: &generator)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            checkTotal(noise, "seed \(seed), round \(round)")
            checkTotal(Array("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:1,\n".utf8) + noise, "seed \(seed)")
        }
    }

    @Test(arguments: [
        "#EXTINF:31557600000,\n0.ts\n", "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\"\n",
        "#EXT-X-UNKNOWN\n", "\n", "#\n", "#EXT-X-DISCONTINUITY\n#EXTINF:1,\n0.ts\n",
    ])
    func tensOfThousandsOfLinesEnd(_ line: String) throws {
        let repeated = String(repeating: line, count: 50_000)
        let playlist = try Samples.mediaPlaylist(Samples.media(repeated))
        #expect(playlist.durationMicroseconds >= 0)
        #expect(playlist.dateRanges.count <= 1)
    }

    @Test func manyDateRangesAreFoundByTheirIDs() throws {
        let lines = (0..<20_000).map { "#EXT-X-DATERANGE:ID=\"\($0)\",START-DATE=\"2026-11-21T20:00:00Z\"" }
        let again = lines.map { $0 + ",DURATION=5" }
        let playlist = try Samples.mediaPlaylist(Samples.media((lines + again).joined(separator: "\n")))
        #expect(playlist.dateRanges.count == 20_000)
        #expect(playlist.dateRanges.allSatisfy { $0.duration == .seconds(5) })
    }
}
