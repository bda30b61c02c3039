/// A rule that a playlist breaks, without viewer and time.
package struct Violation: Hashable, Sendable {
    package let code: FindingCode
    /// The line that shows it, counted from 1; nil if no single line does.
    package let line: Int?
    package let expected: String
    /// The line or value that differs; untrusted text, which the ledger limits.
    package let observed: String
    /// The date range of the violation's break; nil for the present break or none.
    package let dateRangeID: String?
    /// Its likeliest cause, in a sentence without foreign text; nil where that of its code holds.
    package let likely: String?

    package init(
        _ code: FindingCode,
        line: Int? = nil,
        of dateRangeID: String? = nil,
        expected: String,
        observed: String,
        likely: String? = nil
    ) {
        self.code = code
        self.likely = likely
        self.dateRangeID = dateRangeID
        self.line = line
        self.expected = expected
        self.observed = observed
    }
}

extension [Violation] {
    mutating func add(
        _ code: FindingCode,
        of dateRangeID: String? = nil,
        expected: String,
        observed: String,
        likely: String? = nil
    ) {
        append(Violation(code, of: dateRangeID, expected: expected, observed: observed, likely: likely))
    }
}
