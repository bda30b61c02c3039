import Foundation
import Report
import Results
import Rules
import TestSupport
import Testing

@Suite struct MarkdownSummaryTests {
    private struct Outline: Codable {
        var tags: [String]
        var tables: [[[String]]]
        var text: String
    }

    private static let tags: Set = [
        "h2", "h3", "p", "ul", "li", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "details",
        "summary",
    ]

    private func outline(_ document: ResultDocument) throws -> Outline {
        // GitHub's own renderer, and what came of the text in it.
        let text = document.markdown
        return try JSONDecoder().decode(Outline.self, from: ForeignReader.output("markdown", Data(text.utf8)))
    }

    @Test func everyTableIsATableForGitHub() throws {
        let outline = try outline(ExampleResult.failed())
        #expect(outline.tables.count == 7)
        for table in outline.tables {
            #expect(table.count >= 2)
            #expect(Set(table.map(\.count)).count == 1)
        }
        #expect(outline.tables[1][1].prefix(5) == ["2026-11-21T20:00:00.000Z", "99", "96.97%", "1", "2"])
        #expect(outline.tables[0].dropFirst().map { $0[0] }.first == "break_identifier_split")
        #expect(Set(outline.tags).subtracting(Self.tags) == [])
    }

    @Test func hostileTextMakesNoMarkup() throws {
        let outline = try outline(ExampleResult.hostile())
        #expect(Set(outline.tags).subtracting(Self.tags) == [])
        for table in outline.tables { #expect(Set(table.map(\.count)).count == 1) }
        #expect(outline.tables.count == 7)
        #expect(outline.text.contains("a|b`c`\\|d <script>&amp;"))
        #expect(outline.text.contains("@all http://e.x *_~~ <!--"))
    }

    @Test func theLargestResultFitsAJobsSummary() throws {
        var document = try ExampleResult.hostile()
        let long = String(repeating: ExampleResult.hostileText, count: 200)
        let finding = try #require(document.findings.first)
        var occurrence = try #require(finding.occurrences.first)
        occurrence.breakKey = long
        occurrence.first?.url = long
        occurrence.first?.expected = long
        occurrence.first?.observed = long
        var large = finding
        (large.code, large.meaning, large.rule) = (long, long, long)
        large.likelyCauses = Array(repeating: long, count: 50)
        large.occurrences = Array(repeating: occurrence, count: 50)
        document.findings = Array(repeating: large, count: 60)
        var slot = try #require(document.breaks.each.first)
        slot.key = long
        document.breaks.each = Array(repeating: slot, count: 500)
        var threshold = try #require(document.thresholds.first)
        threshold.text = long
        document.thresholds = Array(repeating: threshold, count: 500)
        document.verdict.reasons = Array(repeating: long, count: 500)
        document.run.labels = Dictionary(uniqueKeysWithValues: (0..<500).map { ("\($0)\(long)", long) })
        let text = document.markdown
        #expect(text.utf8.count < 1_048_576)
        for words in ["and 492 more reasons", "460 more breaks went no worse"] { #expect(text.contains(words)) }
    }
}
