import Results
import Rules
import Values

/// Compares the rates of punctual viewers, failed requests, and viewers with findings.
///
/// The Clopper-Pearson interval and Fisher's test apply to sums over all runs, divided by their dispersion (`ClusteredCounts`).
/// A difference must also exceed an absolute tolerance.
extension RunSelection {
    private struct Rate: Sendable {
        var metric: String
        var polarity: RateComparison.Polarity
        var counts: @Sendable (RunFigures) -> ClusteredCounts.Run
    }

    /// One family for all rates, without those whose meaning differs between runs.
    func rates(without changed: [ChangedMeaning]) -> [RateComparison] {
        let tested = (Self.rates + findingRates()).filter { !changed.cover($0.metric) }.compactMap(test)
        let worse = HolmCorrection.adjusted(tested.map(\.regressionP))
        let better = HolmCorrection.adjusted(tested.map(\.improvementP))
        return tested.indices.map { index in
            var comparison = tested[index]
            comparison.regressionAdjustedP = worse[index]
            comparison.improvementAdjustedP = better[index]
            comparison.verdict = verdict(comparison)
            if comparison.verdict == .inconclusive {
                let family = tested.count { $0.regressionP != nil }
                let tail = ComparisonMethod.significance
                comparison.runsNeededPerSide = RunsNeeded.perSide(comparison, tail: tail, family: family)
            }
            comparison.text = sentence(comparison)
            return comparison
        }
    }

    private static let rates: [Rate] =
        [
            Rate(metric: "breaks.on_time", polarity: .higherIsBetter) { run in
                ClusteredCounts.Run(events: min(run.breaks.onTime, run.breaks.due), trials: run.breaks.due)
            },
            Rate(metric: "events.failed", polarity: .lowerIsBetter) { run in
                let scheduled = run.events?.scheduled ?? 0
                return ClusteredCounts.Run(events: min(run.events?.failed ?? 0, scheduled), trials: scheduled)
            },
        ]
        + RequestKind.allCases.map { kind in
            Rate(metric: "\(kind.name).errors", polarity: .lowerIsBetter) { run in
                let requests = run.requests[kind.name]
                let count = requests?.count ?? 0
                return ClusteredCounts.Run(events: min(requests?.errors ?? 0, count), trials: count)
            }
        }

    /// New findings are judged by themselves.
    private func findingRates() -> [Rate] {
        func judged(_ runs: [RunFigures]) -> Set<String> {
            Set(runs.flatMap(\.findings).filter { !$0.isAdvice && $0.viewers != nil }.map(\.code))
        }
        let allowed = Set((base + candidate).flatMap(\.findings).filter(\.allowed).map(\.code))
        return judged(base).intersection(judged(candidate)).subtracting(allowed).sorted().map { code in
            Rate(metric: "findings.\(code).viewers", polarity: .lowerIsBetter) { run in
                let viewers = run.findings.first { $0.code == code }?.viewers ?? 0
                return ClusteredCounts.Run(events: min(viewers, run.joined), trials: run.joined)
            }
        }
    }

    private func test(_ rate: Rate) -> RateComparison? {
        let (first, second) = (base.map(rate.counts), candidate.map(rate.counts))
        guard (first + second).contains(where: { $0.trials > 0 }) else { return nil }
        let dispersion = ClusteredCounts.dispersion(first, second)
        let scale = dispersion ?? 1
        var comparison = RateComparison(
            metric: rate.metric,
            polarity: rate.polarity,
            base: side(first, scale),
            candidate: side(second, scale),
            dispersion: dispersion
        )
        if let low = comparison.base.percent, let high = comparison.candidate.percent {
            comparison.differencePoints = high - low
            let more = Self.probability(ofMoreIn: comparison.candidate, than: comparison.base, scale)
            let fewer = Self.probability(ofMoreIn: comparison.base, than: comparison.candidate, scale)
            let isHigherBetter = rate.polarity == .higherIsBetter
            comparison.regressionP = isHigherBetter ? fewer : more
            comparison.improvementP = isHigherBetter ? more : fewer
        }
        return comparison
    }

    private static func probability(
        ofMoreIn side: RateComparison.Side,
        than other: RateComparison.Side,
        _ scale: Double
    ) -> Double {
        // Beyond this count a Double does not distinguish neighbours.
        func scaled(_ count: UInt64) -> UInt64 { UInt64(min((Double(count) / scale).rounded(), 0x1p48)) }
        return FisherExactTest.probability(
            ofAtLeast: scaled(side.events),
            outOf: scaled(side.outOf),
            against: scaled(other.events),
            outOf: scaled(other.outOf)
        )
    }

    private func side(_ runs: [ClusteredCounts.Run], _ scale: Double) -> RateComparison.Side {
        let events = runs.reduce(0) { $0 &+ $1.events }
        let trials = runs.reduce(0) { $0 &+ $1.trials }
        let interval =
            trials == 0
            ? nil
            : BinomialInterval(
                events: Double(events) / scale,
                trials: Double(trials) / scale,
                confidence: ComparisonMethod.confidence
            )
        return RateComparison.Side(
            events: events,
            outOf: trials,
            percent: Self.percent(events, trials),
            lowPercent: interval.map { $0.low * 100 },
            highPercent: interval.map { $0.high * 100 },
            runsPercent: runs.map { Self.percent($0.events, $0.trials) }
        )
    }

    private static func percent(_ events: UInt64, _ trials: UInt64) -> Double? {
        trials == 0 ? nil : Double(events) * 100 / Double(trials)
    }

    /// Positive if the candidate is worse.
    private func worsening(_ comparison: RateComparison) -> Double? {
        comparison.differencePoints.map { comparison.polarity == .higherIsBetter ? -$0 : $0 }
    }

    private func verdict(_ comparison: RateComparison) -> FigureVerdict {
        guard let worsening = worsening(comparison) else { return .notMeasured }
        let level = ComparisonMethod.significance * (1 + 1e-9)
        if worsening > options.rateTolerancePoints {
            let isSure = (comparison.regressionAdjustedP ?? 1) <= level
            return isSure && comparison.dispersion != nil ? .regression : .inconclusive
        }
        let isBetter = -worsening > options.rateTolerancePoints && (comparison.improvementAdjustedP ?? 1) <= level
        return isBetter && comparison.dispersion != nil ? .improvement : .noRegression
    }

    private func sentence(_ comparison: RateComparison) -> String {
        guard let base = comparison.base.percent, let candidate = comparison.candidate.percent else {
            let side = comparison.base.percent == nil ? "base" : "candidate"
            return "\(comparison.metric) was not measured on the \(side)"
        }
        let figures = "\(comparison.metric): \(MetricText.percent(base)) to \(MetricText.percent(candidate))"
        let tolerance = MetricText.number(options.rateTolerancePoints)
        return switch comparison.verdict {
        case .regression: "\(figures), worse by more than the tolerance of \(tolerance) points"
        case .improvement: "\(figures), better by more than the tolerance of \(tolerance) points"
        case .noRegression, .notMeasured: "\(figures), no worse than the tolerance of \(tolerance) points"
        case .inconclusive:
            "\(figures), worse beyond the tolerance of \(tolerance) points, not yet proved, as "
                + (comparison.dispersion != nil
                    ? "runs of one release may differ as much"
                    : "with one run per side it is unknown how much runs of one release differ")
                + (comparison.moreRuns.map { ": make \(GroupedDigits.counted($0, "more run")) on each side" } ?? "")
        }
    }
}
