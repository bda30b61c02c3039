import Comparison
import Foundation
import Report
import TestSupport
import Testing

@Suite struct ComparisonTextTests {
    private func side(_ release: String, runs: Int, first: Int) -> ComparedSide {
        ComparedSide(
            title: "release=\(release)",
            inputs: ["label:release=\(release)"],
            runs: (0..<runs).map { number in
                ComparedRun(
                    path: "results/quick/\(release)-\(number).json",
                    profileName: "quick",
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

    private func metric(
        _ name: String,
        gating: Bool,
        ratio: Double?,
        interval: ClosedRange<Double>?,
        verdict: FigureVerdict
    ) -> MetricComparison {
        MetricComparison(
            metric: name,
            gating: gating,
            base: .init(runsMicroseconds: [40_000], medianMicroseconds: ratio == nil ? nil : 40_000, spread: 0.02),
            candidate: .init(
                runsMicroseconds: [48_000],
                medianMicroseconds: ratio.map { $0 * 40_000 },
                spread: 0.02
            ),
            marginPercent: 5,
            appliedMarginPercent: 5,
            ratio: ratio,
            ratioLow: interval?.lowerBound,
            ratioHigh: interval?.upperBound,
            verdict: verdict,
            text: "\(name) says so"
        )
    }

    private func rate(_ name: String, verdict: FigureVerdict) -> RateComparison {
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

    private func document(_ outcome: ComparisonVerdict.Outcome = .regression) -> ComparisonDocument {
        ComparisonDocument(
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
                comparable: true,
                differences: [
                    .init(
                        aspect: "host",
                        field: "cpu_count",
                        base: ["8 (5 runs)"],
                        candidate: ["16 (5 runs)"],
                        allowed: true,
                        text: "cpu_count differs: base 8 (5 runs); candidate 16 (5 runs)"
                    )
                ],
                skippedFiles: [.init(path: "results/a|b\u{1b}[31m.json", reason: "not a podswarm result")]
            ),
            metrics: [
                metric(
                    "pod_manifest.response.p50",
                    gating: true,
                    ratio: 1.201,
                    interval: 1.152...1.248,
                    verdict: .regression
                ),
                metric(
                    "pod_manifest.response.p99",
                    gating: true,
                    ratio: 1.04,
                    interval: 0.97...1.12,
                    verdict: .inconclusive
                ),
                metric("playlist.response.p99", gating: true, ratio: 0.8, interval: 0.75...0.85, verdict: .improvement),
                metric("metadata.response.p99", gating: true, ratio: nil, interval: nil, verdict: .notMeasured),
                metric("segment.service.p50", gating: false, ratio: 12.3, interval: 11...13, verdict: .regression),
                metric("segment.service.p99", gating: false, ratio: 1, interval: 0.99...1.01, verdict: .noRegression),
            ],
            rates: [rate("playlist.errors", verdict: .regression), rate("segment.errors", verdict: .noRegression)],
            findings: [
                FindingComparison(
                    code: "pod_mismatch",
                    severity: "broken",
                    meaning: "Sessions that must match got different pods.",
                    change: .new,
                    allowed: false,
                    base: .init(runs: 0, count: 0, viewersPercentMaximum: 0),
                    candidate: .init(runs: 1, count: 3, viewersPercentMaximum: 1.5),
                    text: "finding pod_mismatch is new: in 1 of 5 candidate runs, at most 1.5% of viewers"
                )
            ],
            notes: ["The runs were made with podswarm 0.1.0 and 0.2.0."]
        )
    }

    private func single() -> ComparisonDocument {
        var document = document(.inconclusive)
        document.verdict.reasons = ["Within-run noise only."]
        document.withinRun = WithinRunComparison(
            baseBreaks: 20,
            candidateBreaks: 20,
            seed: 1,
            resamples: 2_000,
            figures: [
                .init(
                    name: "slowest_response",
                    unit: "us",
                    base: 80_000,
                    candidate: 96_000,
                    change: 1.2,
                    changeLow: 1.1,
                    changeHigh: 1.3
                ),
                .init(
                    name: "on_time",
                    unit: "percent",
                    base: 100,
                    candidate: 99.8,
                    change: -0.2,
                    changeLow: -0.4,
                    changeHigh: 0
                ),
            ],
            text: "Within-run noise only."
        )
        return document
    }

    @Test func aRegressionIsPinned() throws {
        try GoldenFile.expect(
            ComparisonText(of: document()).render(),
            at: "Tests/ReportTests/Goldens/comparison-regression.txt"
        )
    }

    @Test func everyMetricIsListedOnRequest() throws {
        let short = ComparisonText(of: document()).render()
        let long = ComparisonText(of: document(), showsAll: true).render()
        #expect(!short.contains("segment.service.p99"))
        #expect(short.contains("1 more metric without news"))
        #expect(long.contains("segment.service.p99"))
    }

    @Test func singleRunsArePinnedNarrowAndColoured() throws {
        let text = ComparisonText(of: single(), width: 60, colour: true).render()
        try GoldenFile.expect(text, at: "Tests/ReportTests/Goldens/comparison-single.txt")
        for line in text.replacing(/\u{1b}\[[0-9]+m/, with: "").split(separator: "\n") {
            #expect(line.count <= 60, "\(line)")
        }
    }

    @Test func whatCannotBeComparedShowsWhatDiffers() throws {
        var document = document(.incomparable)
        document.comparability.comparable = false
        (document.metrics, document.rates, document.findings) = ([], [], [])
        let text = ComparisonText(of: document).render()
        #expect(text.contains("NOT COMPARABLE (exit 3)"))
        #expect(!text.contains("Findings"), "nothing was looked for")
        #expect(!text.contains("\u{1b}"), "a file's name must not steer a terminal")
    }

    @Test func markdownIsPinned() throws {
        try GoldenFile.expect(
            ComparisonMarkdown(of: document()).render(),
            at: "Tests/ReportTests/Goldens/comparison-markdown.txt"
        )
        try GoldenFile.expect(
            ComparisonMarkdown(of: single()).render(),
            at: "Tests/ReportTests/Goldens/comparison-markdown-single.txt"
        )
    }
}
