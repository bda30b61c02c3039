import TestSupport
import Testing

@testable import HLS

@Suite struct DeltaUpdateTests {
    private func read(_ writer: MediaPlaylistWriter) throws -> MediaPlaylist {
        try Samples.mediaPlaylist(String(decoding: writer.render(), as: UTF8.self))
    }

    private func dateRange(_ id: Int, _ generator: inout SeededGenerator) -> DateRange {
        DateRange(
            id: "range-\(id)",
            classAttribute: "c",
            startDate: WallTime(microseconds: Int64(generator.next() % 4_000_000_000_000_000)),
            plannedDuration: generator.next() % 2 == 0 ? .seconds(30) : nil,
            attributes: ["X-A": .number("\(generator.next() % 100)")]
        )
    }

    /// Date ranges of two versions: some go, some come, some gain attributes.
    private func dateRanges(_ generator: inout SeededGenerator) -> (old: [DateRange], new: [DateRange]) {
        let old = (0..<Int(generator.next() % 6)).map { dateRange($0, &generator) }
        var new: [DateRange] = []
        for range in old where generator.next() % 4 != 0 {
            var range = range
            if generator.next() % 2 == 0 {
                range.duration = .seconds(29)
                range.attributes["X-B"] = .quoted("b")
            }
            new.append(range)
        }
        new += (10..<(10 + Int(generator.next() % 3))).map { dateRange($0, &generator) }
        return (old, new)
    }

    @Test(arguments: 1...60) func aMergedDeltaIsTheWholePlaylist(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let channel = RandomChannel(segments: 30, &generator)
            let ranges = dateRanges(&generator)
            let oldFirst = Int(generator.next() % 8)
            let oldEnd = oldFirst + 4 + Int(generator.next() % 8)
            let newFirst = oldFirst + Int(generator.next() % UInt64(oldEnd - oldFirst))
            let newEnd = min(30, max(oldEnd, newFirst + 3) + Int(generator.next() % 6))
            // Parts are listed for the last two segments, and no server skips those.
            let skipped = 1 + Int(generator.next() % UInt64(min(oldEnd, newEnd - 2) - newFirst))
            let previous = try read(channel.writer(.init(first: oldFirst, end: oldEnd, dateRanges: ranges.old)))
            let version = RandomChannel.Version(first: newFirst, end: newEnd, dateRanges: ranges.new)
            let whole = try read(channel.writer(version))
            var delta = channel.writer(version, skipped: skipped)
            if generator.next() % 2 == 0 {
                let known = Set(ranges.old)
                delta.dateRanges = ranges.new.filter { !known.contains($0) || generator.next() % 3 == 0 }
                let kept = Set(ranges.new.map(\.id))
                delta.recentlyRemovedDateRanges = ["long-gone"] + ranges.old.map(\.id).filter { !kept.contains($0) }
            }
            let merged = try MediaPlaylist.merging(delta: read(delta), into: previous)
            var descriptions = [merged, whole].map(MediaPlaylistWriter.init(describing:))
            for index in descriptions.indices { descriptions[index].dateRanges.sort { $0.id < $1.id } }
            #expect(descriptions[0] == descriptions[1], "seed \(seed)")
            #expect(merged.contentDigest == whole.contentDigest && merged.skippedSegments == 0, "seed \(seed)")
            #expect(try read(descriptions[0]).contentDigest == whole.contentDigest, "seed \(seed)")
            let dates = { (playlist: MediaPlaylist) in playlist.segments.indices.map { playlist.programDate(at: $0) } }
            #expect(dates(merged) == dates(whole), "seed \(seed)")
        }
    }

    @Test func deltasCanBeMergedOneAfterTheOther() throws {
        var generator = SeededGenerator(seed: 11)
        let channel = RandomChannel(segments: 60, &generator)
        var current = try read(channel.writer(.init(first: 0, end: 12, dateRanges: [])))
        for step in 1...40 {
            let version = RandomChannel.Version(first: step, end: step + 12, dateRanges: [])
            let delta = try read(channel.writer(version, skipped: 8))
            current = try MediaPlaylist.merging(delta: delta, into: current)
            #expect(try current.contentDigest == read(channel.writer(version)).contentDigest, "step \(step)")
        }
    }

    private let previous = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24
        #EXT-X-MEDIA-SEQUENCE:10
        #EXTINF:4,
        10.ts
        #EXTINF:4,
        11.ts
        #EXTINF:4,
        12.ts

        """

    private func delta(sequence: UInt64, skipped: UInt64, _ segments: String...) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(sequence)\n"
            + (skipped > 0 ? "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" : "")
            + segments.map { "#EXTINF:4,\n\($0)\n" }.joined()
    }

    @Test(
        arguments: [
            (9, 2, .skipsUnknownSegments), (12, 2, .skipsUnknownSegments), (14, 1, .skipsUnknownSegments),
            (0, .max, .skipsUnknownSegments), (.max, .max, .skipsUnknownSegments), (10, 0, .notADelta),
            (10, 1_000_000, .skipsUnknownSegments), (10, 1, .contradictsPrevious),
        ] as [(UInt64, UInt64, DeltaUpdateProblem)]
    ) func whatCannotBeMergedIsRefused(_ sequence: UInt64, _ skipped: UInt64, _ problem: DeltaUpdateProblem) throws {
        let known = try Samples.mediaPlaylist(previous)
        let update = try Samples.mediaPlaylist(delta(sequence: sequence, skipped: skipped, "other.ts"))
        #expect(throws: problem) { try MediaPlaylist.merging(delta: update, into: known) }
    }

    @Test func aDeltaIsNoGroundForAnother() throws {
        let update = try Samples.mediaPlaylist(delta(sequence: 10, skipped: 2, "12.ts"))
        #expect(throws: DeltaUpdateProblem.previousIsDelta) { try MediaPlaylist.merging(delta: update, into: update) }
    }

    @Test func aDeltaMaySkipEverything() throws {
        let known = try Samples.mediaPlaylist(previous)
        let update = try Samples.mediaPlaylist(delta(sequence: 11, skipped: 2))
        let merged = try MediaPlaylist.merging(delta: update, into: known)
        #expect(merged.segments.map { merged.uri(of: $0) } == ["11.ts", "12.ts"])
        #expect(merged.mediaSequence == 11)
    }

    @Test func anAttributeThatTheDeltaLeavesOutIsKept() throws {
        let head = "ID=\"splice\",START-DATE=\"2026-11-21T20:00:00Z\""
        let known = try Samples.mediaPlaylist(
            previous + "#EXT-X-DATERANGE:\(head),PLANNED-DURATION=30,SCTE35-OUT=0xFC01\n"
        )
        let update = try Samples.mediaPlaylist(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:10
            #EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=""
            #EXT-X-DATERANGE:\(head),DURATION=29,SCTE35-IN=0xFC02
            #EXTINF:4,
            12.ts

            """
        )
        #expect(update.recentlyRemovedDateRanges == [])
        let range = try #require(try MediaPlaylist.merging(delta: update, into: known).dateRanges.first)
        #expect((range.scte35Out, range.scte35In, range.plannedDuration) == ("0xFC01", "0xFC02", .seconds(30)))
        #expect(range.duration == .seconds(29))
    }
}
