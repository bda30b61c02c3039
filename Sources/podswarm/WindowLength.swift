import LoadProfile
import Swarm

extension WindowPlan {
    private static let usualLength = Duration.seconds(300)
    /// What people count in, up to the usual length.
    private static let lengths: [Duration] = [1, 2, 5, 10, 30, 60, 120, 300].map { .seconds($0) }
    /// As many as a chart of a run still shows apart.
    private static let usualCount = 120

    /// The length of a run's windows: as asked, or the smallest usual one that makes at most 120 of them.
    func length(forRunOf duration: Duration) -> Duration {
        self.length ?? Self.lengths.first { $0 * Self.usualCount >= duration } ?? Self.usualLength
    }

    /// The warm-up of a soak that names none: until everybody has joined, and at least one window.
    func soakWarmUp(of plan: LoadPlan) -> Duration {
        self.warmUp ?? max(plan.audience.ramp, self.length(forRunOf: plan.duration))
    }
}

extension Duration {
    /// Whole milliseconds, held at the ends of Int64.
    var millisecondsHeld: Int64 { self.nanosecondsHeld / 1_000_000 }
}
