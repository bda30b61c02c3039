import Histogram

/// One distribution of durations in microseconds that a loop records into in place.
///
/// Holds 0 µs to 1 hour at 3 significant digits. What lies outside is counted apart, never clamped into the
/// distribution (mountpoint-s3 #1853 lost its true peaks that way), and minimum, maximum and sum stay exact. Its 92 KiB of
/// counts are taken when first needed: most runs use few of all kinds of requests.
package struct LatencyHistogram: BucketedDurations {
    package var layout: HistogramLayout { .threeDigits }

    private var distribution: Histogram<UInt32>?
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
        takeEmpty()
    }

    private mutating func takeEmpty() {
        distribution = Self.empty
        // Makes the copy now, and not at the first duration.
        distribution?.record(0, count: 0)
    }

    private static let empty = Histogram<UInt32>(
        lowestDiscernibleValue: 1,
        highestTrackableValue: UInt64(highestMicroseconds),
        numberOfSignificantValueDigits: .three
    )

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
    /// Forgets everything, and has memory for its counts as before.
    mutating func clear() {
        // A copy of an empty one costs a hundredth of what the library's own reset does.
        if count > 0 { takeEmpty() }
        sumMicroseconds = 0
        aboveRange = 0
        belowZero = 0
    }

    /// Takes the memory for its counts where the other has it already.
    mutating func begin(like other: LatencyHistogram) {
        if other.isBegun, !isBegun { begin() }
    }
}
