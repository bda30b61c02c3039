import Results

/// Results of one profile, one rule and one class of machine.
struct TrendHistory<Dated: DatedResult> {
    /// Oldest first.
    private(set) var runs: [Dated] = []
    let newest: Dated
    let group: TrendGroup
    private(set) var leftOut: [LeftOutFile] = []
    let otherGroups: [TrendGroup]

    private struct Key: Hashable {
        var digest: String
        var rule: String
        var hostClass: String
    }

    /// Nil if no result has the wanted profile.
    ///
    /// `digest` is a prefix; nil for the profile of the newest result. Results beyond `limit`, the oldest ones, are dropped
    /// without a report.
    init?(_ all: [Dated], digest: String?, limit: Int) {
        var known: Set<String> = []
        let groups = Dictionary(grouping: all.filter { known.insert($0.identity).inserted }) {
            Key(digest: $0.about.profileDigest, rule: $0.rule, hostClass: $0.about.host.hostClass)
        }.mapValues { $0.sorted(by: Dated.isEarlier) }
        let ordered = groups.sorted { first, second in
            guard let old = second.value.last, let new = first.value.last else { return false }
            return Dated.isEarlier(old, new)
        }
        guard let wanted = ordered.first(where: { Self.matches($0.key.digest, digest) }),
            let newest = wanted.value.last
        else { return nil }
        self.newest = newest
        group = Self.summary(wanted.value, newest)
        for run in wanted.value {
            if let reason = run.doubt {
                leftOut.append(LeftOutFile(path: run.path, reason: reason))
            } else {
                runs.append(run)
            }
        }
        runs = runs.suffix(limit)
        otherGroups = ordered.filter { $0.key != wanted.key }.compactMap { group in
            group.value.last.map { Self.summary(group.value, $0) }
        }
    }

    private static func matches(_ digest: String, _ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return digest.hasPrefix(wanted) || digest.hasPrefix("sha256:" + wanted)
    }

    private static func summary(_ runs: [Dated], _ newest: Dated) -> TrendGroup {
        TrendGroup(
            profile: newest.about.profile,
            profileDigest: newest.about.profileDigest,
            hostClass: newest.about.host.hostClass,
            runs: runs.count,
            newest: newest.startedAt
        )
    }
}

extension TrendRun {
    init(_ result: some DatedResult) {
        self.init(
            path: result.path,
            startedAt: result.startedAt,
            startedAtMicroseconds: result.about.startedAtMicroseconds,
            labels: result.about.labels,
            outcome: result.outcomeName
        )
    }
}
