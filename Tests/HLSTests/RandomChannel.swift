import TestSupport

@testable import HLS

/// A live channel from a seed, whose playlist can be asked for at any window, whole or as a delta update.
struct RandomChannel {
    struct Item {
        var segment: MediaPlaylistWriter.Segment
        var discontinuitySequence: UInt64
        var date: WallTime
        /// The whole EXT-X-KEY line in force.
        var key: String?
        var map: MediaPlaylistWriter.Map?
    }

    struct Version {
        var first: Int
        var end: Int
        var dateRanges: [DateRange]
    }

    private static let start = WallTime(microseconds: 1_795_291_200_000_000)
    let items: [Item]
    let datesEverySegment: Bool
    private let hasParts: Bool

    init(segments count: Int, _ generator: inout SeededGenerator) {
        datesEverySegment = generator.next() % 2 == 0
        hasParts = generator.next() % 2 == 0
        var items: [Item] = []
        var discontinuities: UInt64 = generator.next() % 3
        var date = Self.start
        var map: MediaPlaylistWriter.Map?
        var key: String?
        for index in 0..<count {
            let isDiscontinuity = index > 0 && generator.next() % 6 == 0
            if isDiscontinuity {
                discontinuities += 1
                date = date + .milliseconds(Int64(generator.next() % 5_000))
            }
            if generator.next() % 5 == 0 {
                map = .init(
                    uri: "init-\(index).mp4",
                    byteRange: generator.next() % 2 == 0 ? .init(length: 9, offset: 1) : nil
                )
            }
            if generator.next() % 5 == 0 { key = "#EXT-X-KEY:METHOD=AES-128,URI=\"key-\(index)\"" }
            let milliseconds = Int64(1_000 + generator.next() % 5_000)
            var segment = MediaPlaylistWriter.Segment(
                uri: "segment-\(index).m4s?q=\(generator.next() % 100)",
                durationMicroseconds: milliseconds * 1_000,
                isDiscontinuity: isDiscontinuity,
                isGap: generator.next() % 8 == 0
            )
            if generator.next() % 4 == 0 {
                segment.byteRange = ByteRange(length: 1 + generator.next() % 1_000, offset: generator.next() % 1_000)
            }
            if generator.next() % 4 == 0 { segment.otherTags = ["#EXT-X-CUE-OUT-CONT:\(index)/99"] }
            items.append(Item(segment: segment, discontinuitySequence: discontinuities, date: date, key: key, map: map))
            date = date + .milliseconds(milliseconds)
        }
        self.items = items
    }

    /// The playlist at a moment; the first `skipped` segments are left out with their tags.
    func writer(_ version: Version, skipped: Int = 0) -> MediaPlaylistWriter {
        var writer = MediaPlaylistWriter(targetDurationSeconds: 6, version: 10)
        writer.mediaSequence = UInt64(version.first)
        writer.discontinuitySequence = items[version.first].discontinuitySequence
        if items[version.first].segment.isDiscontinuity { writer.discontinuitySequence -= 1 }
        writer.serverControl = .init(canBlockReload: true, canSkipUntilSeconds: 36, canSkipDateRanges: true)
        writer.partTargetMicroseconds = hasParts ? 1_000_000 : nil
        (writer.skippedSegments, writer.dateRanges) = (UInt64(skipped), version.dateRanges)
        writer.segments = ((version.first + skipped)..<version.end).map { index in
            segment(index, isFirst: index == version.first, keepsParts: index + 2 >= version.end)
        }
        guard hasParts, version.end < items.count else { return writer }
        writer.trailingParts = [
            .init(uri: "part-\(version.end).0", durationMicroseconds: 1_000_000, isIndependent: true)
        ]
        writer.preloadHints = [.init(kind: .part, uri: "part-\(version.end).1", byteRangeStart: 0)]
        writer.renditionReports = [.init(uri: "../b.m3u8", lastMediaSequence: UInt64(version.end), lastPart: 0)]
        return writer
    }

    /// A segment with the tags that stand before it; the first one of a window restates what is in force.
    private func segment(_ index: Int, isFirst: Bool, keepsParts: Bool) -> MediaPlaylistWriter.Segment {
        let item = items[index]
        let before = index > 0 ? items[index - 1] : nil
        var segment = item.segment
        segment.map = isFirst || item.map != before?.map ? item.map : nil
        if let key = item.key, isFirst || key != before?.key { segment.otherTags.insert(key, at: 0) }
        if isFirst || datesEverySegment || segment.isDiscontinuity { segment.programDate = item.date }
        if hasParts, keepsParts {
            segment.parts = [.init(uri: "part-\(index).0", durationMicroseconds: 1_000_000, isGap: index % 3 == 0)]
        }
        return segment
    }
}
