import Foundation
import JSON
import TestSupport
import Testing

@testable import Report
@testable import RunResult

/// An outage in the summary, the page and the Markdown.
@Suite struct OutagePresentationTests {
    private static func document(recovery: Int64? = 12_345, abandoned: UInt64 = 120) throws -> ResultDocument {
        var document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
        document.outages = [
            OutageResult(
                beganMilliseconds: 70_000,
                endedMilliseconds: 110_000,
                requests: 9_000,
                errors: 8_999,
                retries: 8_000,
                abandoned: abandoned,
                reopened: 90,
                stoppedViewersMaximum: 100,
                requestsPerSecondBefore: 100,
                requestsPerSecondMaximum: 250,
                recoveryMilliseconds: recovery
            )
        ]
        return document
    }

    private static let course = """
        For 40 s from 1:10 on the channel could not be loaded: 8,999 of 9,000 requests failed. \
        Viewers asked again 8,000 times; at most 100 of their players had given up at once. \
        Viewers closed the application 120 times, and opened it again 90 times. \
        At most 250 requests were made in a second, 2.5 times as many as before.
        """

    @Test func itIsToldInWords() throws {
        let text = OutageText(try #require(try Self.document().outages?.first))
        #expect(text.course == Self.course)
        #expect(text.recovery == "12.3 s after its end things were as before.")
        let never = OutageText(try #require(try Self.document(recovery: nil, abandoned: 0).outages?.first))
        #expect(never.recovery == "The run ended before things were as before.")
        #expect(!never.course.contains("closed the application"))
    }

    @Test func theSummaryTellsIt() throws {
        let text = TextSummary(of: try Self.document(), path: nil).render()
        #expect(text.contains("\nOutage\n  For 40 s from 1:10 on the channel could not be loaded"))
        #expect(text.contains("\n  12.3 s after its end things were as before.\n"))
        #expect(
            !TextSummary(of: try ResultDocument(json: Data(contentsOf: GoldenFile.result)), path: nil).render()
                .contains("\nOutage\n")
        )
    }

    @Test func theMarkdownTellsIt() throws {
        let text = MarkdownSummary(of: try Self.document()).render()
        #expect(text.contains("**Outage.** \(Self.course) **12.3 s after its end things were as before.**"))
    }

    @Test func thePageDrawsIt() throws {
        let page = try HTMLReport(of: try Self.document()).render()
        #expect(page.contains("<a href=\"#outage\">Outage</a>"))
        #expect(page.contains("<h2 id=\"outage-h\">Outage</h2>"))
        for title in ["Requests by kind", "Failed, and asked again", "Viewers"] {
            #expect(page.contains("<figcaption><b>\(title)</b>"), "\(title)")
        }
        let ended = try HTMLReport(of: try Self.document(recovery: nil)).render()
        #expect(ended.contains("<b class=\"bad\">The run ended before things were as before.</b>"))
    }

    @Test func aRunWithoutOneSaysNothingOfIt() throws {
        let page = try HTMLReport(of: try ResultDocument(json: Data(contentsOf: GoldenFile.result))).render()
        #expect(!page.contains("id=\"outage\""))
    }

    @Test func manyAreNotAllListed() throws {
        var document = try Self.document()
        document.outages = (0..<20).flatMap { _ in document.outages ?? [] }
        #expect(TextSummary(of: document, path: nil).render().contains("15 more outages in the result"))
        #expect(try HTMLReport(of: document).render().contains("8 more outages in the result."))
    }
}
