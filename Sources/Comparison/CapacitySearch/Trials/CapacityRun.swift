package enum CapacityOutcome: String, Codable, Sendable {
    /// Also if the load generator was at its limit: the break held although some load came late.
    case held
    case missed
    /// Missed while the load generator was the limit, so the break gives no information on the target.
    case censored
}

package struct CapacityTrial: Codable, Equatable, Sendable {
    /// In the unit of the settings; the actual size, not the planned one.
    package var size: Double
    package var outcome: CapacityOutcome

    package init(size: Double, outcome: CapacityOutcome) {
        self.size = size
        self.outcome = outcome
    }
}

package struct CapacityRun: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// Finds the order of magnitude: each break harder than the one before, until two in a row are missed.
        case escalation
        /// Breaks around the estimate.
        case search
        /// Every break at the answer.
        case confirmation
    }

    package var kind: Kind
    package var trials: [CapacityTrial]
    /// False if the run ended early for another reason than two misses in an escalation.
    package var isWhole: Bool

    package init(kind: Kind, trials: [CapacityTrial], isWhole: Bool = true) {
        self.kind = kind
        self.trials = trials
        self.isWhole = isWhole
    }
}
