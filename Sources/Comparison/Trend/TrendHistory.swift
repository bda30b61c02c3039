import Glibc
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
    /// `digest` is a prefix. The oldest results beyond `limit` are dropped silently.
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

    package init(_ row: RunRow) {
        self.init(
            path: row.path,
            startedAt: UTCText.iso8601(microseconds: row.startedAtMicroseconds),
            startedAtMicroseconds: row.startedAtMicroseconds,
            labels: row.labels,
            outcome: row.outcome
        )
    }
}

struct TrendFigure {
    var name: String
    var unit: TrendMetric.Unit
    var isGating = false
    var higherIsWorse = true
    /// Noise of durations is multiplicative, so it is even on a logarithmic scale.
    var isLogarithmic = false
    /// Share of the reference value and absolute floor; both must be exceeded.
    var leastShare = 0.0
    var leastChange = 0.0
    var value: (RunFigures) -> Double?

    private static func quantile(_ quantile: ComparedQuantile, isGating: Bool, _ options: ComparisonOptions) -> Self {
        TrendFigure(
            name: quantile.name,
            unit: .microseconds,
            isGating: isGating,
            isLogarithmic: true,
            leastShare: options.marginPercent(of: quantile) / 100,
            leastChange: options.floorMicroseconds,
            value: quantile.microseconds
        )
    }

    /// Without a value in runs: only a search has a capacity.
    static func capacity(_ quantity: CapacityQuestion.Quantity) -> Self {
        TrendFigure(
            name: "capacity.\(quantity.rawValue)",
            unit: .count,
            isGating: true,
            higherIsWorse: !quantity.isHarderWithMore,
            isLogarithmic: true,
            leastShare: 0.05
        ) { _ in nil }
    }

    func leastEffect(at value: Double) -> Double { max(leastChange, leastShare * value.magnitude) }

    /// All values up to a microsecond are equal.
    func scaled(_ value: Double) -> Double { isLogarithmic ? log(max(1, value)) : value }

    func unscaled(_ value: Double) -> Double { isLogarithmic ? exp(value) : value }

    static func all(gates: [ComparedQuantile], options: ComparisonOptions) -> [TrendFigure] {
        let others = ComparedQuantile.informational.filter { quantile in
            let isResponse = quantile.name.hasSuffix(".response.p50") || quantile.name.hasSuffix(".response.p99")
            return !gates.contains(quantile) && (isResponse || quantile.name == "playlist.lateness.p99")
        }
        let tolerance = options.rateTolerancePoints
        let rates = [
            TrendFigure(name: "all.errors", unit: .percent, leastChange: tolerance) { run in
                let asked = run.requests.values.reduce(0) { $0 + Double($1.count) }
                let errors = run.requests.values.reduce(0) { $0 + Double($1.errors) }
                return asked > 0 ? errors * 100 / asked : nil
            },
            TrendFigure(name: "findings.*", unit: .count, leastChange: 0.5) { run in
                run.findings.reduce(0) { $0 + ($1.allowed || $1.isAdvice ? 0 : Double($1.count)) }
            },
        ]
        let onTime = TrendFigure(
            name: "breaks.on_time",
            unit: .percent,
            isGating: true,
            higherIsWorse: false,
            leastChange: tolerance
        ) { run in
            run.breaks.due > 0 ? Double(run.breaks.onTime) * 100 / Double(run.breaks.due) : nil
        }
        return [onTime] + gates.map { quantile($0, isGating: true, options) } + rates
            + others.map { quantile($0, isGating: false, options) }
    }
}
