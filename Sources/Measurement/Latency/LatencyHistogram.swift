internal import Histogram

/// One distribution of durations in microseconds that can be recorded into in place.
///
/// Holds 0 µs to 1 hour at 3 significant digits. What lies outside is counted apart, never clamped into the
/// distribution (mountpoint-s3 #1853 lost its true peaks that way), and minimum, maximum and sum stay exact. Its 92 KiB of
/// counts are taken with the first duration: most runs use few of all kinds of requests.
package struct LatencyHistogram<Count: FixedWidthInteger & Codable & Sendable>: BucketedDurations {
    package var layout: HistogramLayout { .threeDigits }

    private var distribution: Histogram<Count>?
    /// Whether there is a distribution: comparing it with nil would copy it at each duration.
    private var isBegun = false
    package private(set) var sumMicroseconds: Int64 = 0
    /// Durations above one hour.
    package private(set) var aboveRange: UInt64 = 0
    /// Negative durations: two clock readings in the wrong order.
    package private(set) var belowZero: UInt64 = 0

    package init() {}

    @inline(never)
    private mutating func begin() {
        isBegun = true
        distribution = Histogram(
            lowestDiscernibleValue: 1,
            highestTrackableValue: UInt64(Self.highestMicroseconds),
            numberOfSignificantValueDigits: .three
        )
    }

    /// The number of durations inside the range.
    package var count: UInt64 { distribution?.totalCount ?? 0 }

    /// The smallest duration, exact; 0 where nothing was recorded.
    package var minimumMicroseconds: Int64 { distribution.map { Int64(clamping: $0.min) } ?? 0 }

    /// The largest duration, exact; 0 where nothing was recorded.
    package var maximumMicroseconds: Int64 { distribution.map { Int64(clamping: $0.maxRecorded) } ?? 0 }

    package var outOfRange: UInt64 { aboveRange &+ belowZero }

    /// Counts one duration.
    ///
    /// - Parameter microseconds: Any value; one outside the range is counted apart.
    @inline(__always)
    package mutating func record(_ microseconds: Int64) {
        guard microseconds >= 0, microseconds <= Self.highestMicroseconds else {
            recordOutside(microseconds)
            return
        }
        if !isBegun { begin() }
        distribution?.record(UInt64(truncatingIfNeeded: microseconds))
        sumMicroseconds &+= microseconds
    }

    package func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void) {
        guard let distribution else { return }
        for step in distribution.recordedValues() {
            visit(layout.index(of: step.value), UInt64(truncatingIfNeeded: step.count))
        }
    }

    @inline(never)
    private mutating func recordOutside(_ microseconds: Int64) {
        if microseconds < 0 { belowZero &+= 1 } else { aboveRange &+= 1 }
    }
}

extension LatencyHistogram {
    /// Forgets everything and keeps its memory.
    mutating func clear() {
        if count > 0 { distribution?.reset() }
        sumMicroseconds = 0
        aboveRange = 0
        belowZero = 0
    }
}

extension LatencyHistogram where Count == UInt64 {
    /// Adds the distribution of an interval; the order of additions does not matter.
    mutating func add(_ other: SparseHistogram) {
        aboveRange &+= other.aboveRange
        belowZero &+= other.belowZero
        guard other.count > 0 else { return }
        let sum = sumMicroseconds.addingReportingOverflow(other.sumMicroseconds)
        // A sum beyond 70,000 years comes from a damaged file; the package would trap on it.
        guard !sum.overflow, sum.partialValue < .max / 4 else {
            aboveRange &+= other.count
            return
        }
        sumMicroseconds = sum.partialValue
        let lowest = UInt64(clamping: other.minimumMicroseconds)
        if !isBegun { begin() }
        other.forEachBucket { index, count in
            distribution?.record(max(lowest, other.layout.lowestValue(in: index)), count: count)
        }
        // A count of nothing still tells the package the exact maximum.
        distribution?.record(UInt64(clamping: other.maximumMicroseconds), count: 0)
    }

    /// Adds how the news of a break spread, to 10 ms; the order of additions does not matter.
    mutating func add(_ window: DiscoveryWindow) {
        guard window.viewers > 0 else { return }
        if !isBegun { begin() }
        window.forEachStep { microseconds, viewers in
            let sum = microseconds.multipliedReportingOverflow(by: Int64(clamping: viewers))
            guard microseconds <= Self.highestMicroseconds, !sum.overflow else {
                aboveRange &+= viewers
                return
            }
            distribution?.record(UInt64(clamping: microseconds), count: viewers)
            sumMicroseconds &+= sum.partialValue
        }
        aboveRange &+= window.later
    }

    /// Adds what a loop recorded; the order of additions does not matter.
    mutating func add<Other>(_ other: LatencyHistogram<Other>) {
        if other.count > 0 {
            let lowest = UInt64(clamping: other.minimumMicroseconds)
            let layout = other.layout
            if !isBegun { begin() }
            other.forEachBucket { index, count in
                distribution?.record(max(lowest, layout.lowestValue(in: index)), count: count)
            }
            // A count of nothing still tells the package the exact maximum.
            distribution?.record(UInt64(clamping: other.maximumMicroseconds), count: 0)
        }
        sumMicroseconds &+= other.sumMicroseconds
        aboveRange &+= other.aboveRange
        belowZero &+= other.belowZero
    }
}
