package import Rulebook

/// One rule that a playlist breaks, without who saw it and when.
package struct Violation: Hashable, Sendable {
    package let code: FindingCode
    /// The line that shows it, counted from 1; nil where it concerns no single line.
    package let line: Int?
    package let expected: String
    /// The line or value that differs; foreign text, which the ledger bounds.
    package let observed: String
    /// The date range whose break it is; nil where it is that of the moment, or of no break.
    package let dateRangeID: String?

    package init(
        _ code: FindingCode,
        line: Int? = nil,
        of dateRangeID: String? = nil,
        expected: String,
        observed: String
    ) {
        self.code = code
        self.dateRangeID = dateRangeID
        self.line = line
        self.expected = expected
        self.observed = observed
    }
}
