package import RunResult
package import Thresholds

/// All that is known of a run at its start and that its result needs: with the intervals, a run is told whole.
package struct CollectorSettings: Equatable, Codable, Sendable {
    /// As known at the start: its end, what carried requests and what came of what was asked are filled in at the end.
    package var run: RunDescription
    /// Those of a journal that another version wrote may be unreadable.
    package var thresholds: [WrittenThreshold]
    package var allowedFindings: FindingAllowances
    package var budget: GeneratorBudget
    /// Cores the loops may use: the number of loops, at most the number of cores.
    package var loopCores: Int
    package var descriptorLimit: Int
    package var windowMilliseconds: Int64
    /// From the start of the run; what falls into it is kept apart and judged by nothing.
    package var warmUpMilliseconds: Int64
    /// Whether a creeping series decides the verdict, as it does for a soak.
    package var judgesDrift: Bool
    /// In the order of their numbers; nil for a profile that names none.
    package var personas: [PersonaDescription]?
    /// How far times of one break may be apart from what most viewers are told; nil: as usual.
    package var announcementToleranceMicroseconds: Int64?
    /// How long the run is to last; nil in what an earlier version wrote.
    package var plannedMicroseconds: Int64?
    /// Whether the profile has breaks, so that a run without a due viewer fails; nil in what an earlier version wrote.
    package var rehearsesBreaks: Bool?

    package init(
        run: RunDescription,
        thresholds: [ThresholdRule] = [],
        allowedFindings: FindingAllowances = [],
        budget: GeneratorBudget = .standard,
        loopCores: Int,
        descriptorLimit: Int,
        windowMilliseconds: Int64 = 1_000,
        warmUpMilliseconds: Int64 = 0,
        judgesDrift: Bool = false,
        personas: [PersonaDescription] = [],
        announcementToleranceMicroseconds: Int64? = nil,
        plannedMicroseconds: Int64? = nil,
        rehearsesBreaks: Bool? = nil
    ) {
        self.run = run
        self.thresholds = thresholds.map(WrittenThreshold.rule)
        self.allowedFindings = allowedFindings
        self.budget = budget
        self.loopCores = loopCores
        self.descriptorLimit = descriptorLimit
        self.windowMilliseconds = max(1, windowMilliseconds)
        self.warmUpMilliseconds = max(0, warmUpMilliseconds)
        self.judgesDrift = judgesDrift
        self.personas = personas.isEmpty ? nil : personas
        self.announcementToleranceMicroseconds = announcementToleranceMicroseconds
        self.plannedMicroseconds = plannedMicroseconds
        self.rehearsesBreaks = rehearsesBreaks
    }
}
