import AdServing
import Audience
import HLS
import Testing

/// Breaks that a live playlist announces.
@Suite struct AnnouncedBreaksTests {
    private func breaks(_ lines: String, classAttribute: String? = nil) throws -> [(String, Int, Duration)] {
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(lines)\n#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z\n#EXTINF:2,\n1.m4s\n"
        let announced = AnnouncedBreaks(classAttribute: classAttribute, fallbackDuration: .seconds(30))
        guard case .media(let playlist) = try Playlist(parsing: text) else { return [] }
        return announced.breaks(in: playlist).map { ($0.key, $0.ordinal, $0.duration) }
    }

    private func range(_ id: String, _ minute: Int, _ more: String = ",SCTE35-OUT=0xFC") -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"2026-11-21T20:0\(minute):00Z\"\(more)"
    }

    @Test func rangesThatLeaveForAdsAreBreaksByTheirStart() throws {
        let found = try breaks([range("b-7", 3), range("a-6", 1), range("chapter", 2, "")].joined(separator: "\n"))
        #expect(found.map(\.0) == ["a-6", "b-7"])
        #expect(found.map(\.1) == [6, 7])
    }

    @Test(arguments: [
        ("7", 7), ("b-7", 7), ("b-007", 7), ("12-b", 1), ("b", 1), ("2026-11-21T20:00:00Z", 1), ("ä9", 9),
        ("x9223372036854775807", .max), ("x9223372036854775808", 1), ("x00000000000000000000000005", 5),
    ])
    func theNumberAtTheEndOfAnIDIsTheBreaksOrdinal(id: String, ordinal: Int) throws {
        #expect(try breaks(range(id, 1)).map(\.1) == [ordinal])
    }

    @Test func aClassTakesTheRangesOfThatClassOnly() throws {
        let lines = [range("a", 1, ",CLASS=\"ads\""), range("b", 2), range("c", 3, ",CLASS=\"news\"")]
        #expect(try breaks(lines.joined(separator: "\n"), classAttribute: "ads").map(\.0) == ["a"])
    }

    @Test(arguments: [
        (",DURATION=12,PLANNED-DURATION=20", 12), (",PLANNED-DURATION=20", 20), ("", 30),
    ])
    func theDurationIsTheKnownOneElseThePlannedOneElseTheProfiles(attributes: String, seconds: Int) throws {
        let found = try breaks(range("a", 1, ",SCTE35-OUT=0xFC" + attributes))
        #expect(found.map(\.2) == [.seconds(seconds)])
    }

    @Test(arguments: [("0xFC30", "/DA="), ("0xFC3", nil), ("0xXY", nil)])
    func theSpliceIsThatOfTheRange(hexadecimal: String, base64: String?) throws {
        let text = [
            "#EXTM3U", "#EXT-X-TARGETDURATION:2", range("a", 1, ",SCTE35-OUT=\(hexadecimal)"),
            "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z", "#EXTINF:2,", "1.m4s", "",
        ].joined(separator: "\n")
        guard case .media(let playlist) = try Playlist(parsing: text) else { return }
        let announced = AnnouncedBreaks(classAttribute: nil, fallbackDuration: .seconds(30)).breaks(in: playlist)
        #expect(announced.map(\.scte35) == [base64])
    }

    @Test func aNumberBeyondIntIsNoOrdinal() throws {
        #expect(try breaks(range("x99999999999999999999", 1)).map(\.1) == [1])
    }
}
