import Results

/// Compares the newest search for a capacity with those before it.
///
/// The history covers one profile, one rule for breaks that hold, and one class of machine. The newest capacity is worse or
/// better if it lies outside the 99 % prediction interval of the earlier ones, on logarithms, and differs from their median by
/// more than a twentieth.
package struct CapacityTrend: Sendable {
    /// Prefix of the profile's digest; nil for the profile of the newest search.
    package var digest: String?
    package var searchLimit: Int

    /// Smallest relevant change, as a share of the median.
    package static let leastShare = 0.05

    package init(digest: String? = nil, searchLimit: Int = 100) {
        self.digest = digest
        self.searchLimit = searchLimit
    }

    private struct Key: Hashable {
        var digest: String
        var rule: String
        var hostClass: String

        init(_ search: CapacityFigures) {
            digest = search.search.profileDigest
            rule = search.rule
            hostClass = TrendHistory.hostClass(of: search.search.host)
        }
    }

    /// The history of a profile's capacity; nil if no search has the wanted profile.
    ///
    /// `skipped` are files that are not results.
    package func document(of searches: [CapacityFigures], skipped: [TrendOmission] = []) -> TrendDocument? {
        let ordered = Self.distinct(searches).sorted(by: Self.isEarlier)
        guard let newest = ordered.last(where: { matches($0.search.profileDigest) }) else { return nil }
        let groups = Dictionary(grouping: ordered, by: Key.init)
        let wanted = groups[Key(newest)] ?? []
        let known = Array(wanted.filter { $0.doubt == nil }.suffix(searchLimit))
        let leftOut = wanted.compactMap { search in
            search.doubt.map { TrendOmission(path: search.path, reason: $0) }
        }
        let metric = metric(known, of: newest)
        let others = groups.filter { $0.key != Key(newest) }.values.sorted { first, second in
            guard let old = second.last, let new = first.last else { return false }
            return Self.isEarlier(old, new)
        }
        return TrendDocument(
            verdict: Self.verdict(metric, newest),
            group: Self.group(wanted),
            runs: known.map(Self.run),
            metrics: [metric],
            leftOut: leftOut + skipped,
            otherGroups: others.map(Self.group)
        )
    }

    private func matches(_ known: String) -> Bool {
        guard let digest else { return true }
        return known.hasPrefix(digest) || known.hasPrefix("sha256:" + digest)
    }

    private static func isEarlier(_ first: CapacityFigures, _ second: CapacityFigures) -> Bool {
        (first.search.startedAtMicroseconds, first.path) < (second.search.startedAtMicroseconds, second.path)
    }

    /// A file in two folders is one search.
    private static func distinct(_ searches: [CapacityFigures]) -> [CapacityFigures] {
        var known: Set<String> = []
        return searches.filter { search in
            let description = search.search
            return known.insert("\(description.profileDigest) \(description.id) \(description.startedAtMicroseconds)")
                .inserted
        }
    }

    private func metric(_ known: [CapacityFigures], of newest: CapacityFigures) -> TrendMetric {
        let values = known.map(\.answer.value)
        var metric = TrendMetric(
            metric: "capacity.\(newest.asked.quantity.rawValue)",
            gating: true,
            unit: .count,
            higherIsWorse: !newest.asked.quantity.isHarderWithMore,
            values: values,
            verdict: .tooFewRuns,
            text: ""
        )
        let earlier = values.dropLast().compactMap(\.self).suffix(TrendAnalysis.predictionLimit)
        if var interval = PredictionInterval(of: earlier.map(Logarithm.natural)) {
            interval.low = Logarithm.exponential(interval.low)
            interval.median = Logarithm.exponential(interval.median)
            interval.high = Logarithm.exponential(interval.high)
            metric.expected = interval
            metric.expectedFrom = values.count - 1 - earlier.count
        }
        metric.verdict = Self.verdict(values.last ?? nil, metric.expected, higherIsWorse: metric.higherIsWorse)
        metric.text = TrendSentence.verdict(metric)
        return metric
    }

    private static func verdict(
        _ newest: Double?,
        _ expected: PredictionInterval?,
        higherIsWorse: Bool
    ) -> TrendMetric.Verdict {
        guard let newest else { return .notMeasured }
        guard let expected else { return .tooFewRuns }
        let isOutside = newest < expected.low || newest > expected.high
        guard isOutside, (newest - expected.median).magnitude > leastShare * expected.median else { return .asExpected }
        return (newest > expected.median) == higherIsWorse ? .worse : .better
    }

    private static func verdict(_ metric: TrendMetric, _ newest: CapacityFigures) -> TrendVerdict {
        if let doubt = newest.doubt {
            return TrendVerdict(
                outcome: .newestLeftOut,
                reasons: ["the newest search is left out: \(newest.path): \(doubt)"]
            )
        }
        switch metric.verdict {
        case .worse: return TrendVerdict(outcome: .worse, reasons: [metric.text])
        case .tooFewRuns, .notMeasured: return TrendVerdict(outcome: .tooFewRuns, reasons: [metric.text])
        case .asExpected, .better: return TrendVerdict(outcome: .asExpected, reasons: [])
        }
    }

    private static func group(_ searches: [CapacityFigures]) -> TrendGroup {
        TrendGroup(
            profile: searches.last?.search.profileName ?? "",
            profileDigest: searches.last?.search.profileDigest ?? "",
            hostClass: searches.last.map { TrendHistory.hostClass(of: $0.search.host) } ?? "",
            runs: searches.count,
            newest: searches.last.map { UTCText.iso8601(microseconds: $0.search.startedAtMicroseconds) } ?? ""
        )
    }

    private static func run(_ search: CapacityFigures) -> TrendRun {
        TrendRun(
            path: search.path,
            startedAt: UTCText.iso8601(microseconds: search.search.startedAtMicroseconds),
            startedAtMicroseconds: search.search.startedAtMicroseconds,
            labels: search.search.labels,
            outcome: search.answer.kind.rawValue
        )
    }
}
