import Testing

@testable import Comparison

/// Two sides of runs, alike but for what a case changes.
struct ReleaseCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var runs = 5
    /// How many times as long the candidate's pods take.
    var factor = 1.0
    var options = ComparisonOptions()
    var change: @Sendable (_ base: inout [RunFigures], _ candidate: inout [RunFigures]) throws -> Void = { _, _ in }

    func document() throws -> ComparisonDocument {
        var base = RunFixture.side(runs, release: "1.4.1")
        var candidate = RunFixture.side(runs, release: "1.4.2", factor: factor, first: 1)
        try change(&base, &candidate)
        return ReleaseComparison(options: options).compare(
            .init(inputs: ["base"], runs: base),
            against: .init(inputs: ["candidate"], runs: candidate)
        )
    }

    /// A case that changes each run of both sides.
    private static func each(
        _ name: String,
        _ change: @escaping @Sendable (_ base: inout RunFigures, _ candidate: inout RunFigures) -> Void
    ) -> ReleaseCase {
        ReleaseCase(testDescription: name) { base, candidate in
            for index in base.indices { change(&base[index], &candidate[index]) }
        }
    }

    private static func gated(by gates: [String], margins: [String: Double] = [:]) -> ComparisonOptions {
        var options = ComparisonOptions()
        options.gates = gates.compactMap { try? ComparedQuantile(named: $0) }
        options.marginsPercent = margins
        return options
    }

    private static func withLateness(_ runs: inout [RunFigures]) {
        for index in runs.indices {
            let latency = runs[index].requests["pod_manifest"]?.latencies["response"]
            runs[index].requests["pod_manifest"]?.latencies["lateness"] = latency
        }
    }

    /// All responses of a run this many times as long.
    private static func scale(_ runs: inout [RunFigures], by factor: Double) {
        for index in runs.indices {
            for (kind, requests) in runs[index].requests {
                guard let latency = requests.latencies["response"] else { continue }
                runs[index].requests[kind]?.latencies["response"] = RunFixture.latency(
                    p50: Double(latency.p50Microseconds) * factor,
                    p99: Double(latency.p99Microseconds) * factor
                )
            }
        }
    }

    static let latencies = [
        ReleaseCase(testDescription: "runs of one kind"),
        ReleaseCase(testDescription: "a fifth slower", factor: 1.2),
        ReleaseCase(testDescription: "a fifth faster", factor: 0.8),
        ReleaseCase(testDescription: "near the margin", factor: 1.035),
        ReleaseCase(testDescription: "half as slow again below the floor", factor: 1.5) { base, candidate in
            scale(&base, by: 0.02)
            scale(&candidate, by: 0.02)
        },
        ReleaseCase(
            testDescription: "half as slow again without a floor",
            factor: 1.5,
            options: ComparisonOptions(floorMicroseconds: 0)
        ) { base, candidate in
            scale(&base, by: 0.02)
            scale(&candidate, by: 0.02)
        },
        ReleaseCase(testDescription: "two runs a side", runs: 2, factor: 1.5),
        ReleaseCase(testDescription: "one run a side", runs: 1, factor: 1.6),
        ReleaseCase(testDescription: "one run a side with a new finding", runs: 1) { _, candidate in
            candidate[0].findings = [RunFixture.finding("empty_pod")]
        },
        ReleaseCase(
            testDescription: "a gate of the user",
            factor: 1.2,
            options: gated(by: ["pod_manifest.response.p95"], margins: ["pod_manifest.response.p95": 30])
        ),
        each("standard gates of another meaning") { base, _ in base.schemaVersion = 1 },
        ReleaseCase(
            testDescription: "one gate of another meaning",
            options: gated(by: ["pod_manifest.lateness.p99", "pod_manifest.response.p95"])
        ) { base, candidate in
            for index in base.indices { base[index].schemaVersion = 1 }
            withLateness(&base)
            withLateness(&candidate)
        },
        ReleaseCase(testDescription: "a gate of the same meaning", options: gated(by: ["pod_manifest.lateness.p99"])) {
            base,
            candidate in
            for index in base.indices { base[index].schemaVersion = 1 }
            withLateness(&base)
            withLateness(&candidate)
        },
    ]

    static let findings = [
        ReleaseCase(testDescription: "a new finding in a faster release", factor: 0.8) { _, candidate in
            candidate[3].findings = [RunFixture.finding("pod_mismatch")]
        },
        ReleaseCase(testDescription: "findings that stay, are allowed or are gone") { base, candidate in
            base[0].findings = [RunFixture.finding("pod_mismatch"), RunFixture.finding("empty_pod")]
            candidate[1].findings = [
                RunFixture.finding("pod_mismatch", count: 9), RunFixture.finding("new_one", allowed: true),
            ]
        },
        ReleaseCase(testDescription: "a finding beyond its allowance", factor: 0.8) { base, candidate in
            base[0].findings = [RunFixture.finding("playlist_stale", allowed: true)]
            candidate[1].findings = [RunFixture.finding("playlist_stale", allowed: true)]
            candidate[2].findings = [RunFixture.finding("playlist_stale", viewers: 400)]
        },
        ReleaseCase(testDescription: "a finding that was beyond its allowance before", factor: 0.8) { base, candidate in
            base[1].findings = [RunFixture.finding("playlist_stale", viewers: 400)]
            candidate[2].findings = [RunFixture.finding("playlist_stale", viewers: 400)]
        },
        each("a finding of as many viewers") { base, candidate in
            base.findings = [RunFixture.finding("pod_mismatch", viewers: 2)]
            candidate.findings = base.findings
        },
        each("a finding of many more viewers") { base, candidate in
            base.findings = [RunFixture.finding("pod_mismatch", viewers: 2)]
            candidate.findings = [RunFixture.finding("pod_mismatch", viewers: 480)]
        },
    ]

    static let rates = [
        ReleaseCase(testDescription: "fewer viewers in time") { _, candidate in
            for index in candidate.indices { candidate[index].breaks.onTime = 9_950 - UInt64(index) }
        },
        each("fewer viewers in time within the tolerance") { _, candidate in candidate.breaks.onTime = 9_982 },
        ReleaseCase(testDescription: "one bad run of five") { _, candidate in candidate[2].breaks.onTime = 9_500 },
        ReleaseCase(testDescription: "one doubtful run of five") { base, candidate in
            for index in base.indices {
                base[index].breaks.onTime = 9_990
                candidate[index].breaks.onTime = index == 0 ? 9_800 : 9_990
            }
        },
        each("interstitials that fail more often") { base, candidate in
            base.events = .init(scheduled: 10_000, failed: 10)
            candidate.events = .init(scheduled: 10_000, failed: 400)
        },
        each("interstitials that fail as often") { base, candidate in
            base.events = .init(scheduled: 10_000, failed: 10)
            candidate.events = base.events
        },
        ReleaseCase(testDescription: "more errors") { _, candidate in
            for index in candidate.indices { candidate[index].requests["playlist"]?.errors = 400 + UInt64(index) }
        },
        ReleaseCase(testDescription: "fewer errors") { base, _ in
            for index in base.indices { base[index].requests["playlist"]?.errors = 400 + UInt64(index) }
        },
        each("a kind that is no longer asked for") { _, candidate in candidate.requests["playlist"] = nil },
        each("a kind that is asked for anew") { _, candidate in
            candidate.requests["asset_list"] = candidate.requests["playlist"]
        },
    ]
}
