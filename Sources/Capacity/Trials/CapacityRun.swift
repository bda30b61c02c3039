/// What one break came to, as far as a capacity is concerned.
package enum CapacityOutcome: String, Codable, Sendable {
    /// Also where the load generator was at its limit: with less load than was asked for at an instant, still all of it.
    case held
    case missed
    /// Missed while the load generator was the limit: it says nothing of the target.
    case censored
}

/// One break: what was asked of the target, and what came of it.
package struct CapacityTrial: Codable, Equatable, Sendable {
    /// In the unit of the settings, as it was and not as it was planned.
    package var size: Double
    package var outcome: CapacityOutcome

    package init(size: Double, outcome: CapacityOutcome) {
        self.size = size
        self.outcome = outcome
    }
}

/// One run of a search: the breaks that it had, in their order.
package struct CapacityRun: Codable, Equatable, Sendable {
    /// What a run is for.
    package enum Kind: String, Codable, Sendable {
        /// Finds the order of magnitude: each break harder than the one before, until two in a row are missed.
        case escalation
        /// Breaks around what is known, to know it better.
        case search
        /// Every break at the answer.
        case confirmation
    }

    package var kind: Kind
    package var trials: [CapacityTrial]
    /// False for a run that ended before its plan did, for another reason than two misses in an escalation.
    package var isWhole: Bool

    package init(kind: Kind, trials: [CapacityTrial], isWhole: Bool = true) {
        self.kind = kind
        self.trials = trials
        self.isWhole = isWhole
    }
}
