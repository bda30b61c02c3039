package import Results

package struct RunStanding {
    private let outcome: RunVerdict.Outcome
    private let shard: (index: Int, count: Int)?
    private let isInterrupted: Bool
    private let abortedBy: String?
    private let isWithinBudget: Bool
    private let isSuspect: Bool
    private let healthReason: String?

    package init(
        outcome: RunVerdict.Outcome,
        shard: (index: Int, count: Int)?,
        isInterrupted: Bool,
        abortedBy: String?,
        isWithinBudget: Bool,
        isSuspect: Bool,
        healthReason: String?
    ) {
        self.outcome = outcome
        self.shard = shard
        self.isInterrupted = isInterrupted
        self.abortedBy = abortedBy
        self.isWithinBudget = isWithinBudget
        self.isSuspect = isSuspect
        self.healthReason = healthReason
    }

    /// The reason why the run gives no certain information on its target; nil if it does.
    package var doubt: String? {
        if outcome == .defect { return "a defect of podswarm" }
        if let shard, shard.count > 1 { return "shard \(shard.index) of \(shard.count), not the whole run" }
        if isInterrupted { return "interrupted before its end" }
        if let abortedBy { return "aborted: \(abortedBy)" }
        guard isWithinBudget else {
            return (["client-limited"] + [healthReason].compactMap(\.self)).joined(separator: ": ")
        }
        return isSuspect ? "durations that no distribution could hold" : nil
    }

    package static func hostClass(
        cpuModel: String,
        cpuCount: Int,
        memoryBytes: Double,
        architecture: String,
        isSharedWithTarget: Bool
    ) -> String {
        let memory = Int64(exactly: (memoryBytes / 1_073_741_824).rounded()) ?? 0
        let place = isSharedWithTarget ? "target on the same machine" : "target elsewhere"
        return "\(cpuCount) × \(cpuModel), \(memory) GiB, \(architecture), \(place)"
    }
}
