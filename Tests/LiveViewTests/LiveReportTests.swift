import Results
import Testing

@testable import Report

@Suite struct LiveReportTests {
    @Test func thePageIsTheReportWithWhatIsOfThisMoment() throws {
        let page = try LiveReport(LiveExample.filled()).html()
        for words in [
            ">Running</h2>", "in 0:13", "0:28 left", "empty_pod", "aria-label=\"Response time of the last second\"",
            "data-state=\"connecting\"",
        ] {
            #expect(page.contains(words), "\(words)")
        }
        #expect(try LiveReport(nil).html().contains("Not begun"))
    }
}
