import Rules

/// One finding code on both sides; new findings and those beyond their allowance have zero tolerance and no statistics.
package struct FindingComparison: Equatable, Codable, Sendable {
    package enum Change: String, Codable, CaseIterable, Sendable {
        /// In the candidate and in no run of the base: a regression unless the profile allows it.
        case new
        /// On both sides, within its allowance in every run of the base and beyond it in one of the candidate's: a regression.
        case beyondAllowance = "beyond_allowance"
        /// On both sides; `RateComparison` compares the affected viewers.
        case persisting
        /// In the base and in no run of the candidate.
        case gone
    }

    package struct Side: Equatable, Codable, Sendable {
        package var runs: Int
        package var count: UInt64
        /// Largest share of affected viewers in one run.
        package var viewersPercentMaximum: Double
    }

    package var code: String
    package var severity: String
    package var meaning: String
    package var change: Change
    /// Whether every run with the finding allows it.
    package var allowed: Bool
    package var base: Side
    package var candidate: Side
    package var text: String

    /// Whether the finding is new or beyond its allowance; advice never is a regression.
    package var isRegression: Bool {
        (change == .new || change == .beyondAllowance) && !allowed && severity != Severity.advice.rawValue
    }
}
