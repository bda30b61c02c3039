import Foundation
import TestSupport

/// Result files of one profile, night after night: a real document with other figures in it.
struct ResultHistory {
    /// From 2026-03-01 on at two in the morning.
    static let start: Int64 = 1_772_330_400_000_000
    private static let day: Int64 = 86_400_000_000

    private let stored: StoredResult

    init() throws { stored = try StoredResult() }

    func json(_ night: Int, release: String, factor: Double, _ changes: [String: Any?] = [:]) throws -> Data {
        let start = Self.start + Int64(night) * Self.day
        let date = Date(timeIntervalSince1970: Double(start) / 1e6)
        var all: [String: Any?] = [
            "verdict": ["exit_code": 0, "outcome": "passed", "reasons": [String]()] as [String: Any],
            "run.started_at_us": start,
            "run.started_at": date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            "run.ended_at_us": start + 60_000_000,
            "run.labels": ["release": release, "commit": "c\(night)"],
        ]
        for (kind, factor) in [("playlist", 1), ("pod_manifest", factor)] {
            for (name, typical) in [("p50_us", 40_000.0), ("p95_us", 80_000), ("p99_us", 90_000)] {
                all["requests.\(kind).latencies.response.\(name)"] = Int64(typical * factor)
            }
        }
        return try stored.json(all.merging(changes) { $1 })
    }

    /// Latencies of a night like any other, as a part of the usual ones.
    static func noise(_ night: Int) -> Double {
        1 + [0.00, 0.03, -0.02, 0.015, -0.03, 0.01, -0.01, 0.02, -0.015, 0.005, -0.025][night * 7 % 11]
    }
}
