import Results

struct TrendHistory {
    /// Oldest first.
    private(set) var runs: [RunFigures] = []
    private(set) var group: TrendGroup
    private(set) var leftOut: [TrendOmission] = []
    private(set) var otherGroups: [TrendGroup] = []
    private(set) var newestLeftOut: String?

    private struct Key: Hashable {
        var digest: String
        var hostClass: String
    }

    /// Nil if no run has the wanted profile.
    ///
    /// `digest` is a prefix; nil for the profile of the newest run. Runs beyond `limit`, the oldest ones, are dropped without a
    /// report.
    init?(_ all: [RunFigures], digest: String?, limit: Int) {
        let groups = Dictionary(grouping: Self.distinct(all)) {
            Key(digest: $0.run.profileDigest, hostClass: Self.hostClass(of: $0.run.host))
        }.mapValues { $0.sorted(by: Self.isEarlier) }
        let ordered = groups.sorted { first, second in
            guard let old = second.value.last, let new = first.value.last else { return false }
            return Self.isEarlier(old, new)
        }
        guard let wanted = ordered.first(where: { Self.matches($0.key.digest, digest) }) else { return nil }
        group = Self.summary(wanted.key, wanted.value)
        for run in wanted.value {
            if let reason = Self.doubt(run) {
                leftOut.append(TrendOmission(path: run.path, reason: reason))
            } else {
                runs.append(run)
            }
        }
        runs = runs.suffix(limit)
        newestLeftOut = wanted.value.last.flatMap { run in Self.doubt(run).map { "\(run.path): \($0)" } }
        otherGroups = ordered.filter { $0.key != wanted.key }.map { Self.summary($0.key, $0.value) }
    }

    private static func matches(_ digest: String, _ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return digest.hasPrefix(wanted) || digest.hasPrefix("sha256:" + wanted)
    }

    private static func isEarlier(_ first: RunFigures, _ second: RunFigures) -> Bool {
        (first.run.startedAtMicroseconds, first.path) < (second.run.startedAtMicroseconds, second.path)
    }

    /// A file in two folders is one run.
    private static func distinct(_ runs: [RunFigures]) -> [RunFigures] {
        var known: Set<String> = []
        return runs.filter { run in
            let run = run.run
            return known.insert("\(run.profileDigest) \(run.startedAtMicroseconds) \(run.endedAtMicroseconds)").inserted
        }
    }

    private static func summary(_ key: Key, _ runs: [RunFigures]) -> TrendGroup {
        TrendGroup(
            profile: runs.last?.run.profileName ?? "",
            profileDigest: key.digest,
            hostClass: key.hostClass,
            runs: runs.count,
            newest: runs.last?.run.startedAt ?? ""
        )
    }

    static func hostClass(of host: HostFacts) -> String {
        RunStanding.hostClass(
            cpuModel: host.cpuModel,
            cpuCount: host.cpuCount,
            memoryBytes: Double(host.memoryBytes),
            architecture: host.architecture,
            isSharedWithTarget: host.sharedWithTarget
        )
    }

    private static func doubt(_ run: RunFigures) -> String? {
        RunStanding(
            outcome: run.verdict.outcome,
            shard: run.run.shard.map { ($0.index, $0.count) },
            isInterrupted: run.run.interrupted,
            abortedBy: run.run.abortedBy,
            isWithinBudget: run.health.withinBudget,
            isSuspect: run.health.suspect,
            healthReason: run.health.reasons.first
        ).doubt
    }
}
