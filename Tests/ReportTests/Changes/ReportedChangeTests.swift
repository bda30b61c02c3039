import Results
import TestSupport
import Testing

@testable import Report

/// An example run with something changed in it, of which a golden file pins what that changes in every form.
struct ReportedChange: CustomTestStringConvertible, Sendable {
    enum Base: Sendable {
        case failed
        case clean
        case judged(RunVerdict.Outcome)

        func document() throws -> ResultDocument {
            switch self {
            case .failed: try ExampleResult.failed()
            case .clean: try ExampleResult.clean()
            case .judged(let outcome): try ExampleResult.judged(outcome)
            }
        }
    }

    let testDescription: String
    let base: Base
    let change: @Sendable (inout ResultDocument) throws -> Void

    init(_ name: String, _ base: Base = .failed, _ change: @escaping @Sendable (inout ResultDocument) throws -> Void) {
        testDescription = name
        self.base = base
        self.change = change
    }

    static let all = findings + generator + target + players + course

    /// The forms of the failed run, which most changes are made to.
    private static let failed = Result { try PrintedForms(ExampleResult.failed()) }

    func document() throws -> ResultDocument {
        var document = try base.document()
        try change(&document)
        return document
    }

    fileprivate func lines() throws -> String {
        let before = if case .failed = base { try Self.failed.get() } else { try PrintedForms(base.document()) }
        return try PrintedForms(document()).changes(since: before)
    }
}

@Suite struct ReportedChangeTests {
    private static let folder = "Tests/ReportTests/Goldens"

    @Test func everyFormOfAFailedRunIsPinned() throws {
        try GoldenFile.expect(PrintedForms(ExampleResult.failed()).text, at: "\(Self.folder)/forms.txt")
    }

    @Test(arguments: ReportedChange.all) func itsLinesArePinned(of change: ReportedChange) throws {
        let name = change.testDescription.replacing(" ", with: "-")
        try GoldenFile.expect(change.lines(), at: "\(Self.folder)/changes/\(name).txt")
    }

    @Test(arguments: RunVerdict.Outcome.allCases) func everyFormBeginsWithTheOutcome(outcome: RunVerdict.Outcome) throws
    {
        let document = try ExampleResult.judged(outcome)
        #expect(try document.html().contains(">\(Wording("run", outcome.rawValue).word)</h2>"))
        let first = try #require(document.markdown.split(separator: "\n").first)
        #expect(first.hasPrefix("## podswarm quick: ") && first.contains(outcome.rawValue.replacing("_", with: "-")))
    }
}
