import Rules

/// Codes of the findings in the answers of a survey.
struct SeenFindings: Sendable {
    private var seen: [String: FindingCode] = [:]

    init(_ violations: [Violation]) {
        saw(violations)
    }

    mutating func saw(_ violations: [Violation]) {
        for violation in violations { seen[violation.code.code] = violation.code }
    }

    /// Sorted from the most severe, then by code.
    var codes: [FindingCode] {
        seen.values.sorted { ($1.severity, $0.code) < ($0.severity, $1.code) }
    }
}
