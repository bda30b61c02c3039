import Comparison
import Results
import Testing

@testable import Report

/// No compiler sees that a value has its row in words.txt.
@Suite struct WordingTests {
    @Test func everyOutcomeAndFormatHasItsRow() {
        let compared = ComparisonVerdict.Outcome.allCases.map(\.rawValue)
        let outcomes = [
            ("run", RunVerdict.Outcome.allCases.map(\.rawValue)), ("comparison", compared), ("capacities", compared),
            ("trend", TrendVerdict.Outcome.allCases.map(\.rawValue)),
        ]
        for (kind, values) in outcomes {
            for value in values { #expect(Wording(kind, value).tone != .plain, "\(kind) \(value)") }
        }
        for format in ExportFormat.allCases { #expect(format.summary.contains(" "), "\(format)") }
    }
}
