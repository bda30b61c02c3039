import Rulebook

/// One finding code on both sides; what is new or beyond its allowance has zero tolerance and no statistics.
package struct FindingComparison: Equatable, Codable, Sendable {
    package enum Change: String, Codable, CaseIterable, Sendable {
        /// In the candidate and in no run of the base: a regression, unless the profile allows it.
        case new
        /// On both sides, within its allowance in every run of the base and beyond it in one of the candidate's: a
        /// regression.
        case beyondAllowance = "beyond_allowance"
        /// On both sides; `RateComparison` holds the viewers that it touched against each other.
        case persisting
        /// In the base and in no run of the candidate.
        case gone
    }

    package struct Side: Equatable, Codable, Sendable {
        /// Runs that have it.
        package var runs: Int
        package var count: UInt64
        /// The largest share of viewers that it touched in one run.
        package var viewersPercentMaximum: Double

        package init(runs: Int, count: UInt64, viewersPercentMaximum: Double) {
            self.runs = runs
            self.count = count
            self.viewersPercentMaximum = viewersPercentMaximum
        }
    }

    package var code: String
    package var severity: String
    package var meaning: String
    package var change: Change
    /// Whether every run that has it allows it.
    package var allowed: Bool
    package var base: Side
    package var candidate: Side
    package var text: String

    /// Whether the candidate has a finding that no run of the base had, or more of it than is allowed.
    ///
    /// Advice never is a regression.
    package var isRegression: Bool {
        (change == .new || change == .beyondAllowance) && !allowed && severity != Severity.advice.rawValue
    }

    package init(
        code: String,
        severity: String,
        meaning: String,
        change: Change,
        allowed: Bool,
        base: Side,
        candidate: Side,
        text: String
    ) {
        self.code = code
        self.severity = severity
        self.meaning = meaning
        self.change = change
        self.allowed = allowed
        self.base = base
        self.candidate = candidate
        self.text = text
    }
}
