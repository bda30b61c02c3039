import Results

/// Decides whether the capacity of one release is less than that of another.
///
/// Regression: the 95 % interval of the change lies wholly on the worse side, however small the change is. No regression: the
/// interval excludes a loss of a fifth, which two searches of default precision decide for equal releases in most cases.
/// Everything else is inconclusive.
package struct CapacityComparison: Sendable {
    package struct Side: Sendable {
        package var inputs: [String]
        package var searches: [CapacityFigures]

        package init(inputs: [String], searches: [CapacityFigures]) {
            self.inputs = inputs
            self.searches = searches
        }
    }

    /// Lowest ratio that still counts as no regression.
    package static let leastRatio = 0.8
    private static let ratioShare = 0.95
    private static let sideShare = 0.9

    private let options: ComparisonOptions

    /// Only the allowed differences and `leavesUnfitAside` of the options apply.
    package init(options: ComparisonOptions = .standard) {
        self.options = options
    }

    /// Compares two sides of at least one search each; `skipped` are files that are not results.
    package func compare(
        _ base: Side,
        against candidate: Side,
        skipped: [LeftOutFile] = []
    ) -> CapacityComparisonDocument {
        let sides = [base, candidate].map { side in
            Side(inputs: side.inputs, searches: side.searches.sorted(by: CapacityFigures.isEarlier))
        }
        let estimates = sides.map { side in
            LogEstimate(side.searches.filter { $0.doubt == nil }.compactMap { LogEstimate($0.answer) })
        }
        let differences = differences(sides[0].searches, sides[1].searches)
        let unfit = sides.flatMap(\.searches).compactMap { search in
            search.doubt.map { doubt in
                Comparability.UnfitRun(
                    path: search.path,
                    aspect: nil,
                    allowed: options.leavesUnfitAside,
                    reasons: [doubt]
                )
            }
        }
        let quantity = candidate.searches.first?.asked.quantity ?? .viewers
        let comparability = Comparability(
            comparable: differences.allSatisfy(\.allowed),
            differences: differences,
            unfitRuns: unfit,
            skippedFiles: skipped
        )
        let change = Self.change(estimates[0], estimates[1])
        let judged = CapacityVerdict(
            quantity: quantity,
            change: comparability.comparable ? change : nil,
            values: estimates.map { $0.map { Logarithm.exponential($0.mean) } },
            comparability: comparability
        )
        return CapacityComparisonDocument(
            verdict: judged.verdict,
            text: judged.text,
            unit: quantity.unit,
            ratio: comparability.comparable ? change : nil,
            decidedFrom: quantity.isHarderWithMore ? Self.leastRatio : 1 / Self.leastRatio,
            base: Self.side(sides[0], apartFrom: sides[1], estimates[0]),
            candidate: Self.side(sides[1], apartFrom: sides[0], estimates[1]),
            comparability: comparability,
            notes: sides.contains { $0.searches.count == 1 } ? [Self.single] : []
        )
    }

    private static let single =
        "One search knows how much runs of an hour differ, and nothing of what differs from one day to another: several a "
        + "side do."

    private static func change(
        _ base: LogEstimate?,
        _ candidate: LogEstimate?
    ) -> CapacityComparisonDocument.Ratio? {
        guard let base, let candidate else { return nil }
        let (mean, reach) = candidate.difference(from: base, ratioShare)
        let ends = [mean, mean - reach, mean + reach].map(Logarithm.exponential)
        guard ends.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
        return CapacityComparisonDocument.Ratio(
            value: ends[0],
            lower: ends[1],
            upper: ends[2],
            intervalPercent: ratioShare * 100
        )
    }

    private static func side(
        _ side: Side,
        apartFrom other: Side,
        _ estimate: LogEstimate?
    ) -> CapacityComparisonDocument.Side {
        let figure = estimate.flatMap { estimate -> LawResult.Figure? in
            let reach = estimate.reach(sideShare)
            let ends = [estimate.mean, estimate.mean - reach, estimate.mean + reach].map(Logarithm.exponential)
            guard ends.allSatisfy(\.isFinite) else { return nil }
            return LawResult.Figure(value: ends[0], lower: ends[1], upper: ends[2])
        }
        return CapacityComparisonDocument.Side(
            title: side.searches.title(apartFrom: other.searches) ?? side.inputs.joined(separator: ", "),
            inputs: side.inputs,
            searches: side.searches.map(CapacityComparisonDocument.Search.init),
            estimate: figure
        )
    }
}

extension CapacityComparison {
    private struct Field: Sendable {
        /// Nil for a difference that cannot be allowed: the figures would describe different things.
        var aspect: ComparisonOptions.Aspect?
        var name: String
        var value: @Sendable (CapacityFigures) -> String
    }

    private static let fields: [Field] = [
        Field(aspect: nil, name: "hold") { $0.rule },
        Field(aspect: .profile, name: "profile_digest") { $0.search.profileDigest },
        Field(aspect: .host, name: "host") { $0.search.host.hostClass },
    ]

    private func differences(
        _ base: [CapacityFigures],
        _ candidate: [CapacityFigures]
    ) -> [Comparability.Difference] {
        Self.fields.compactMap { field in
            let sides = [base, candidate].map { Set($0.map(field.value)).sorted() }
            guard Set(sides.joined()).count > 1 else { return nil }
            return Comparability.Difference(
                aspect: field.aspect?.rawValue ?? field.name,
                field: field.name,
                base: sides[0],
                candidate: sides[1],
                allowed: field.aspect.map(options.allowed.contains) ?? false,
                text: "\(field.name) differs: \(sides[0].joined(separator: " and ")) against "
                    + sides[1].joined(separator: " and ")
            )
        }
    }
}

extension CapacityComparisonDocument.Search {
    fileprivate init(_ search: CapacityFigures) {
        self.init(
            path: search.path,
            profile: search.search.profile,
            target: search.search.target,
            labels: search.search.labels,
            startedAtMicroseconds: search.search.startedAtMicroseconds,
            kind: search.answer.kind,
            value: search.answer.value,
            lower: search.answer.lower,
            upper: search.answer.upper,
            leftOut: search.doubt
        )
    }
}
