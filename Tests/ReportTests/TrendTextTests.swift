import TestSupport
import Testing

@testable import Comparison
@testable import Report

@Suite struct TrendTextTests {
    static func document(_ outcome: TrendVerdict.Outcome = .worse, runs count: Int = 8) -> TrendDocument {
        let runs = (0..<count).map { night in
            TrendRun(
                path: "results/nightly/night,\(night).json",
                startedAt: "2026-03-0\(night + 1)T02:00:00.000Z",
                startedAtMicroseconds: 1_772_330_400_000_000 + Int64(night) * 86_400_000_000,
                labels: night.isMultiple(of: 2) ? ["release": "1.4.\(night)", "commit": "c0ffee\(night)"] : [:],
                outcome: "passed"
            )
        }
        let slow = TrendMetric(
            metric: "pod_manifest.response.p99",
            gating: true,
            unit: .microseconds,
            higherIsWorse: true,
            values: (0..<count).map { $0 == count - 1 ? 120_000 : 80_000 + 500 * Double($0) },
            verdict: .worse,
            changePoints: [
                TrendChangePoint(
                    index: 4,
                    before: 1,
                    after: 2,
                    changePercent: 100,
                    isWorse: true,
                    pValue: 0.002,
                    text: "worse from 2026-03-05, release=1.4.4 on: 80 ms to 82 ms (+2.5%)"
                )
            ],
            text: "pod_manifest.response.p99 is worse: 120 ms"
        )
        let gappy = TrendMetric(
            metric: "metadata.response.p99",
            gating: false,
            unit: .microseconds,
            higherIsWorse: true,
            values: (0..<count).map { $0 == 2 ? nil : 1_000 },
            verdict: .tooFewRuns,
            text: ""
        )
        let onTime = TrendMetric(
            metric: "breaks.on_time",
            gating: true,
            unit: .percent,
            higherIsWorse: false,
            values: [Double?](repeating: 99.95, count: count),
            verdict: .asExpected,
            text: ""
        )
        return TrendDocument(
            verdict: TrendVerdict(outcome: outcome, reasons: ["pod_manifest.response.p99 is worse: 120 ms"]),
            group: TrendGroup(
                profile: "nightly \"a\"",
                profileDigest: "sha256:591820c5896c0000",
                hostClass: "8 × AMD EPYC, 31 GiB, x86_64, target elsewhere",
                runs: count,
                newest: "2026-03-08T02:00:00.000Z"
            ),
            runs: runs,
            metrics: [onTime, slow, gappy],
            leftOut: [LeftOutFile(path: "results/nightly/x.json", reason: "client-limited\u{1b}[2J: loop delay")],
            otherGroups: []
        )
    }

    @Test func theTextIsPinned() throws {
        let text = Self.document().text(TextRendering(width: 120))
        try GoldenFile.expect(text, at: "Tests/ReportTests/Goldens/trend.txt")
    }

    @Test(arguments: [10, 60, 80, 200]) func keepsToTheWidth(width: Int) {
        let lines = Self.document().text(TextRendering(width: width)).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= max(width, TextRendering.narrowest) })
    }

    @Test func noiseDoesNotLookLikeMountains() {
        let flat = Sparkline.drawn([100, 101, 99, 100, 102], width: 40)
        #expect(Set(flat).count <= 2)
        #expect(Sparkline.drawn([1, nil, 8], width: 40) == "▁ █")
        #expect(Sparkline.drawn([0, 0], width: 40) == "▁▁")
        #expect(Sparkline.drawn([nil], width: 40) == " ")
        #expect(Sparkline.drawn([1, 2, 3, 4], width: 2).count == 2)
    }

    @Test func theTableAndItsConfigurationForOtavaArePinned() throws {
        let table = OtavaTable(of: Self.document())
        try GoldenFile.expect(table.csv(), at: "Tests/ReportTests/Goldens/otava.csv")
        let configuration = table.configuration(file: "nightly.csv")
        try GoldenFile.expect(configuration, at: "Tests/ReportTests/Goldens/otava.yaml")
        #expect(table.metricsLeftOut == ["metadata.response.p99"])
    }
}
