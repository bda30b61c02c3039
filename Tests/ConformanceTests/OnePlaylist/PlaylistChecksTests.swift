import Conformance
import HLS
import Rulebook
import TestSupport
import Testing

/// What holds of the checks of one body whatever the body is.
@Suite struct PlaylistChecksTests {
    @Test func severalMistakesAreNamedAtOnceByLine() {
        let text = Bodies.live.replacing("#EXT-X-VERSION:7", with: "#EXT-X-VERSION:5")
            .replacing("#EXTINF:4.000,\n12", with: "#EXTINF:9.000,\n12")
            .replacing("13.m4s\n#EXTINF:4.000,", with: "13.m4s")
        let found = Bodies.violations(text)
        #expect(
            found.map(\.code.code) == [
                "version_too_low", "target_duration_exceeded", "tag_missing",
            ]
        )
        #expect(found.map(\.line) == [6, 13, 17])
    }

    @Test func whatRepeatsOnEveryLineIsBounded() {
        let lines = String(repeating: "#EXTINF:x,\na.ts\n", count: 1_000)
        let found = Bodies.codes("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(lines)#EXT-X-VERSION:y\n")
        #expect(found.count { $0 == "tag_malformed" } == 8)
        #expect(found.count <= PlaylistChecks.limit)
    }

    /// Durations of a thousand years each, together more than 64 bits of microseconds hold.
    @Test func durationsOfAnyLengthAreAddedUp() {
        let segments = String(repeating: "#EXTINF:31557599999,\na.ts\n", count: 1_000)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:31536000\n#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z\n\(segments)"
        let dated = text + "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z\n#EXTINF:1,\nb.ts\n"
        #expect(Set(Bodies.codes(dated)) == ["target_duration_exceeded", "program_date_inconsistent"])
    }

    @Test func longLinesAreCut() throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\(String(repeating: "x", count: 10_000))\n"
        let found = try #require(Bodies.violations(text).first)
        #expect(found.observed.utf8.count < 300)
    }

    @Test func ofALongLineTheFaultyAttributeIsShown() throws {
        let more = (0..<40).map { "X-A\($0)=\"\($0)\"" }.joined(separator: ",")
        let range = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",\(more),DURATION=-1,X-LAST=\"z\""
        let found = try #require(Bodies.violations(Bodies.live(with: range)).first)
        #expect(found.observed.hasPrefix("#EXT-X-DATERANGE:ID=\"a\""))
        #expect(found.observed.contains("…DURATION=-1"))
        #expect(found.observed.utf8.count < 350)
    }

    /// A mutation of a body that the parser refuses is never passed over.
    @Test func whatTheParserRefusesIsAlwaysNamed() {
        for seed in UInt64(0)..<3_000 {
            var generator = SeededGenerator(seed: seed)
            var bytes = Array([Bodies.live, Bodies.lowLatency, Bodies.multivariant][Int(seed % 3)].utf8)
            for _ in 0...(generator.next() % 3) { mutate(&bytes, &generator) }
            let (found, refusal) = bytes.withUnsafeBytes { body in
                var refusal: PlaylistError?
                do throws(PlaylistError) { _ = try Playlist.parse(body) } catch { refusal = error }
                return (PlaylistChecks.violations(in: body), refusal)
            }
            #expect(found.count <= PlaylistChecks.limit, "seed \(seed)")
            guard let refusal else { continue }
            let named = found.contains { $0.code.severity > .suspect }
            #expect(named, "seed \(seed): \(refusal)\n\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int(generator.next() % UInt64(bytes.count))
        switch generator.next() % 5 {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(UInt8(truncatingIfNeeded: generator.next() % 96 + 32), at: index)
        case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int(generator.next() % 40)))
        case 3:
            // A line twice.
            let lines = bytes.split(separator: 0x0A)
            let line = lines[Int(generator.next() % UInt64(lines.count))]
            bytes += [0x0A] + line + [0x0A]
        default:
            // A line gone.
            var lines = bytes.split(separator: 0x0A)
            lines.remove(at: Int(generator.next() % UInt64(lines.count)))
            bytes = Array(lines.joined(separator: [0x0A]))
        }
        if bytes.isEmpty { bytes = [0x23] }
    }

    @Test(arguments: PlaylistError.Code.allCases)
    func everyRefusalIsAFinding(_ code: PlaylistError.Code) {
        let error = PlaylistError(code: code, line: 3, detail: "what was expected")
        let violation = PlaylistChecks.violation(of: error)
        #expect(violation.line == 3 && violation.expected == "what was expected")
        #expect(violation.code.severity > .suspect)
        #expect((violation.code.code == "not_a_playlist") == (code == .notAPlaylist || code == .tooLarge))
        // Beside a body that shows nothing, the parser's own word stands.
        let found = Array(Bodies.live.utf8).withUnsafeBytes {
            PlaylistChecks.violations(in: $0, refusedWith: error)
        }
        #expect(found == [violation])
    }
}
