import Foundation
import Rulebook
import RunResult
import Testing

@testable import Report

/// How findings of each severity are shown: what fails a run stands out, and advice alarms nobody.
@Suite struct FindingPresentationTests {
    /// The example run with one finding of each severity, gravest first.
    private func document(_ severities: [Severity] = Severity.allCases, broken allowance: String? = nil) throws
        -> ResultDocument
    {
        var document = try ExampleResult.failed()
        let pattern = try #require(document.findings.first)
        document.findings = severities.map { severity in
            var finding = pattern
            finding.code = "example_\(severity.rawValue)"
            finding.severity = severity.rawValue
            finding.whereToLook = "The log of \(severity.rawValue)."
            finding.allowance = severity == .broken ? allowance : nil
            finding.allowed = false
            return finding
        }
        return document
    }

    private func text(_ document: ResultDocument, colour: Bool = false) -> String {
        TextSummary(of: document, path: nil, width: 120, colour: colour).render()
    }

    @Test func adviceAloneIsNoAlarm() throws {
        let advice = try document([.advice])
        #expect(text(advice).contains("Findings  none but advice"))
        #expect(!text(advice).contains("likely: "))
        let page = try HTMLReport(of: advice).render()
        #expect(page.contains("One piece of advice"))
        #expect(page.contains("but advice"))
        #expect(!page.contains("<span class=\"tag bad\">advice</span>"))
        #expect(!page.contains("<span class=\"tag warn\">advice</span>"))
        let suspect = try document([.suspect])
        #expect(!text(suspect).contains("none but advice"))
        #expect(try !HTMLReport(of: suspect).render().contains("piece of advice"))
    }

    @Test func aSightingWithoutAURLHasNoCommaForIt() throws {
        var document = try document([.broken])
        let first = try #require(document.findings[0].occurrences[0].first)
        let time = UTCText.iso8601(microseconds: first.wallMicroseconds)
        let seen = "viewer \(first.viewer) at \(time)"
        let code = "viewer \(first.viewer) at \(MarkdownText.code(time))"
        #expect(text(document).contains("first: \(seen), \(first.url)\n"))
        document.findings[0].occurrences[0].first?.url = ""
        #expect(text(document).contains("first: \(seen)\n"))
        #expect(JUnitReport(of: document).xml().contains("  \(seen)\n"))
        #expect(MarkdownSummary(of: document).render().contains("\(code): expected"))
    }

    @Test func onlyWhatFailsTheRunIsRed() throws {
        let all = text(try document(), colour: true)
        #expect(all.contains("\u{1b}[31m  broken example_broken"))
        #expect(all.contains("\u{1b}[31m  wrong example_wrong"))
        #expect(all.contains("\u{1b}[33m  suspect example_suspect"))
        #expect(all.contains("\u{1b}[2m  advice example_advice"))
        var document = try document([.wrong])
        document.findings[0].allowance = "2%"
        #expect(text(document, colour: true).contains("\u{1b}[31m  wrong example_wrong"))
        #expect(text(document).contains("the profile allows 2% of viewers"))
        document.findings[0].allowed = true
        #expect(text(document, colour: true).contains("\u{1b}[33m  wrong example_wrong"))
        #expect(text(document).contains("allowed by the profile: 2% of viewers"))
    }

    @Test func junitFailsWhatFailsTheRun() throws {
        let cases = JUnitReport(of: try document(broken: "3")).suites.flatMap(\.cases)
        func outcome(_ severity: Severity) throws -> JUnitReport.Outcome {
            try #require(cases.first { $0.name == "example_\(severity.rawValue)" }).outcome
        }
        guard case .failure(_, let message, let text) = try outcome(.broken) else {
            Issue.record("no failure: \(cases)")
            return
        }
        #expect(message.hasSuffix("the profile allows 3 in all"))
        #expect(text.contains("look at: The log of broken."))
        guard case .failure = try outcome(.wrong) else {
            Issue.record("wrong does not fail: \(cases)")
            return
        }
        for severity in [Severity.suspect, .advice] {
            guard case .skipped = try outcome(severity) else {
                Issue.record("\(severity) is not skipped: \(cases)")
                return
            }
        }
    }

    @Test func markdownGivesEvidenceOfAllButAdvice() throws {
        let text = MarkdownSummary(of: try document()).render()
        #expect(text.contains("The log of suspect"))
        #expect(!text.contains("The log of advice"))
        #expect(text.contains("example_advice") || text.contains("example\\_advice"))
    }

    @Test func eachListingNamesItsCohort() throws {
        var document = try document([.broken])
        var one = document.findings[0].occurrences[0]
        one.breakKey = "20:00"
        document.findings[0].occurrences = ["region=north", "region=south"].map { cohort in
            one.cohort = cohort
            return one
        }
        document.findings[0].occurrencesNotListed = 3
        let summary = text(document)
        #expect(summary.contains("break 20:00, cohort region=north: ") && summary.contains("and in 3 more places"))
        #expect(summary.contains("break 20:00, cohort region=south: "))
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("break 20:00, cohort region=south") && page.contains("3 further places had it too."))
        let place = "break <code>20:00</code>, cohort <code>region=south</code>"
        #expect(MarkdownSummary(of: document).render().contains(place))
    }

    @Test func theFirstAndTheLastSightingAreShown() throws {
        var document = try document([.broken])
        document.findings[0].occurrences[0].last = document.findings[0].occurrences[0].first
        let once = try HTMLReport(of: document).render()
        #expect(once.contains("first by viewer") && !once.contains("last by viewer 77"))
        document.findings[0].occurrences[0].last?.viewer = 77
        let page = try HTMLReport(of: document).render()
        #expect(page.contains("last by viewer 77"))
        #expect(page.contains("Look at: The log of broken."))
    }
}
