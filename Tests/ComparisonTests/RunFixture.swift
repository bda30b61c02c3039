import ExampleRuns

@testable import Comparison
@testable import Results

/// Runs for comparisons, alike but for what a test changes.
enum RunFixture {
    static func latency(p50: Double, p99: Double) -> RunFigures.Latency {
        RunFigures.Latency(
            count: 10_000,
            minimumMicroseconds: 1,
            maximumMicroseconds: Int64(p99 * 2),
            meanMicroseconds: p50,
            p50Microseconds: Int64(p50),
            p90Microseconds: Int64((p50 + p99) / 2),
            p95Microseconds: Int64((p50 + 3 * p99) / 4),
            p99Microseconds: Int64(p99),
            p999Microseconds: Int64(p99 * 1.5)
        )
    }

    /// The `number`-th run of a side, at 40 ms in the middle and 90 ms at p99 unless told otherwise.
    static func run(
        _ number: Int,
        release: String = "1.4.1",
        p50: Double = 40_000,
        p99: Double = 90_000,
        playlist: Double = 20_000
    ) -> RunFigures {
        let start = 1_795_291_200_000_000 + Int64(number) * 600_000_000
        return RunFigures(
            path: "results/quick/\(release)-\(number).json",
            podswarmVersion: "0.1.0",
            verdict: verdict(),
            run: description(release: release, start: start),
            health: RunFigures.Health(withinBudget: true, suspect: false, reasons: []),
            joined: 500,
            breaks: RunFigures.Breaks(due: 10_000, onTime: 9_990, lateness: nil),
            findings: [],
            requests: [
                "pod_manifest": RunFigures.Requests(
                    count: 10_000,
                    errors: 0,
                    latencies: ["response": latency(p50: p50, p99: p99)]
                ),
                "playlist": RunFigures.Requests(
                    count: 50_000,
                    errors: 5,
                    latencies: ["response": latency(p50: playlist / 2, p99: playlist)]
                ),
            ]
        )
    }

    /// Runs whose figures lie apart as those of real runs do: some percent to either side.
    static func side(_ count: Int, release: String, factor: Double = 1, first: Int = 0) -> [RunFigures] {
        let spread = [1.0, 1.03, 0.98, 1.015, 0.975, 1.01, 0.99, 1.02, 0.985, 1.005]
        return (0..<count).map { index in
            let scale = factor * spread[index % spread.count] * (1 + Double(index) / 10_000)
            return run(
                first + 2 * index,
                release: release,
                p50: 40_000 * scale,
                p99: 90_000 * scale,
                playlist: 20_000 * spread[(index + 3) % spread.count]
            )
        }
    }

    static func verdict(defects: [String] = []) -> RunVerdict {
        RunVerdict.judge(
            interrupted: false,
            abortedBy: nil,
            generator: [],
            thresholds: [],
            findings: [],
            reconciliation: nil,
            defects: defects
        )
    }

    /// A finding that touched some of the 500 viewers.
    static func finding(_ code: String, count: UInt64 = 1, viewers: UInt64 = 1, allowed: Bool = false)
        -> RunFigures.Finding
    {
        RunFigures.Finding(
            code: code,
            severity: "broken",
            meaning: "Sessions that must match got different pods.",
            count: count,
            viewers: viewers,
            viewersPercent: Double(viewers) / 5,
            allowed: allowed
        )
    }

    private static var host: HostFacts {
        var host = ExampleRun.host
        (host.cpuCount, host.sharedWithTarget) = (8, false)
        return host
    }

    private static func description(release: String, start: Int64) -> RunDescription {
        var description = RunDescription(
            profile: "quick",
            profileDigest: "sha256:11",
            seed: 7,
            target: "https://ads.example",
            startedAtMicroseconds: start,
            host: host
        )
        description.endedAtMicroseconds = start + 300_000_000
        (description.labels, description.loops, description.tlsVerified) = (["release": release], 2, true)
        description.transports = ["exchange", "http/1.1"]
        description.asked = [
            RunDescription.Asked(name: "viewers", unit: "count", requested: 500, observed: 500),
            RunDescription.Asked(name: "duration", unit: "s", requested: 300, observed: 300),
        ]
        return description
    }
}
