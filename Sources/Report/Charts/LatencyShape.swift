import Recording
import Results

/// A distribution for charts: ascending durations with their counts.
struct LatencyShape: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        var microseconds: Int64
        var count: UInt64
    }

    let steps: [Step]
    let count: UInt64

    init(steps: [Step]) {
        self.steps = steps
        count = steps.reduce(0) { $0 &+ $1.count }
    }

    /// Approximates the distribution from its percentiles if its histogram cannot be read.
    init(_ result: LatencyResult) {
        guard let distribution = try? result.decoded() else {
            self.init(steps: Self.steps(fromPercentiles: result))
            return
        }
        self.init(distribution)
    }

    init(_ distribution: SparseHistogram) {
        var steps: [Step] = []
        let layout = distribution.layout
        distribution.forEachBucket { index, count in
            // The maximum is exact; the rest as HdrHistogram's readers report it.
            let highest = min(Int64(clamping: layout.highestValue(in: index)), distribution.maximumMicroseconds)
            steps.append(Step(microseconds: highest, count: count))
        }
        self.init(steps: steps)
    }

    private static func steps(fromPercentiles result: LatencyResult) -> [Step] {
        let known: [(Double, Int64)] = [
            (0, result.minimumMicroseconds), (50, result.p50Microseconds), (90, result.p90Microseconds),
            (95, result.p95Microseconds), (99, result.p99Microseconds), (99.9, result.p999Microseconds),
            (100, result.maximumMicroseconds),
        ]
        var steps: [Step] = []
        var counted: UInt64 = 0
        for (percentile, value) in known {
            let upTo = UInt64(Clamped.count(Double(result.count) * percentile / 100))
            let count = min(max(upTo, 1), result.count)
            guard count > counted else { continue }
            steps.append(Step(microseconds: max(value, steps.last?.microseconds ?? 0), count: count - counted))
            counted = count
        }
        return steps
    }

    /// Durations at shares from 0 to 1 that are evenly spaced on an axis of nines; the last one is the maximum.
    func percentileCurve(pointsPerNine: Int = 24) -> [(share: Double, microseconds: Int64)] {
        guard count > 0, let longest = steps.last else { return [] }
        let nines = NinesScale(samples: count).nines
        let named = [0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.999_9, 0.999_99]
        let even = (0...Int(nines * Double(pointsPerNine))).map {
            1 - LogScale.power(10, -Double($0) / Double(pointsPerNine))
        }
        let wanted = (even + named.filter { 1 - $0 >= LogScale.power(10, -nines) * 0.999 }).sorted()
        var curve: [(share: Double, microseconds: Int64)] = []
        var seen: UInt64 = 0
        var next = wanted[...]
        for step in steps {
            seen &+= step.count
            let share = Double(seen) / Double(count)
            while let target = next.first, share >= target - 1e-12 {
                curve.append((target, step.microseconds))
                next = next.dropFirst()
            }
        }
        curve.append((1, longest.microseconds))
        return curve
    }
}
