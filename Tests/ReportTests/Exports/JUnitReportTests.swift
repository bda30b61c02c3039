import Foundation
import Results
import Rules
import Testing

@testable import Report

@Suite struct JUnitReportTests {
    private func read(_ document: ResultDocument) throws -> JUnitReading { try JUnitReading(JUnitReport(of: document)) }

    @Test func eventsThatDoNotAddUpAreAnErrorOnlyOfADefectiveRun() throws {
        var document = try ExampleResult.judged(.defect)
        let name = "interstitial events add up"
        let cases = { (document: ResultDocument) in
            JUnitReport(of: document).suites.flatMap(\.cases).filter { $0.name == name }
        }
        #expect(cases(document).map(\.outcome.kind) == [.passed])
        document.events?.unaccounted = 1
        #expect(cases(document).map(\.outcome.kind) == [.error])
        document.verdict.outcome = .interrupted
        #expect(cases(document).map(\.outcome.kind) == [.skipped])
        document.events = nil
        #expect(cases(document).isEmpty)
    }

    @Test(arguments: RunVerdict.Outcome.allCases)
    func failuresAndErrorsAgreeWithTheExitStatus(outcome: RunVerdict.Outcome) throws {
        let reading = try read(ExampleResult.judged(outcome))
        #expect(reading.problems == [])
        #expect((reading.failures > 0) == (outcome == .failed))
        let errors: [RunVerdict.Outcome] = [.clientLimited, .incomplete, .undecided, .interrupted, .defect]
        #expect((reading.errors > 0) == errors.contains(outcome))
    }

    @Test func driftIsTheTargetsFailureOrTheGeneratorsError() throws {
        let verdicts: [DriftResult] = [
            ExampleResult.drift(.creeping, .target), ExampleResult.drift(.creeping, .generator),
            ExampleResult.drift(.steady, .target), ExampleResult.drift(.tooFewWindows, .target),
            ExampleResult.drift(.improving, .target),
        ]
        var document = try ExampleResult.judged(.failed)
        document.drift = verdicts
        #expect(try read(document)["drift"]?.failures == 0)
        document.verdict.reasons.append("a sentence")
        let failed = try #require(try read(document)["drift"])
        let counts = [failed.tests, failed.failures, failed.errors, failed.skipped]
        #expect(counts == [5, 1, 0, 2])
        document = try ExampleResult.judged(.clientLimited)
        document.drift = verdicts
        document.verdict.reasons.append("a sentence")
        let limited = try #require(try read(document)["drift"])
        let limitedCounts = [limited.tests, limited.failures, limited.errors, limited.skipped]
        #expect(limitedCounts == [5, 0, 1, 2])
    }

    @Test func hostileTextStaysText() throws {
        let reading = try read(ExampleResult.hostile())
        #expect(reading.problems == [])
        let expected = ExampleResult.hostileText.replacing(
            /[\u{0}\u{1b}\u{FFFE}\u{202E}\u{2028}\u{9B}]/.matchingSemantics(.unicodeScalar),
            with: "\u{FFFD}"
        )
        #expect((reading["run"]?.messages, reading["run"]?.properties["target"]) == ([expected], expected))
    }

    @Test func aRunThatNeverEndedOrHasNoNameIsStillValid() throws {
        var document = try ExampleResult.failed()
        (document.run.profile, document.breaks.each, document.thresholds) = ("", [], [])
        document.reconciliation = nil
        #expect(try read(document).problems == [])
    }
}
