import Report
import Rules
import Testing

@Suite struct LintPresentationTests {
    private func ledger(_ sightings: [(line: Int, time: Int64)], observed: String = "#EXTINF:x,") -> LintLedger {
        var ledger = LintLedger()
        for (line, time) in sightings {
            ledger.record(
                .tagMalformed,
                at: "a.m3u8",
                line: line,
                wallMicroseconds: time,
                expected: "seconds",
                observed: observed
            )
        }
        return ledger
    }

    private func text(_ ledger: LintLedger, width: Int = 60) -> String {
        let document = LintDocument(
            source: "a.m3u8",
            startedAtMicroseconds: 0,
            endedAtMicroseconds: 1_000_000,
            failsFrom: .wrong,
            wasInterrupted: false,
            playlists: [.init(url: "a.m3u8", kind: .media, reads: 1, versions: 1)],
            findings: ledger.findings(allowed: []),
            notes: []
        )
        return document.text(TextRendering(width: width))
    }

    @Test func allLinesOfTheFirstBodyAreKeptUpToALimit() throws {
        let six = ledger((1...6).map { ($0, 0) })
        let kept = try #require(six.findings(allowed: []).first?.occurrences.first)
        #expect(([kept.first] + kept.others).compactMap(\.line) == [1, 2, 3, 4, 5, 6])
        #expect(kept.last.line == 6 && kept.count == 6)
        for line in 2...6 { #expect(text(six).contains("where: a.m3u8, line \(line), 1970")) }
        #expect(!text(six).contains("last, "))

        let many = try #require(ledger((1...20).map { ($0, 0) }).findings(allowed: []).first?.occurrences.first)
        #expect(([many.first] + many.others).count == LintLedger.sightingLimit)
        #expect(many.last.line == 20 && many.count == 20)
        // What comes later is counted, and the last of it shown.
        let later = ledger([(1, 0), (2, 0), (1, 9_000_000), (3, 9_000_000)])
        let both = try #require(later.findings(allowed: []).first?.occurrences.first)
        #expect(both.others.map(\.line) == [2] && both.last.line == 3 && both.count == 4)
        #expect(text(later, width: 100).contains("where: a.m3u8, line 3, last, 1970-01-01T00:00:09.000Z"))
    }

    /// The order in which a reader asks, and a cause that the sighting names in place of that of the code.
    @Test func expectedObservedWhereMeaningCause() throws {
        var ledger = LintLedger()
        let mistake = "A space stands after the colon."
        ledger.record(
            .tagMalformed,
            at: "a.m3u8",
            line: 3,
            wallMicroseconds: 0,
            expected: "seconds",
            observed: "#EXTINF: 6,",
            likely: mistake
        )
        let lines = text(ledger, width: 100).split(separator: "\n").map { $0.drop { $0 == " " } }
        let sighting = ["expected: seconds", "observed: #EXTINF: 6,", "where: a.m3u8, line 3"]
        let wanted = sighting + ["A tag's value", "likely: \(mistake)"]
        let places = try wanted.map { text in try #require(lines.firstIndex { $0.hasPrefix(text) }, "\(text)") }
        #expect(places == places.sorted())
        #expect(lines.count { $0.hasPrefix("likely: ") } == 1)
    }

    /// A date range is one word without a space, and its fault may be anywhere.
    @Test func evidenceIsBrokenOverLinesAndNotCut() {
        let attributes = (0..<10).map { "X-NUMBER-\($0)=\"value-\($0)\"" }.joined(separator: ",")
        let observed = "#EXT-X-DATERANGE:ID=\"a\",\(attributes),DURATION=-5"
        for width in [50, 60, 100] {
            let text = text(ledger([(6, 0)], observed: observed), width: width)
            let lines = text.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width })
            #expect(lines.map { $0.drop { $0 == " " } }.joined().contains(observed))
            #expect(!text.contains("…"))
        }
        let solid = String(repeating: "x", count: 300)
        #expect(text(ledger([(1, 0)], observed: solid)).split(separator: "\n").joined().count { $0 == "x" } >= 300)
    }
}
