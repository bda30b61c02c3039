import TestSupport
import Testing

@testable import Results

/// Windows of a soak that has nothing wrong with it, to plant something in.
struct WindowSeries {
    var windows: [WindowResult]

    private static let template: LatencyResult? = {
        var histogram = DenseHistogram(digits: .two)
        histogram.record(1_000)
        return LatencyResult(histogram)
    }()

    static func latency(p50: Double, p99: Double, count: UInt64 = 20_000) throws -> LatencyResult {
        var latency = try #require(template)
        (latency.count, latency.p50Microseconds, latency.p99Microseconds) = (count, Int64(p50), Int64(p99))
        return latency
    }

    /// Twenty windows of a minute after a warm-up of two, as noisy as on a machine that has other things to do.
    init(count: Int = 20, minutes: Double = 1, using generator: inout SeededGenerator) throws {
        windows = []
        let length = Int64(minutes * 60_000)
        for index in -2..<count {
            let start = Int64(index + 2) * length
            var window = WindowResult(
                startMilliseconds: start,
                endMilliseconds: start + length,
                isWarmUp: index < 0,
                due: 2_000,
                activeViewers: 2_000,
                residentBytesMinimum: 120 * 1_048_576 + Int64(400_000 * generator.normal()),
                openDescriptorsMinimum: 2_040 + Int.random(in: 0..<4, using: &generator),
                loopDelayMaximumMicroseconds: Int64(3_000 * SeededGenerator.exponential(0.5 * generator.normal()))
            )
            for (kind, typical) in [("playlist", 900.0), ("pod_manifest", 52_000), ("registration", 4_000)] {
                window.requests[kind] = try Self.requests(typical, using: &generator)
            }
            window.onTime = 2_000 - UInt64.random(in: 0..<8, using: &generator)
            window.liveEdgeAge = try Self.latency(
                p50: 6_000_000 + 150_000 * generator.normal(),
                p99: 9_000_000 + 300_000 * generator.normal()
            )
            windows.append(window)
        }
        windows[windows.count - 1].isComplete = true
    }

    private static func requests(_ typical: Double, using generator: inout SeededGenerator) throws
        -> WindowResult.Requests
    {
        WindowResult.Requests(
            count: 20_000,
            errors: UInt64.random(in: 0..<4, using: &generator),
            lateness: try latency(p50: 60, p99: 700 * SeededGenerator.exponential(0.2 * generator.normal())),
            response: try latency(
                p50: typical * SeededGenerator.exponential(0.05 * generator.normal()),
                p99: 3 * typical * SeededGenerator.exponential(0.15 * generator.normal())
            )
        )
    }

    /// Multiplies the response times of a kind in each window after the warm-up, by the window's number from 0.
    mutating func scale(_ kind: String, by factor: (Int) -> Double) {
        for index in windows.indices where !windows[index].isWarmUp {
            let factor = factor(index - 2)
            for path in [\LatencyResult.p50Microseconds, \LatencyResult.p99Microseconds] {
                let value = windows[index].requests[kind]?.response?[keyPath: path] ?? 0
                windows[index].requests[kind]?.response?[keyPath: path] = Int64(Double(value) * factor)
            }
        }
    }
}
