import Foundation
import Report
import Rulebook
import RunResult
import TestSupport
import Testing

@Suite struct MarkdownSummaryTests {
    /// GitHub's own renderer, and what came of the text in it.
    private static let renderer = """
        import cmarkgfm, json, sys
        from cmarkgfm.cmark import Options
        from html.parser import HTMLParser
        with open(sys.argv[1]) as file: text = file.read()
        html = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
        class Outline(HTMLParser):
            def __init__(self):
                super().__init__()
                self.tags, self.tables, self.open, self.cell, self.words = [], [], [], None, []
            def handle_starttag(self, tag, attributes):
                self.tags.append(tag)
                if tag not in ("br", "hr"): self.open.append(tag)
                if tag == "table": self.tables.append([])
                if tag == "tr": self.tables[-1].append([])
                if tag in ("td", "th"): self.cell = ""
            def handle_endtag(self, tag):
                if self.open.pop() != tag: raise ValueError("wrongly nested " + tag)
                if tag in ("td", "th"):
                    self.tables[-1][-1].append(self.cell)
                    self.cell = None
            def handle_data(self, data):
                self.words.append(data)
                if self.cell is not None: self.cell += data
        outline = Outline()
        outline.feed(html)
        if outline.open: raise ValueError("left open: " + str(outline.open))
        print(json.dumps({"tags": sorted(set(outline.tags)), "tables": outline.tables, "text": "".join(outline.words)}))
        """

    private struct Outline: Codable {
        var tags: [String]
        var tables: [[[String]]]
        var text: String
    }

    private static let tags: Set = [
        "h2", "p", "ul", "li", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary",
    ]

    private func outline(_ document: ResultDocument) throws -> Outline {
        let text = MarkdownSummary(of: document).render()
        return try JSONDecoder().decode(
            Outline.self,
            from: InstalledProgram.python(Self.renderer, Data(text.utf8))
        )
    }

    @Test func playersStandInTheSummary() throws {
        let text = MarkdownSummary(of: try ExampleResult.failed()).render()
        #expect(text.contains("100 pods scheduled: 87 finished, 10 cut short, 2 failed, 1 left."))
        #expect(text.contains("| avplayer (partly unconfirmed) |"))
        #expect(text.contains("The news of a break reached the viewers after the first: p50 "))
        var document = try ExampleResult.failed()
        document.audience?.personas[0].name = ExampleResult.hostileText
        #expect(!MarkdownSummary(of: document).render().contains("<script>"))
    }

    @Test func everyTableIsATableForGitHub() throws {
        let outline = try outline(ExampleResult.failed())
        #expect(outline.tables.count == 7)
        for table in outline.tables {
            #expect(table.count >= 2)
            #expect(Set(table.map(\.count)).count == 1)
        }
        #expect(outline.tables[0][1] == ["2026-11-21T20:00:00.000Z", "99", "96.97%", "1", "2", "10.0 ms"])
        #expect(outline.tables[2].dropFirst().map { $0[0] }.first == "break_identifier_split")
        #expect(Set(outline.tags).subtracting(Self.tags) == [])
    }

    @Test(arguments: RunVerdict.Outcome.allCases)
    func theVerdictComesFirst(outcome: RunVerdict.Outcome) throws {
        let text = MarkdownSummary(of: try ExampleResult.judged(outcome)).render()
        let words = outcome.rawValue.replacing("_", with: "-").split(separator: " ")[0]
        let first = try #require(text.split(separator: "\n").first)
        #expect(first.hasPrefix("## podswarm quick: "))
        #expect(first.contains(words))
    }

    @Test func hostileTextMakesNoMarkup() throws {
        let outline = try outline(ExampleResult.hostile())
        #expect(Set(outline.tags).subtracting(Self.tags) == [])
        for table in outline.tables { #expect(Set(table.map(\.count)).count == 1) }
        #expect(outline.tables.count == 7)
        #expect(outline.text.contains("a|b`c`\\|d <script>&amp;"))
        #expect(outline.text.contains("@all http://e.x *_~~ <!--"))
    }

    @Test func driftAndWindowsAreSaid() throws {
        var document = try ExampleResult.windowed().document
        document.drift = [ExampleResult.drift(.creeping, .target), ExampleResult.drift(.steady, .generator)]
        let outline = try outline(document)
        #expect(outline.text.contains("a sentence"))
        let table = try #require(outline.tables.first { $0[0].first == "series" })
        #expect(table.map { $0[1] } == ["verdict", "creeping", "steady"])
    }

    @Test func driftThatCannotBeToldIsLeftOut() throws {
        var document = try ExampleResult.windowed().document
        document.drift = [ExampleResult.drift(.tooFewWindows, .target)]
        #expect(!(try outline(document).text.contains("rift")))
        document.drift?.append(ExampleResult.drift(.steady, .target))
        let table = try #require(try outline(document).tables.first { $0[0].first == "series" })
        #expect(table.map { $0[1] } == ["verdict", "steady"])
        #expect(table[1][2] == "+1.23 ms per hour" && table[1][3] == "500 µs per hour")
        document.drift?[1].spanMilliseconds = 1_200_000
        let short = try #require(try outline(document).tables.first { $0[0].first == "series" })
        #expect(short[1][2] == "+411 µs over 20 min" && short[1][3] == "167 µs over 20 min")
    }

    @Test func notesAreToldApartFromReasons() throws {
        var document = try ExampleResult.judged(.passed)
        document.notes = ["the journal could not be written: " + ExampleResult.hostileText]
        document.clock = ClockResult(stepCount: 2)
        let outline = try outline(document)
        #expect(outline.tags.contains("blockquote"))
        #expect(outline.text.contains("the journal could not be written: a|b`c`"))
        #expect(outline.text.contains("The wall clock was put forward or back 2 times."))
        #expect(outline.tables.count == 7)
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
        large.code = long
        large.meaning = long
        large.rule = long
        large.likelyCauses = Array(repeating: long, count: 50)
        large.occurrences = Array(repeating: occurrence, count: 50)
        document.findings = Array(repeating: large, count: 500)
        var slot = try #require(document.breaks.each.first)
        slot.key = long
        document.breaks.each = Array(repeating: slot, count: 5_000)
        var threshold = try #require(document.thresholds.first)
        threshold.text = long
        document.thresholds = Array(repeating: threshold, count: 5_000)
        document.verdict.reasons = Array(repeating: long, count: 5_000)
        document.run.labels = Dictionary(uniqueKeysWithValues: (0..<500).map { ("\($0)\(long)", long) })
        let text = MarkdownSummary(of: document).render()
        #expect(text.utf8.count < 1_048_576)
        #expect(text.contains("and 4,980 more reasons"))
        #expect(text.contains("4,960 more breaks in the result"))
    }
}
