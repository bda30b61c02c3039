import Foundation
import JSON
import Report
import RunResult
import TestSupport
import Testing

@Suite struct TextSummaryTests {
    /// The result that Measurement's own tests pin: one failed run in which everything is said.
    private func example() throws -> ResultDocument {
        try ResultDocument(json: Data(contentsOf: GoldenFile.result))
    }

    private func clean() throws -> ResultDocument {
        var document = try example()
        document.findings = []
        document.thresholds = document.thresholds.filter(\.passed)
        document.verdict.outcome = .passed
        document.verdict.exitCode = 0
        document.verdict.reasons = []
        document.breaks.onTime = document.breaks.due
        document.breaks.onTimePercent = 100
        return document
    }

    private func withoutCodes(_ text: String) -> String {
        text.replacing(/\u{1b}\[[0-9]+m/, with: "")
    }

    private func slow(_ kind: String, _ response: Int) -> String {
        """
        {"kind":"\(kind)","response_us":\(response),"wall_us":5,"offset_ms":61000,"viewer":7,"outcome":"http_200","url":"/p",
        "break_key":"b","address":"[2001:db8::1]:443","served":"Age: 1\\u001b","trace_id":"0af7651916cd43dd8448eb211c80319c"}
        """
    }

    @Test func edgesAndTheSlowestAnswersAreTold() throws {
        var document = try clean()
        let edge = { (address: String, p99: Int) in
            #"{"address":"\#(address)","pop":"FRA","count":900,"errors":1,"requests":{"pod_manifest":{"count":900,"errors":1,"p99_us":\#(p99)}}}"#
        }
        let edges = (1...8).map { edge("192.0.2.\($0):443", $0 * 1_000) }.joined(separator: ",")
        let decoder = JSONDecoder()
        document.edges = try decoder.decode(
            EdgeResults.self,
            from: Data("{\"each\":[\(edges)],\"without_connection\":3}".utf8)
        )
        document.slowestAnswers = try decoder.decode(
            [SlowAnswerResult].self,
            from: Data("[\(slow("playlist", 5)),\(slow("pod_manifest", 90_000)),\(slow("pod_manifest", 80_000))]".utf8)
        )
        let text = TextSummary(of: document, path: nil, width: 300).render()
        #expect(text.contains("192.0.2.1:443 FRA       900       1           1.00 ms"), "\(text)")
        #expect(text.contains("and 2 more edges"))
        let told = text.split(separator: "\n").drop { $0 != "Slowest answers" }.dropFirst().prefix(2)
        #expect(told.first?.hasPrefix("  pod_manifest: 90.0 ms, http_200, viewer 7 after") == true, "\(text)")
        #expect(told.last?.hasPrefix("  playlist: 5 µs") == true)
        #expect(told.allSatisfy { $0.contains("answered by [2001:db8::1]:443, Age: 1") && !$0.contains("\u{1b}") })
        #expect(told.allSatisfy { $0.contains("trace 0af7651916cd43dd8448eb211c80319c") })
        #expect(TextSummary(of: document, path: nil).render().split(separator: "\n").allSatisfy { $0.count <= 100 })
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("192.0.2.8:443") && page.contains("3 requests ended without a connection."))
        #expect(page.contains("[2001:db8::1]:443; Age: 1") && page.contains("id=\"slowest\""))
    }

    @Test func aFailedRunIsPinned() throws {
        try GoldenFile.expect(
            TextSummary(of: example(), path: "results/quick/x.json").render(),
            at: "Tests/ReportTests/Goldens/failed.txt"
        )
    }

    @Test func aCleanRunIsPinned() throws {
        try GoldenFile.expect(
            TextSummary(of: clean(), path: "results/quick/x.json").render(),
            at: "Tests/ReportTests/Goldens/passed.txt"
        )
    }

    @Test func aNarrowColouredRunIsPinned() throws {
        try GoldenFile.expect(
            TextSummary(of: example(), path: "results/quick/x.json", width: 64, colour: true).render(),
            at: "Tests/ReportTests/Goldens/narrow.txt"
        )
    }

    @Test func anUnhealthyRunIsPinned() throws {
        var document = try clean()
        document.verdict.outcome = .clientLimited
        document.verdict.exitCode = 3
        document.verdict.reasons = ["event loops were delayed"]
        document.health.withinBudget = false
        document.health.suspect = true
        document.health.latenciesAboveRange = 2
        document.run.tlsVerified = false
        document.reconciliation?.agrees = false
        document.reconciliation?.rows[2].agrees = false
        document.reconciliation?.rows[2].originReceived += 1
        document.breaks.onTimePercent = nil
        try GoldenFile.expect(
            TextSummary(of: document, path: nil).render(),
            at: "Tests/ReportTests/Goldens/unhealthy.txt"
        )
    }

    @Test func aResultThatIsInNoFileHasNotPassed() throws {
        var summary = TextSummary(of: try clean(), path: nil)
        #expect(summary.verdictLine == "PASSED (exit 0)")
        summary.exitWithoutFile = 74
        #expect(summary.verdictLine == "RESULT NOT WRITTEN (exit 74)")
        #expect(!summary.render().contains("PASSED"))
    }

    @Test func aResultWithoutOneOfItsExportsHasNotPassed() throws {
        var summary = TextSummary(of: try clean(), path: "results/quick/x.json")
        summary.exitWithoutExport = 74
        #expect(summary.verdictLine == "OUTPUT NOT WRITTEN (exit 74)")
        #expect(!summary.render().contains("PASSED") && summary.render().contains("results/quick/x.json"))
    }

    @Test func aNarrowTerminalShowsTheExitStatusOfALongVerdict() throws {
        var document = try clean()
        document.verdict.outcome = .defect
        document.verdict.exitCode = 70
        let line = TextSummary(of: document, path: nil, width: 40).verdictLine
        #expect(line.count == 40 && line.hasPrefix("DEFECT OF PODSWARM") && line.hasSuffix("… (exit 70)"))
    }

    @Test func eventsThatCameToNoEndAreNamed() throws {
        var document = try example()
        let text = { (document: ResultDocument) in TextSummary(of: document, path: nil).render() }
        #expect(!text(document).contains("came to no end"))
        document.events?.unaccounted = -2
        #expect(text(document).contains("-2 of them came to no end that is known"))
    }

    /// Pods are counted with the interstitials, and the breaks' own figures have said how they went.
    @Test func podsThatEndedAsTheyShouldAreNotToldTwice() throws {
        var document = try clean()
        let text = { (document: ResultDocument) in TextSummary(of: document, path: nil).render() }
        document.events?.cutShort = 0
        document.events?.failed = 0
        document.events?.changed = 0
        #expect(!text(document).contains(" scheduled"))
        document.events?.skipped = 1
        #expect(text(document).contains("skipped 1"))
    }

    @Test func whatWasScheduledIsNamedByWhatViewersAskedFor() throws {
        var document = try clean()
        let text = { (document: ResultDocument) in TextSummary(of: document, path: nil).render() }
        document.requests["pod_manifest"] = document.requests["playlist"]
        document.events?.skipped = 1
        #expect(text(document).contains("\nPods  100 scheduled\n"))
        document.requests["asset_list"] = document.requests["playlist"]
        #expect(text(document).contains("\nBreaks  100 scheduled\n"))
        document.requests["pod_manifest"] = nil
        #expect(text(document).contains("\nInterstitials  100 scheduled\n"))
    }

    @Test func whatAServerHeldBackIsToldApart() throws {
        var document = try example()
        let text = { (document: ResultDocument) in TextSummary(of: document, path: nil).render() }
        #expect(!text(document).contains("held the request back"))
        document.requests["blocking_playlist"] = document.requests["playlist"]
        #expect(text(document).contains("blocking_playlist: how long the server held the request back"))
    }

    @Test func aResultWithoutPlayersSaysNothingOfThem() throws {
        var document = try example()
        document.audience = nil
        document.events = nil
        document.playback = nil
        document.breaks.discovery = nil
        let text = TextSummary(of: document, path: nil).render()
        for heading in ["Personas", " scheduled", "News", "Playback"] { #expect(!text.contains(heading)) }
    }

    @Test func saysWhatCarriedTheRequestsAndHowOftenOneWasSentAgain() throws {
        var document = try example()
        for name in document.requests.keys {
            document.requests[name]?.carried = ["exchange": 0, "curl": 0]
            document.requests[name]?.repeated = 0
        }
        document.requests["playlist"]?.carried = ["exchange": 12_300, "curl": 60]
        document.requests["metadata"]?.carried = ["exchange": 45, "curl": 7]
        let lines = { (document: ResultDocument) in
            TextSummary(of: document, path: nil).render().split(separator: "\n").filter { $0.contains("carried by") }
        }
        let once = "  carried by: exchange 12,345; libcurl 67; libcurl's answers"
        #expect(lines(document).first?.hasPrefix(once) == true)
        document.requests["playlist"]?.repeated = 2
        document.requests["metadata"]?.repeated = 1
        let repeated = "  carried by: exchange 12,345; libcurl 67; sent again 3; libcurl's answers"
        #expect(lines(document).first?.hasPrefix(repeated) == true)
        for name in document.requests.keys {
            document.requests[name]?.carried = nil
            document.requests[name]?.repeated = nil
        }
        #expect(lines(document) == [])
    }

    @Test func whatCannotBeToldOverTimeIsLeftOut() throws {
        var document = try clean()
        document.windows = (0..<60).map {
            WindowResult(startMilliseconds: $0 * 1_000, endMilliseconds: ($0 + 1) * 1_000)
        }
        document.warmUp = nil
        document.clock = nil
        let text = { (document: ResultDocument) in TextSummary(of: document, path: nil).render() }
        for drift in [nil, [], [ExampleResult.drift(.tooFewWindows, .target)]] as [[DriftResult]?] {
            document.drift = drift
            #expect(!text(document).contains("Over time"))
        }
        document.drift = [ExampleResult.drift(.tooFewWindows, .target), ExampleResult.drift(.steady, .target)]
        #expect(text(document).contains("Over time  60 windows of 1 s\n  1 series steady\n"))
    }

    @Test func onlyWhatCanBeHeldAgainstEachOtherIsListedAsAsked() throws {
        var document = try clean()
        document.run.asked = [
            .init(name: "viewers", unit: "count", requested: 500, observed: 498),
            .init(name: "break_grace", unit: "ms", requested: 1_000, observed: nil),
            .init(name: "churned_viewers", unit: "count", requested: nil, observed: 0),
        ]
        let text = { (document: ResultDocument) in TextSummary(of: document, path: nil).render() }
        #expect(text(document).contains("viewers          500       498  count"))
        #expect(!text(document).contains("break_grace") && !text(document).contains("churned_viewers"))
        document.run.asked[2].observed = 3
        #expect(text(document).contains("churned_viewers"))
        document.run.asked.remove(at: 0)
        document.run.asked.removeLast()
        #expect(!text(document).contains("Requested and observed"))
    }

    @Test func whatAUserNeedsFirstComesFirst() throws {
        let text = TextSummary(of: try example(), path: "p").render()
        let headings = ["FAILED", "Breaks on time", "Findings", "Thresholds", "Latency", "Generator", "Result"]
        let places = try headings.map { try #require(text.range(of: "\n\($0)")).lowerBound }
        #expect(places == places.sorted())
    }

    @Test(arguments: [0, 40, 41, 57, 64, 80, 100, 133, 200])
    func noLineIsWiderThanTheTerminal(width: Int) throws {
        for document in [try example(), try clean()] {
            let text = TextSummary(of: document, path: "results/x.json", width: width, colour: true).render()
            for line in withoutCodes(text).split(separator: "\n") {
                #expect(line.count <= max(width, TextSummary.narrowest), "\(line)")
            }
        }
    }

    @Test func colourChangesNothingButCodes() throws {
        let plain = TextSummary(of: try example(), path: "p").render()
        let coloured = TextSummary(of: try example(), path: "p", colour: true).render()
        #expect(!plain.contains("\u{1b}"))
        #expect(coloured != plain)
        #expect(withoutCodes(coloured) == plain)
    }

    @Test func foreignTextCannotSteerTheTerminal() throws {
        var document = try example()
        document.findings[0].occurrences[0].first?.url = "\u{1b}]0;owned\u{7}\n\rx"
        document.breaks.each[0].key = "\u{1b}[2J"
        document.run.profileName = "a\u{9b}b"
        document.run.labels = ["x": "\u{1b}[31m"]
        document.run.target = "\u{7}"
        document.run.asked = [.init(name: "\u{1b}c", unit: "\u{7}", requested: nil, observed: nil)]
        let text = TextSummary(of: document, path: "p\u{1b}").render()
        let steering = text.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
        #expect(steering.isEmpty)
    }

    @Test func manyBreaksAreBoundedToTheWorst() throws {
        var document = try clean()
        let pattern = try #require(document.breaks.each.first)
        document.breaks.each = (0..<40).map { index in
            var entry = pattern
            entry.key = "break-\(index)"
            entry.startMicroseconds = Int64(index)
            entry.onTimePercent = index == 5 ? 50 : 100
            return entry
        }
        let text = TextSummary(of: document, path: nil).render()
        #expect(text.contains("break-5 "))
        #expect(text.contains("28 more breaks went no worse"))
        #expect(text.contains("28 earlier breaks in the result"))
        // Once with their punctuality, once with how their news spread.
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  break-") } == 2 * TextSummary.breakLimit)
    }
}
