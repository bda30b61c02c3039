/// A rule that a playlist breaks, without viewer and time.
package struct Violation: Hashable, Sendable {
    package let code: FindingCode
    /// Counted from 1; nil if no single line shows it.
    package internal(set) var line: Int?
    package let expected: String
    /// Untrusted text, which the ledger limits.
    package let observed: String
    /// Range of the violation's break; nil for the present one or none.
    package let dateRangeID: String?
    /// Nil where the likeliest cause of its code holds.
    package let likely: String?

    package init(
        _ code: FindingCode,
        line: Int? = nil,
        of dateRangeID: String? = nil,
        expected: String,
        observed: String,
        likely: String? = nil
    ) {
        (self.code, self.line, self.dateRangeID) = (code, line, dateRangeID)
        (self.expected, self.observed, self.likely) = (expected, observed, likely)
    }
}
