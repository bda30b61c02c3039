import Foundation
import JSON
import Report
import RunResult
import TestSupport
import Testing

/// Warnings of an ad server, as a reader meets them.
@Suite struct WarningPresentationTests {
    private static func document(_ json: String) throws -> ResultDocument {
        var document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
        document.adServerWarnings = try JSONDecoder().decode([ServerWarningResult].self, from: Data(json.utf8))
        return document
    }

    @Test func kindsAndTextsAreShownAndNothingOfATextIsObeyed() throws {
        let document = try Self.document(
            #"""
            [{"kind":"registration","answers":1,"texts":[{"text":"","answers":1}]},
            {"kind":"pod_manifest","answers":1200,"texts":[{"text":"<b>bad</b>\u001b[2J splice","answers":1100}]}]
            """#
        )
        let text = TextSummary(of: document, path: nil).render()
        #expect(text.contains("Warnings of the ad server  in X-Ad-Manager-Dai-Warning of its answers"))
        #expect(text.contains("  registration: 1 answer\n    1 × (no text)"))
        #expect(
            text.contains("  pod_manifest: 1,200 answers, some with texts that are not listed\n    1,100 × <b>bad</b>")
        )
        #expect(!text.contains("\u{1b}[2J"))
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("The ad server warns in 1,201 answers"))
        #expect(page.contains("1,100 × &lt;b&gt;bad&lt;/b&gt;") && !page.contains("<b>bad</b>"))
    }

    @Test func withoutAnyNothingIsShown() throws {
        let document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
        #expect(document.adServerWarnings == nil)
        #expect(!TextSummary(of: document, path: nil).render().contains("Warnings of the ad server"))
        #expect(try !HTMLReport(of: document).render().contains("id=\"warnings\""))
    }
}
