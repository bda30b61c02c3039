import Foundation
import Rules
import TestSupport
import Testing

@testable import Report
@testable import Results

@Suite struct TextSummaryTests {
    private static let goldens = "Tests/ReportTests/Goldens"
    private static let path = "results/quick/x.json"

    private func withoutCodes(_ text: String) -> String { text.replacing(/\u{1b}\[[0-9]+m/, with: "") }

    @Test func aFailedRunIsPinnedWideAndNarrow() throws {
        let document = try ExampleResult.failed()
        try GoldenFile.expect(document.text(path: Self.path), at: "\(Self.goldens)/failed.txt")
        let narrow = document.text(path: Self.path, TextRendering(width: 64, colour: true))
        try GoldenFile.expect(narrow, at: "\(Self.goldens)/narrow.txt")
    }

    @Test func aCleanRunIsPinned() throws {
        let text = try ExampleResult.clean().text(path: Self.path)
        try GoldenFile.expect(text, at: "\(Self.goldens)/passed.txt")
    }

    @Test func anUnhealthyRunIsPinned() throws {
        var document = try ExampleResult.clean()
        (document.verdict.outcome, document.verdict.exitCode) = (.clientLimited, 3)
        (document.verdict.reasons, document.health.withinBudget) = (["event loops were delayed"], false)
        (document.health.suspect, document.health.latenciesAboveRange) = (true, 2)
        document.run.tlsVerified = false
        document.reconciliation?.agrees = false
        document.reconciliation?.rows[2].agrees = false
        document.reconciliation?.rows[2].originReceived += 1
        document.breaks.onTimePercent = nil
        try GoldenFile.expect(document.text(), at: "\(Self.goldens)/unhealthy.txt")
    }

    /// Nothing else failed: the profile's miss is true, and no server's log says why.
    @Test func lateViewersOfSlowLinesAreNotHeldAgainstTheTarget() throws {
        var document = try ExampleResult.clean()
        document.thresholds = try ExampleResult.failed().thresholds.filter { $0.isOfBreaks && !$0.passed }
        (document.verdict.outcome, document.verdict.exitCode) = (.failed, 1)
        document.breaks.each = [document.breaks.each[0]]
        document.breaks.each[0].isWarmUp = nil
        (document.breaks.each[0].due, document.breaks.each[0].onTime) = (10, 7)
        (document.breaks.each[0].late, document.breaks.each[0].lateByLine) = (2, 2)
        (document.breaks.each[0].failed, document.breaks.each[0].unresolved) = (["own_line": 1], 0)
        (document.breaks.due, document.breaks.onTime) = (10, 7)
        #expect(
            document.breaks.lineReason?.hasPrefix("3 of the 3 viewers that missed a break did so by their own line")
                == true
        )
        let text = document.text(TextRendering(width: 210))
        for words in ["viewers' own lines missed", "3 of them by their own line", "look at: audience.bandwidth"] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
        #expect(!text.contains("The log of the server that answered, at the time"))
        document.breaks.each[0].lateByLine = 1
        #expect(!document.text().contains("iewers' own lines missed"))
    }

    @Test func aBreakIsOneLineWhereItFits() throws {
        let text = try ExampleResult.failed().text(TextRendering(width: 210))
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("  2026-11-21T20:00:00.000Z") })
        #expect(row.contains("max 10.0 ms of 99") && row.hasSuffix(" 20%"))
    }

    @Test func aDriftOfItsOwnIsNoGeneratorWithinItsBudget() throws {
        var document = try ExampleResult.clean()
        (document.verdict.outcome, document.drift) = (.clientLimited, [ExampleResult.drift(.creeping, .generator)])
        let text = document.text()
        #expect(text.contains("Generator  drifted") && !text.contains("within its budget"))
    }

    @Test func aResultOrAnExportThatIsInNoFileHasNotPassed() throws {
        let document = try ExampleResult.clean()
        #expect(document.verdictLine() == "PASSED (exit 0)")
        #expect(document.verdictLine(unwritten: ("RESULT", 74)) == "RESULT NOT WRITTEN (exit 74)")
        let text = document.text(path: Self.path, unwritten: ("OUTPUT", 74))
        #expect(text.contains("OUTPUT NOT WRITTEN (exit 74)"))
        #expect(!text.contains("PASSED") && text.contains(Self.path))
    }

    @Test func aNarrowTerminalShowsTheExitStatusOfALongVerdict() throws {
        let line = try ExampleResult.judged(.defect).verdictLine(TextRendering(width: 40))
        #expect(line.hasPrefix("DEFECT OF PODSWARM") && !line.contains("…") && line.hasSuffix("70)"))
    }

    @Test func onlyWhatFailsTheRunIsRed() throws {
        var document = try ExampleResult.failed()
        try document.leaveFindings(Severity.allCases)
        func text() -> String { document.text(TextRendering(width: 120, colour: true)) }
        for (severity, colour) in [("broken", 31), ("wrong", 31), ("suspect", 33), ("advice", 2)] {
            #expect(text().contains("\u{1b}[\(colour)m  \(severity) example_\(severity)"))
        }
        document.findings[1].allowance = "2%"
        #expect(text().contains("\u{1b}[31m  wrong example_wrong"))
        document.findings[1].allowed = true
        #expect(text().contains("\u{1b}[33m  wrong example_wrong"))
    }

    @Test(arguments: [0, 40, 41, 57, 64, 80, 100, 133, 200]) func noLineIsWiderThanTheTerminal(width: Int) throws {
        let others = try width < 80 ? [] : ReportedChange.target.map { try $0.document() }
        for document in try [ExampleResult.failed(), ExampleResult.clean()] + others {
            let text = document.text(path: "results/x.json", TextRendering(width: width, colour: true))
            for line in withoutCodes(text).split(separator: "\n") {
                #expect(line.count <= max(width, TextRendering.narrowest), "\(line)")
            }
        }
    }

    @Test func colourChangesNothingButCodes() throws {
        let plain = try ExampleResult.failed().text(path: "p")
        let coloured = try ExampleResult.failed().text(path: "p", TextRendering(colour: true))
        #expect(!plain.contains("\u{1b}"))
        #expect(coloured != plain)
        #expect(withoutCodes(coloured) == plain)
    }

    @Test func foreignTextCannotSteerTheTerminal() throws {
        var document = try ExampleResult.failed()
        document.findings[0].occurrences[0].first?.url = "\u{1b}]0;owned\u{7}\n\rx"
        (document.breaks.each[0].key, document.run.profile) = ("\u{1b}[2J", "a\u{9b}b")
        (document.run.labels, document.run.target) = (["x": "\u{1b}[31m"], "\u{7}")
        document.run.asked = [.init(name: "\u{1b}c", unit: "\u{7}", requested: nil, observed: nil)]
        let text = document.text(path: "p\u{1b}")
        let steering = text.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
        #expect(steering.isEmpty)
    }

    @Test func aHostThatIsNotAskedIsNamedWhileTheRunGoesOn() throws {
        let changed = try #require(ReportedChange.target.first { $0.testDescription == "requests that were left out" })
        let first = try #require(changed.document().leftOut?.hosts.first)
        #expect(
            LeftOutText.news(first)
                == "Not sent: metadata to m.example.com:8443, which the profile does not authorise; to allow it, add "
                + "m.example.com:8443 to target.podServing.authorisedHosts."
        )
        let key = LeftOutLedger.Key(.registration, host: "ads2.example.com", field: "one and two", redirect: 307)
        #expect(
            LeftOutText.news(LeftOutResult.Host(key, requests: 3))
                == "Not sent: registration to ads2.example.com (redirected with status 307), which the profile does not "
                + "authorise; to allow it, add ads2.example.com to one and two."
        )
    }
}
