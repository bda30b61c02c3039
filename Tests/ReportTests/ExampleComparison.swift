@testable import Comparison

/// A comparison in which everything is said.
enum ExampleComparison {
    static func side(_ release: String, runs: Int, first: Int) -> ComparedSide {
        ComparedSide(
            title: "release=\(release)",
            inputs: ["label:release=\(release)"],
            runs: (0..<runs).map { number in
                ComparedRun(
                    path: "results/quick/\(release)-\(number).json",
                    profile: "quick",
                    profileDigest: "sha256:11",
                    target: "https://ads.example",
                    labels: ["release": release],
                    startedAt: "2026-11-21T20:\(10 + first + 2 * number):00.000Z",
                    startedAtMicroseconds: 0,
                    endedAtMicroseconds: 0,
                    podswarmVersion: "0.1.0",
                    outcome: "passed"
                )
            }
        )
    }

    static func metric(
        _ name: String,
        _ verdict: FigureVerdict,
        gating: Bool = true,
        ratio: Double? = nil,
        interval: ClosedRange<Double>? = nil
    ) -> MetricComparison {
        MetricComparison(
            metric: name,
            gating: gating,
            base: .init(runsMicroseconds: [40_000], medianMicroseconds: ratio == nil ? nil : 40_000, spread: 0.02),
            candidate: .init(runsMicroseconds: [48_000], medianMicroseconds: ratio.map { $0 * 40_000 }, spread: 0.02),
            marginPercent: 5,
            appliedMarginPercent: 5,
            ratio: ratio,
            ratioLow: interval?.lowerBound,
            ratioHigh: interval?.upperBound,
            verdict: verdict,
            text: "\(name) says so"
        )
    }

    static func rate(_ name: String, verdict: FigureVerdict) -> RateComparison {
        func side(_ percent: Double) -> RateComparison.Side {
            .init(
                events: 10,
                outOf: 1_000,
                percent: percent,
                lowPercent: percent / 2,
                highPercent: min(100, percent * 2),
                runsPercent: [percent]
            )
        }
        return RateComparison(
            metric: name,
            polarity: .lowerIsBetter,
            base: side(0.004),
            candidate: side(1.5),
            differencePoints: 1.496,
            dispersion: 1.2,
            verdict: verdict,
            text: "\(name) says so"
        )
    }

    /// Five runs a side, of which the verdict is this.
    static func document(_ outcome: ComparisonVerdict.Outcome) -> ComparisonDocument {
        let slower: FigureVerdict = outcome == .regression ? .regression : .noRegression
        let doubtful: FigureVerdict = outcome == .inconclusive ? .inconclusive : .noRegression
        return ComparisonDocument(
            verdict: ComparisonVerdict(
                outcome: outcome,
                reasons: [
                    "finding pod_mismatch is new: in 1 of 5 candidate runs, at most 1.5% of viewers; no base run has it",
                    "pod_manifest.response.p50: +20.1% (+15.2% to +24.8%), slower beyond the margin of 5%",
                ],
                improvements: ["playlist.response.p99: -20.0% (-25.0% to -15.0%), faster beyond the margin of 10%"],
                runsNeededPerSide: outcome == .inconclusive ? 12 : nil
            ),
            method: ComparisonMethod(floorMicroseconds: 1_000, rateTolerancePoints: 0.1, allowedDifferences: ["host"]),
            base: side("1.4.1", runs: 5, first: 0),
            candidate: side("1.4.2", runs: 5, first: 1),
            comparability: Comparability(
                comparable: outcome != .incomparable,
                differences: [
                    .init(
                        aspect: "host",
                        field: "cpu_count",
                        base: ["8 (5 runs)"],
                        candidate: ["16 (5 runs)"],
                        allowed: outcome != .incomparable,
                        text: "cpu_count differs: base 8 (5 runs); candidate 16 (5 runs)"
                    )
                ],
                skippedFiles: [.init(path: "results/a|b\u{1b}[31m.json", reason: "not a podswarm result")]
            ),
            metrics: [
                metric("pod_manifest.response.p50", slower, ratio: 1.201, interval: 1.152...1.248),
                metric("pod_manifest.response.p99", doubtful, ratio: 1.04, interval: 0.97...1.12),
                metric("playlist.response.p99", .improvement, ratio: 0.8, interval: 0.75...0.85),
                metric("metadata.response.p99", .notMeasured),
                metric("segment.service.p50", .regression, gating: false, ratio: 12.3, interval: 11...13),
                metric("segment.service.p99", .noRegression, gating: false, ratio: 1, interval: 0.99...1.01),
            ],
            rates: [rate("playlist.errors", verdict: slower), rate("segment.errors", verdict: .noRegression)],
            findings: [finding(.new), finding(.new, allowed: true), finding(.persisting), finding(.gone)],
            notes: ["The runs were made with podswarm 0.1.0 and 0.2.0."]
        )
    }

    private static func finding(_ change: FindingComparison.Change, allowed: Bool = false) -> FindingComparison {
        FindingComparison(
            code: "pod_mismatch_\(change.rawValue)\(allowed ? "_allowed" : "")",
            severity: "broken",
            meaning: "Sessions that must match got different pods.",
            change: change,
            allowed: allowed,
            base: .init(runs: 0, count: 0, viewersPercentMaximum: 0),
            candidate: .init(runs: 1, count: 3, viewersPercentMaximum: 1.5),
            text: "finding pod_mismatch is \(change.rawValue): in 1 of 5 candidate runs, at most 1.5% of viewers"
        )
    }
}
