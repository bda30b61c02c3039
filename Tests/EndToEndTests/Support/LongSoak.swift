import Foundation
import JSON
import Recording
import RunResult
import TestSupport
import Testing

/// The result of an eight-hour soak, made up: what a page must cope with.
enum LongSoak {
    static let windows = 96
    static let breaks = 480
    static let points = 7_200
    private static let windowMilliseconds: Int64 = 300_000
    private static let kinds: [(name: String, typical: Double)] = [
        ("registration", 4_000), ("multivariant", 3_000), ("playlist", 900), ("segment", 2_500),
        ("pod_manifest", 52_000), ("pod_playlist", 9_000), ("pod_segment", 6_000), ("metadata", 1_500),
        ("verification", 1_200),
    ]

    /// The result that Measurement's own tests pin, stretched over eight hours.
    static func document(seed: UInt64 = 8) throws -> ResultDocument {
        let golden = GoldenFile.result
        let short = try ResultDocument(json: Data(contentsOf: golden))
        var chance = Chance(seed: seed)
        var document = short
        let start = short.run.startedAtMicroseconds
        document.run = try run(like: short.run, start: start)
        document.windows = try (0..<windows).map { try window($0, using: &chance) }
        document.breaks.each = try breaks(like: #require(short.breaks.each.first), start: start, using: &chance)
        document.breaks.count = breaks
        document.breaks.due = document.breaks.each.reduce(0) { $0 + $1.due }
        document.breaks.onTime = document.breaks.each.reduce(0) { $0 + $1.onTime }
        document.breaks.onTimePercent = Double(document.breaks.onTime) * 100 / Double(document.breaks.due)
        document.series.secondsPerPoint = 4
        let point = try #require(short.series.points.first)
        document.series.points = (0..<points).map { series(like: point, $0, using: &chance) }
        document.drift = drift()
        document.clock = ClockResult(
            steps: [.init(atMilliseconds: 9_000_000, byMicroseconds: -1_250_000)],
            stepCount: 1,
            driftMicroseconds: -1_251_300
        )
        for (name, typical) in kinds {
            document.requests[name]?.count = 2_000_000
            for metric in ["service", "response"] {
                document.requests[name]?.latencies[metric] = try latency(
                    typical * (metric == "service" ? 0.9 : 1),
                    samples: 20_000,
                    using: &chance
                )
            }
        }
        return document
    }

    private static func run(like short: RunDescription, start: Int64) throws -> RunDescription {
        RunDescription(
            profileName: "soak",
            profileDigest: short.profileDigest,
            seed: short.seed,
            labels: ["release": "1.4.2"],
            target: "https://ads.example",
            startedAtMicroseconds: start,
            endedAtMicroseconds: start + 28_800_000_000,
            loops: 2,
            transports: short.transports,
            tlsVerified: true,
            versions: short.versions,
            host: short.host,
            asked: [
                .init(name: "viewers", unit: "count", requested: 2_000, observed: 2_000),
                .init(name: "break_grace", unit: "ms", requested: 1_000, observed: nil),
            ]
        )
    }

    private static func window(_ index: Int, using chance: inout Chance) throws -> WindowResult {
        let start = Int64(index) * windowMilliseconds
        var window = WindowResult(
            startMilliseconds: start,
            endMilliseconds: start + windowMilliseconds,
            isWarmUp: index < 2,
            due: 10_000,
            onTime: 10_000 - UInt64(chance.next(below: 12)),
            activeViewers: 2_000,
            residentBytesMinimum: 120_000_000 + Int64(chance.next(below: 900_000)),
            residentBytesMaximum: 124_000_000,
            openDescriptorsMinimum: 2_040 + chance.next(below: 4),
            openDescriptorsMaximum: 2_100,
            cpuCoresMean: 0.4,
            loopDelayMaximumMicroseconds: Int64(2_000 + chance.next(below: 3_000))
        )
        for (name, typical) in kinds {
            // The origin grows slower by a hundredth in each window.
            let creep = name == "pod_manifest" ? 1 + 0.01 * Double(index) : 1
            window.requests[name] = WindowResult.Requests(
                count: 20_000,
                errors: UInt64(chance.next(below: 4)),
                lateness: try latency(90, samples: 300, using: &chance),
                service: try latency(typical * creep * 0.9, samples: 300, using: &chance),
                response: try latency(typical * creep, samples: 600, using: &chance)
            )
        }
        return window
    }

    private static func latency(_ typical: Double, samples: Int, using chance: inout Chance) throws -> LatencyResult {
        var histogram = CompactHistogram()
        for _ in 0..<samples { histogram.record(Int64(typical * chance.factor())) }
        return try #require(LatencyResult(histogram))
    }

    private static func breaks(
        like pattern: BreakResult,
        start: Int64,
        using chance: inout Chance
    ) throws -> [BreakResult] {
        (0..<breaks).map { index in
            var entry = pattern
            entry.startMicroseconds = start + Int64(index) * 60_000_000 + 30_000_000
            entry.key = "break-\(index)"
            entry.due = 2_000
            let missing = index % 53 == 7 ? UInt64(1 + chance.next(below: 60)) : 0
            entry.onTime = 2_000 - missing
            entry.onTimePercent = Double(entry.onTime) / 20
            entry.late = missing / 2
            entry.failed = missing > 0 ? ["pod_manifest_failed": missing - missing / 2] : [:]
            entry.skipped = [:]
            // Steps of a break whose burst and news took as long as these.
            entry.burst.bucketMilliseconds = 100
            entry.discovery?.bucketMilliseconds = 100
            entry.discovery?.counts = [60, 30, 10]
            entry.burst.firstBucketMilliseconds = 0
            entry.burst.counts = (0..<6).map { UInt32(700 / ($0 + 1) + chance.next(below: 90)) }
            entry.burst.firstMicroseconds = 1_200
            entry.burst.lastMicroseconds = 580_000
            var inHand = entry.burst
            inHand.counts = (0..<14).map { UInt32(60 + 10 * $0 + chance.next(below: 40)) }
            inHand.firstMicroseconds = 40_000
            inHand.lastMicroseconds = Int64(700_000 + chance.next(below: 200_000)) + (missing > 0 ? 600_000 : 0)
            entry.inHand = inHand
            return entry
        }
    }

    private static func series(like pattern: SeriesPoint, _ index: Int, using chance: inout Chance) -> SeriesPoint {
        var point = pattern
        point.startMilliseconds = Int64(index) * 4_000
        point.requests = UInt64(2_000 + chance.next(below: 700) + (index % 15 == 7 ? 4_000 : 0))
        point.errors = UInt64(index % 200 == 3 ? chance.next(below: 30) : 0)
        point.podRequests = index % 15 == 7 ? 4_000 : 0
        point.activeViewers = Int64(2_000 - chance.next(below: 20))
        point.latenessMaximumMicroseconds = Int64(900 * chance.factor())
        point.loopDelayMaximumMicroseconds = Int64(1_400 * chance.factor())
        point.cpuCores = 0.35 * chance.factor()
        point.residentBytes = 120_000_000 + Int64(chance.next(below: 3_000_000))
        point.openDescriptors = 2_040 + chance.next(below: 8)
        return point
    }

    private static func drift() -> [DriftResult] {
        let steady = kinds.map { "\($0.name).response.p50" } + ["breaks.on_time", "generator.open_descriptors"]
        return [
            DriftResult(
                series: "pod_manifest.response.p99",
                subject: .target,
                verdict: .creeping,
                unit: "us",
                windows: 94,
                slopePerHour: 14_600,
                slopeLowPerHour: 13_100,
                slopeHighPerHour: 16_200,
                pValue: 1e-12,
                minimumEffectPerHour: 1_000,
                median: 110_000,
                text: "pod_manifest.response.p99 grows by 14.6 ms per hour"
            )
        ]
            + steady.map {
                DriftResult(
                    series: $0,
                    subject: $0.hasPrefix("generator") ? .generator : .target,
                    verdict: .steady,
                    unit: $0.hasSuffix("p50") ? "us" : $0.hasSuffix("on_time") ? "percent" : "count",
                    windows: 94,
                    slopePerHour: 0.2,
                    slopeLowPerHour: -0.1,
                    slopeHighPerHour: 0.4,
                    pValue: 0.4,
                    minimumEffectPerHour: 100,
                    text: "\($0) is steady"
                )
            }
    }

    /// The same numbers on every machine.
    private struct Chance {
        private var state: UInt64

        init(seed: UInt64) {
            state = seed
        }

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }

        /// About 1, with a tail that reaches four times as far.
        mutating func factor() -> Double {
            let body = 0.7 + Double(next(below: 600)) / 1_000
            return next(below: 50) == 0 ? body * (1.5 + Double(next(below: 250)) / 100) : body
        }
    }
}
