import HLS
import Rules
import Testing

@Suite struct PlaylistChecksTests {
    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"

    private func violations(_ text: String) -> [Violation] {
        Array(text.utf8).withUnsafeBytes { PlaylistChecks.violations(in: $0) }
    }

    @Test func whatRepeatsOnEveryLineIsBounded() {
        let lines = String(repeating: "#EXTINF:x,\na.ts\n", count: 1_000)
        let found = violations("\(Self.head)\(lines)#EXT-X-VERSION:y\n")
        #expect(found.count { $0.code == .tagMalformed } == 8)
        #expect(found.count <= PlaylistChecks.limit)
    }

    /// Durations of a thousand years each, together more than 64 bits of microseconds hold.
    @Test func durationsOfAnyLengthAreAddedUp() {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z\n"
        let segments = String(repeating: "#EXTINF:31557599999,\na.ts\n", count: 1_000)
        let found = violations("#EXTM3U\n#EXT-X-TARGETDURATION:31536000\n\(date)\(segments)\(date)#EXTINF:1,\nb.ts\n")
        #expect(Set(found.map(\.code)) == [.targetDurationExceeded, .programDateInconsistent])
    }

    @Test func longLinesAreCut() throws {
        let found = violations("\(Self.head)#EXT-X-MAP:URI=\(String(repeating: "x", count: 10_000))\n")
        #expect(try #require(found.first).observed.utf8.count < 300)
    }

    @Test func ofALongLineTheFaultyAttributeIsShown() throws {
        let more = (0..<40).map { "X-A\($0)=\"\($0)\"" }.joined(separator: ",")
        let range = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",\(more),DURATION=-1,X-LAST=\"z\"\n"
        let found = try #require(violations("\(Self.head)\(range)").first { $0.code == .dateRangeInvalid })
        #expect(found.observed.hasPrefix("#EXT-X-DATERANGE:ID=\"a\""))
        #expect(found.observed.contains("…DURATION=-1"))
        #expect(found.observed.utf8.count < 350)
    }

    @Test(arguments: PlaylistError.Code.allCases) func everyRefusalIsAFinding(_ code: PlaylistError.Code) {
        let error = PlaylistError(code: code, line: 3, detail: "what was expected")
        let violation = PlaylistChecks.violation(of: error)
        #expect(violation.line == 3 && violation.expected == "what was expected")
        #expect(violation.code.severity > .suspect)
        #expect((violation.code == .notAPlaylist) == (code == .notAPlaylist || code == .tooLarge))
        // Beside a body that shows nothing, the parser's own word stands.
        let sound = Array("\(Self.head)#EXT-X-ENDLIST".utf8)
        let found = sound.withUnsafeBytes { PlaylistChecks.violations(in: $0, refusedWith: error) }
        #expect(found == [violation])
    }
}
