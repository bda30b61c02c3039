package import Rulebook

/// One rule that a playlist breaks, without who saw it and when.
package struct Violation: Hashable, Sendable {
    package let code: FindingCode
    /// The line that shows it, counted from 1; nil where it concerns no single line.
    package let line: Int?
    package let expected: String
    /// The line or value that differs; foreign text, which the ledger bounds.
    package let observed: String

    package init(_ code: FindingCode, line: Int? = nil, expected: String, observed: String) {
        self.code = code
        self.line = line
        self.expected = expected
        self.observed = observed
    }
}
