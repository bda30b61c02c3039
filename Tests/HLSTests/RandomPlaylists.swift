import TestSupport

@testable import HLS

/// Valid descriptions of playlists from a seeded generator.
enum RandomPlaylists {
    static func media(_ generator: inout SeededGenerator) -> MediaPlaylistWriter {
        var writer = MediaPlaylistWriter(
            targetDurationSeconds: Int.random(in: 0...60, using: &generator),
            version: maybe(&generator) { Int.random(in: 1...13, using: &$0) }
        )
        writer.mediaSequence = generator.next()
        writer.discontinuitySequence = generator.next() % 5
        writer.playlistType = maybe(&generator) { $0.next() % 2 == 0 ? .vod : .event }
        writer.serverControl = maybe(&generator) {
            MediaPlaylist.ServerControl(
                holdBackSeconds: maybe(&$0) { Double($0.next() % 60_000) / 1_000 },
                canBlockReload: $0.next() % 2 == 0,
                canSkipUntilSeconds: maybe(&$0) { Double($0.next() % 60_000_000) / 1_000_000 }
            )
        }
        writer.isIndependentSegments = generator.next() % 2 == 0
        writer.skippedSegments = generator.next() % 3
        writer.hasEndList = generator.next() % 2 == 0
        writer.dateRanges = (0..<Int.random(in: 0...12, using: &generator)).map { dateRange($0, &generator) }
        var map: MediaPlaylistWriter.Map?
        writer.segments = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            if generator.next() % 4 == 0 {
                map = .init(uri: word(&generator), byteRange: maybe(&generator, byteRange))
            }
            return segment(map, &generator)
        }
        return writer
    }

    static func multivariant(_ generator: inout SeededGenerator) -> MultivariantPlaylist {
        MultivariantPlaylist(
            version: maybe(&generator) { Int.random(in: 1...13, using: &$0) },
            independentSegments: generator.next() % 2 == 0,
            variants: (0...Int.random(in: 0...5, using: &generator)).map { _ in
                MultivariantPlaylist.Variant(
                    uri: word(&generator),
                    bandwidth: Int(generator.next() >> 1),
                    averageBandwidth: maybe(&generator) { Int($0.next() >> 1) },
                    codecs: maybe(&generator, word),
                    frameRate: maybe(&generator) { Double($0.next() % 120_000) / 1_000 },
                    audioGroup: maybe(&generator, word),
                    otherAttributes: attributes(&generator)
                )
            },
            renditions: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                MultivariantPlaylist.Rendition(
                    type: .subtitles,
                    groupID: word(&generator),
                    name: word(&generator),
                    uri: maybe(&generator, word),
                    isDefault: generator.next() % 2 == 0,
                    otherAttributes: attributes(&generator)
                )
            },
            definitions: [.value(name: word(&generator), value: word(&generator))]
        )
    }

    private static func segment(
        _ map: MediaPlaylistWriter.Map?,
        _ generator: inout SeededGenerator
    ) -> MediaPlaylistWriter.Segment {
        MediaPlaylistWriter.Segment(
            uri: word(&generator),
            durationMicroseconds: Int64.random(in: 0...20_000_000, using: &generator),
            title: maybe(&generator, word),
            programDate: maybe(&generator, date),
            isDiscontinuity: generator.next() % 4 == 0,
            isGap: generator.next() % 4 == 0,
            map: map,
            byteRange: maybe(&generator, byteRange),
            otherTags: generator.next() % 4 == 0 ? ["#EXT-X-CUE-OUT:\(word(&generator))"] : []
        )
    }

    private static func dateRange(_ index: Int, _ generator: inout SeededGenerator) -> DateRange {
        DateRange(
            id: "\(index)-\(word(&generator))",
            classAttribute: maybe(&generator, word),
            startDate: date(&generator),
            duration: maybe(&generator) { .microseconds(Int64($0.next() % 100_000_000)) },
            plannedDuration: maybe(&generator) { .milliseconds(Int64($0.next() % 100_000)) },
            cue: maybe(&generator) { _ in [.pre, .once] } ?? [],
            scte35Out: maybe(&generator) { "0x" + String($0.next(), radix: 16, uppercase: true) },
            attributes: attributes(&generator)
        )
    }

    private static func attributes(_ generator: inout SeededGenerator) -> [String: AttributeValue] {
        var attributes: [String: AttributeValue] = [:]
        for index in 0..<Int.random(in: 0...4, using: &generator) {
            attributes["X-\(index)"] =
                switch generator.next() % 4 {
                case 0: .quoted(word(&generator) + ",=")
                case 1: .hexadecimal("0x" + String(generator.next(), radix: 16))
                case 2: .number("-\(generator.next() % 1_000).5")
                default: .enumerated("YES")
                }
        }
        return attributes
    }

    private static func word(_ generator: inout SeededGenerator) -> String {
        let letters = Array("abcXYZ019-_.~:/?&=%é漢 ,;@")
        let count = Int.random(in: 1...12, using: &generator)
        return "w" + String((0..<count).map { _ in letters[Int(generator.next() % UInt64(letters.count))] }) + "w"
    }

    private static func byteRange(_ generator: inout SeededGenerator) -> ByteRange {
        ByteRange(length: generator.next(), offset: maybe(&generator) { $0.next() })
    }

    private static func date(_ generator: inout SeededGenerator) -> WallTime {
        WallTime(microseconds: Int64.random(in: 0...4_000_000_000_000_000, using: &generator))
    }

    private static func maybe<Value>(
        _ generator: inout SeededGenerator,
        _ make: (inout SeededGenerator) -> Value
    ) -> Value? {
        generator.next() % 2 == 0 ? make(&generator) : nil
    }
}
