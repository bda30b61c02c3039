import Testing

@testable import HLS

@Suite struct DateRangeTests {
    private func playlist(_ attributes: String...) throws -> MediaPlaylist {
        try Samples.playlist(attributes.map { "#EXT-X-DATERANGE:" + $0 }.joined(separator: "\n"))
    }

    private let start = "START-DATE=\"2026-11-21T20:00:00Z\""

    @Test func readsEveryAttribute() throws {
        let range = try #require(
            try playlist(
                "ID=\"b,1\",CLASS=\"c\",\(start),END-DATE=\"2026-11-21T20:00:30Z\",DURATION=30.000,PLANNED-DURATION=31.5,"
                    + "CUE=\"PRE,ONCE\",SCTE35-CMD=0xFC01,SCTE35-OUT=0xFC02,SCTE35-IN=0xFC03,X-A=\"q\",X-B=0xAB,X-C=-1.5,X-D=YES,NEW=1"
            ).dateRanges.first
        )
        #expect((range.id, range.classAttribute) == ("b,1", "c"))
        #expect(range.startDate?.iso8601 == "2026-11-21T20:00:00.000Z")
        #expect((range.endDate?.iso8601, range.duration) == ("2026-11-21T20:00:30.000Z", .seconds(30)))
        #expect((range.plannedDuration, range.cue) == (.milliseconds(31_500), [.pre, .once]))
        #expect((range.scte35Command, range.scte35Out, range.scte35In) == ("0xFC01", "0xFC02", "0xFC03"))
        #expect(
            range.attributes == [
                "X-A": .quoted("q"), "X-B": .hexadecimal("0xAB"), "X-C": .number("-1.5"), "X-D": .enumerated("YES"),
                "NEW": .number("1"),
            ]
        )
        #expect(range.conflictingAttributes.isEmpty)
    }

    @Test func tagsOfOneIDAreConsolidated() throws {
        let playlist = try playlist(
            "ID=\"a\",\(start),PLANNED-DURATION=30,SCTE35-OUT=0xFC,X-A=\"1\"",
            "ID=\"b\",\(start)",
            "ID=\"a\",DURATION=28.5,SCTE35-IN=0xFD,X-B=\"2\"",
            "ID=\"a\",END-ON-NEXT=NO",
            "ID=\"a\",\(start),X-A=\"1\""
        )
        #expect(playlist.dateRanges.map(\.id) == ["a", "b"])
        let range = try #require(playlist.dateRanges.first)
        #expect((range.duration, range.plannedDuration) == (.milliseconds(28_500), .seconds(30)))
        #expect((range.scte35Out, range.scte35In) == ("0xFC", "0xFD"))
        #expect(range.attributes == ["X-A": .quoted("1"), "X-B": .quoted("2")])
        #expect(range.conflictingAttributes.isEmpty)
    }

    @Test func aChangedAttributeKeepsItsFirstValueAndIsNoted() throws {
        let range = try #require(
            try playlist(
                "ID=\"a\",\(start),DURATION=30,X-A=\"1\",CUE=\"PRE\"",
                "ID=\"a\",START-DATE=\"2026-11-21T20:00:01Z\",DURATION=31,X-A=\"2\",CUE=\"POST\"",
                "ID=\"a\",DURATION=32"
            ).dateRanges.first
        )
        #expect((range.duration, range.startDate?.iso8601) == (.seconds(30), "2026-11-21T20:00:00.000Z"))
        #expect(range.attributes == ["X-A": .quoted("1")])
        #expect(range.conflictingAttributes == ["START-DATE", "DURATION", "CUE", "X-A"])
    }

    @Test(arguments: [
        "START-DATE=\"2026-11-21T20:00:00Z\"",
        "ID=\"a\"",
        "ID=\"a\",START-DATE=\"soon\"",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",DURATION=-1",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",PLANNED-DURATION=-1",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",PLANNED-DURATION=",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",END-DATE=\"2026-11-21T19:59:59Z\"",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",END-ON-NEXT=YES",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",CLASS=\"c\",END-ON-NEXT=YES,DURATION=3",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",CUE=\"PRE,POST\"",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",X-A=\"open",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",garbage",
        "",
    ]) func illegalTagsAreIgnored(_ attributes: String) throws {
        let playlist = try playlist("ID=\"ok\",START-DATE=\"2026-11-21T20:00:00Z\"", attributes)
        #expect(playlist.dateRanges.map(\.id) == ["ok"])
    }

    @Test func endsWithoutABeginningAreToldApart() throws {
        let playlist = try playlist(
            "ID=\"known\",\(start)",
            "ID=\"known\",DURATION=30",
            "ID=\"left\",END-DATE=\"2026-11-21T20:00:30Z\"",
            "ID=\"early\",DURATION=30",
            "ID=\"early\",\(start)",
            "ID=\"nothing\",X-A=1"
        )
        #expect(playlist.dateRanges.map(\.id) == ["known", "early"])
        #expect(playlist.dateRangeEndings.map(\.id) == ["left"])
    }

    @Test func manyAreFoundByTheirIDs() throws {
        let tags = (0..<20_000).map { "#EXT-X-DATERANGE:ID=\"\($0)\",\(start)" }
        let more = (0..<20_000).map { "#EXT-X-DATERANGE:ID=\"\($0)\",DURATION=5" }
        let ranges = try Samples.playlist((tags + more).joined(separator: "\n")).dateRanges
        #expect(ranges.count == 20_000)
        #expect(ranges.allSatisfy { $0.duration == .seconds(5) })
    }

    @Test func endOnNextIsReadWithItsClass() throws {
        let range = try #require(try playlist("ID=\"a\",CLASS=\"c\",\(start),END-ON-NEXT=YES").dateRanges.first)
        #expect(range.endOnNext)
        #expect((range.knownEndDate, range.expectedDuration) == (nil, nil))
    }

    @Test func theEndIsKnownFromItsDateOrTheDurationButNotFromAPlan() throws {
        let begin = try #require(WallTime(iso8601: "2026-11-21T20:00:00Z"))
        var range = DateRange(id: "a", startDate: begin, plannedDuration: .seconds(30))
        #expect((range.knownEndDate, range.expectedDuration) == (nil, .seconds(30)))
        range.endDate = begin + .seconds(20)
        #expect((range.knownEndDate, range.expectedDuration) == (begin + .seconds(20), .seconds(20)))
        (range.endDate, range.duration) = (nil, .seconds(10))
        #expect((range.knownEndDate, range.expectedDuration) == (begin + .seconds(10), .seconds(10)))
        range.startDate = nil
        #expect(range.knownEndDate == nil)
    }

    @Test func spacesAfterCommasAreForgiven() throws {
        let range = try #require(try playlist("ID=\"a\", \(start), DURATION=3 ,X-A=1").dateRanges.first)
        #expect((range.duration, range.attributes) == (.seconds(3), ["X-A": .number("1")]))
    }
}
