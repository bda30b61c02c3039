import Results
import Rules
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

    @Test func responseTimesAreThoseOfTheLatestIntervalsTogether() throws {
        let recorders = [LoopRecorder(), LoopRecorder()]
        for _ in 0..<99 { recorders[0].record(LiveExample.sample(.playlist, responseMicroseconds: 1_000)) }
        for _ in 0..<11 { recorders[1].record(LiveExample.sample(.playlist, responseMicroseconds: 1_900)) }
        var state = LiveExample.filled()
        state.progress.latest = recorders.map { LiveExample.state($0).totals.requests }
        let cells = ["110", "1.00 ms", "1.90 ms"].map { "<td class=\"n\">\($0)</td>" }.joined()
        #expect(try LiveReport(state).html().contains("<th scope=\"row\">playlist</th>\(cells)"))
    }
}
