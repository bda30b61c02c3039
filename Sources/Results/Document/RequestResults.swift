package import Recording
import Rules

/// Figures of one request kind: counts, outcomes by code, and distributions by metric name.
package struct RequestResult: Equatable, Codable, Sendable {
    package var count: UInt64
    package var errors: UInt64
    package var errorPercent: Double
    package var outcomes: [String: UInt64]
    package var bodyBytes: UInt64
    package var newConnections: UInt64
    /// Sent requests by carrier name; nil in results of versions with one carrier.
    package var carried: [String: UInt64]?
    /// Requests sent again on another connection; nil in results of earlier versions.
    package var repeated: UInt64?
    /// Answers whose end is by podswarm's clock, because the kernel has not stamped it; nil in results of versions without
    /// stamps, where it applies to all answers.
    package var unstamped: UInt64?
    /// Answers larger than the socket's receive buffer, whose end waited for podswarm to read; nil as above.
    package var outgrewBuffer: UInt64?
    package var latencies: [String: LatencyResult]

    init(totals: RunTotals, kind: RequestKind) {
        count = totals.requestCount(of: kind)
        errors = totals.errorCount(of: kind)
        errorPercent = count == 0 ? 0 : Double(errors) * 100 / Double(count)
        outcomes = totals.requests.outcomesByCode(of: kind)
        bodyBytes = totals.requests.bodyBytes(kind)
        newConnections = totals.requests.newConnections(kind)
        carried = Carrier.allCases.reduce(into: [:]) { $0[$1.name] = totals.requests.carried(kind, by: $1) }
        repeated = totals.requests.repeated(kind)
        unstamped = totals.requests.unstamped(kind)
        outgrewBuffer = totals.requests.outgrown(kind)
        latencies = LatencyMetric.allCases.reduce(into: [:]) { results, metric in
            results[metric.name] = LatencyResult(totals.latency(kind, metric))
        }
    }
}

/// One distribution: exact extremes and sum, percentiles, and the whole HdrHistogram.
package struct LatencyResult: Equatable, Codable, Sendable {
    /// Readable by every port of HdrHistogram.
    package struct Distribution: Equatable, Codable, Sendable {
        package var encoding: String
        package var data: String
        /// Lowest and highest value of the outermost buckets in use, as HdrHistogram's readers report them.
        package var minimumMicroseconds: Int64
        package var maximumMicroseconds: Int64
    }

    package var count: UInt64
    package var minimumMicroseconds: Int64
    package var maximumMicroseconds: Int64
    package var sumMicroseconds: Int64
    package var meanMicroseconds: Double
    package var p50Microseconds: Int64
    package var p90Microseconds: Int64
    package var p95Microseconds: Int64
    package var p99Microseconds: Int64
    package var p999Microseconds: Int64
    /// Durations above one hour or below zero; they are in no other figure here.
    package var outOfRange: UInt64
    package var histogram: Distribution

    package init?(_ histogram: some BucketedDurations) {
        let percentiles = histogram.microseconds(atPercentiles: [50, 90, 95, 99, 99.9]).compactMap(\.self)
        guard percentiles.count == 5, let mean = histogram.meanMicroseconds else { return nil }
        count = histogram.count
        minimumMicroseconds = histogram.minimumMicroseconds
        maximumMicroseconds = histogram.maximumMicroseconds
        sumMicroseconds = histogram.sumMicroseconds
        meanMicroseconds = mean
        p50Microseconds = percentiles[0]
        p90Microseconds = percentiles[1]
        p95Microseconds = percentiles[2]
        p99Microseconds = percentiles[3]
        p999Microseconds = percentiles[4]
        outOfRange = histogram.outOfRange
        let lowest = histogram.layout.index(of: UInt64(clamping: minimumMicroseconds))
        let highest = histogram.layout.index(of: UInt64(clamping: maximumMicroseconds))
        self.histogram = Distribution(
            encoding: HdrEncoding.name,
            data: HdrEncoding.base64(histogram),
            minimumMicroseconds: Int64(clamping: histogram.layout.lowestValue(in: lowest)),
            maximumMicroseconds: Int64(clamping: histogram.layout.highestValue(in: highest))
        )
    }
}
