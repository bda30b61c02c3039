package import Results

package struct CapacityTrial: Codable, Equatable, Sendable {
    /// In the unit of the settings; the actual size, not the planned one.
    package var size: Double
    package var outcome: JudgedBreak.Outcome

    package init(size: Double, outcome: JudgedBreak.Outcome) {
        self.size = size
        self.outcome = outcome
    }
}

package struct CapacityRun: Codable, Equatable, Sendable {
    package var kind: CapacityRunResult.Kind
    package var trials: [CapacityTrial]
    /// False if the run ended early for another reason than two misses in an escalation.
    package var isWhole: Bool

    package init(kind: CapacityRunResult.Kind, trials: [CapacityTrial], isWhole: Bool = true) {
        self.kind = kind
        self.trials = trials
        self.isWhole = isWhole
    }
}
