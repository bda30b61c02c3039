package import Recording

/// A distribution reduced to the buckets of a Prometheus histogram.
package struct PrometheusHistogram: Equatable, Sendable {
    /// Upper bounds in microseconds: 500 µs to one minute.
    ///
    /// Equal for every run and kind, so that histograms of shards and nights add up.
    package static let boundsMicroseconds: [Int64] = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000, 30_000_000, 60_000_000,
    ]

    /// Durations up to each bound.
    ///
    /// A bound includes the whole HdrHistogram bucket it falls in, as HdrHistogram's own `getCountAtOrBelowValue` does: exact
    /// up to 2 ms, at most 0.1 % above the bound beyond.
    package let cumulativeCounts: [UInt64]
    package let count: UInt64
    package let sumMicroseconds: Int64

    package init(_ durations: some BucketedDurations) {
        let bounds = Self.boundsMicroseconds
        var counts = [UInt64](repeating: 0, count: bounds.count)
        var bound = 0
        if durations.count > 0 {
            durations.forEachBucket { bucket, inBucket in
                let lowest = Int64(clamping: durations.layout.lowestValue(in: bucket))
                while bound < bounds.count, lowest > bounds[bound] { bound += 1 }
                if bound < bounds.count { counts[bound] &+= inBucket }
            }
        }
        var sum: UInt64 = 0
        cumulativeCounts = counts.map {
            sum &+= $0
            return sum
        }
        count = durations.count
        sumMicroseconds = durations.sumMicroseconds
    }

    func samples(_ labels: [(name: String, value: String)]) -> [PrometheusText.Sample] {
        let buckets = zip(Self.boundsMicroseconds, cumulativeCounts).map { bound, count in
            PrometheusText.Sample(
                suffix: "_bucket",
                labels: labels + [("le", PrometheusText.Value.seconds(bound).text)],
                value: .count(count)
            )
        }
        return buckets + [
            .init(suffix: "_bucket", labels: labels + [("le", "+Inf")], value: .count(count)),
            .init(suffix: "_sum", labels: labels, value: .seconds(sumMicroseconds)),
            .init(suffix: "_count", labels: labels, value: .count(count)),
        ]
    }
}
