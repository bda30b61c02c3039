import Foundation
import JSON
import Report
import RunResult
import TestSupport
import Testing

/// Requests that were not sent, and how far a channel's dates are from this machine's clock, as a reader meets them.
@Suite struct LeftOutPresentationTests {
    private static func document() throws -> ResultDocument {
        var document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
        let json = #"""
            {"requests":1300,"hosts":[{"kind":"metadata","host":"m.example.com:8443","requests":1200,\#
            "allowed_by":"target.podServing.authorisedHosts"},{"kind":"playlist","host":"<b>","requests":1}]}
            """#
        document.leftOut = try JSONDecoder().decode(LeftOutResult.self, from: Data(json.utf8))
        return document
    }

    @Test func eachHostIsShownWithWhatAllowsIt() throws {
        let document = try Self.document()
        let text = TextSummary(of: document, path: nil, width: 200).render()
        #expect(text.contains("Left out  not sent, because the profile does not authorise the host"))
        #expect(
            text.contains(
                "metadata to m.example.com:8443: 1,200 requests; to allow them, add m.example.com:8443 to "
                    + "target.podServing.authorisedHosts"
            )
        )
        #expect(
            text.contains("playlist to <b>: 1 request\n") && text.contains("99 requests to hosts that are not listed")
        )
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("id=\"left-out\"") && page.contains("target.podServing.authorisedHosts"))
        #expect(page.contains("&lt;b&gt;"))
        let first = try #require(document.leftOut?.hosts.first)
        #expect(
            LeftOutText.news(first)
                == "Not sent: metadata to m.example.com:8443, which the profile does not authorise; to allow it, add "
                + "m.example.com:8443 to target.podServing.authorisedHosts."
        )
    }

    @Test func withoutAnyNothingIsShown() throws {
        let document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
        #expect(document.leftOut == nil && document.channelOffsetMicroseconds == nil)
        let text = TextSummary(of: document, path: nil).render()
        #expect(!text.contains("Left out") && !text.contains("clock or publishing delay"))
        #expect(try !HTMLReport(of: document).render().contains("id=\"left-out\""))
    }

    @Test(arguments: [(30_012_000, "ahead of"), (-30_012_000, "behind")])
    func theChannelsClockIsTold(offset: Int64, way: String) throws {
        var document = try ResultDocument(json: Data(contentsOf: GoldenFile.result))
        document.channelOffsetMicroseconds = offset
        let text = TextSummary(of: document, path: nil).render()
        #expect(text.contains("dates "), "\(text)")
        #expect(text.contains("\(way) this machine's clock (clock or publishing delay)"))
        #expect(try HTMLReport(of: document).render().contains("\(way) this machine: clock or publishing delay"))
    }
}
