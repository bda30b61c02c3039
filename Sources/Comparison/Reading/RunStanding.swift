import Results

enum RunStanding {
    /// The reason why a run gives no certain information on its target; nil if it does.
    static func doubt(
        outcome: RunVerdict.Outcome,
        shard: (index: Int, count: Int)?,
        isInterrupted: Bool,
        abortedBy: String?,
        isWithinBudget: Bool,
        isSuspect: Bool,
        healthReason: String?
    ) -> String? {
        if outcome == .defect { return "a defect of podswarm" }
        if let shard, shard.count > 1 { return "shard \(shard.index) of \(shard.count), not the whole run" }
        if isInterrupted { return "interrupted before its end" }
        if let abortedBy { return "aborted: \(abortedBy)" }
        guard isWithinBudget else {
            return (["client-limited"] + [healthReason].compactMap(\.self)).joined(separator: ": ")
        }
        return isSuspect ? "durations that no distribution could hold" : nil
    }

    static func hostClass(
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
