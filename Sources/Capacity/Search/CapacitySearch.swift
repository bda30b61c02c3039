import Chance
import Glibc
import Statistics

/// A search for the largest size, or the least, of which a break still holds in a share of breaks.
///
/// First a run in which each break is harder by a quarter finds the order of magnitude; then runs with breaks around what is
/// known narrow the posterior until its 90 % interval is narrow enough; then a run with every break at the answer confirms
/// it, and counts too. Where it contradicts, the search goes on. Simulated in `CapacityCalibrationTests`, which says how
/// often the interval contains the truth.
///
/// It holds settings and runs and nothing else: what was written down and read again goes on as if it had never stopped.
package struct CapacitySearch: Codable, Equatable, Sendable {
    package let settings: CapacitySettings
    package private(set) var runs: [CapacityRun] = []

    package init(_ settings: CapacitySettings) { self.settings = settings }

    /// Counts a run, whole or not; its sizes are what breaks really had.
    package mutating func add(_ run: CapacityRun) { runs.append(run) }

    /// What to do next: always the same after the same runs.
    package func next() -> CapacityStep {
        let knowledge = Knowledge(settings, runs)
        guard runs.count < settings.maximumRuns else {
            return .done(CapacityEnd(cause: .runsUsedUp, estimate: estimate))
        }
        if let sizes = Escalation(settings, runs, limit: knowledge.limit.difficulty).sizes {
            return .run(.escalation, sizes: sizes)
        }
        let plan = SearchPlan(settings, knowledge, seed: settings.seed &+ UInt64(runs.count))
        guard let end = knowledge.end else { return .run(.search, sizes: plan.search) }
        guard knowledge.isConfirmed(end) else { return .run(.confirmation, sizes: plan.confirmation(of: end)) }
        return .done(CapacityEnd(cause: end.cause, estimate: knowledge.estimate))
    }

    /// What is known so far; of no runs, that nothing is.
    package var estimate: CapacityEstimate { Knowledge(settings, runs).estimate }
}
