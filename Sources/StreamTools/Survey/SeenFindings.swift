import Conformance
import Rulebook

/// Findings in the answers of a survey, once for each code.
struct SeenFindings: Sendable {
    private var seen: [String: FindingCode] = [:]

    /// Begins with those of a first answer.
    init(_ violations: [Violation]) {
        saw(violations)
    }

    mutating func saw(_ violations: [Violation]) {
        for violation in violations { seen[violation.code.code] = violation.code }
    }

    /// The gravest first, those of one severity by name.
    var codes: [FindingCode] {
        seen.values.sorted { ($1.severity, $0.code) < ($0.severity, $1.code) }
    }
}
