import Histogram

/// Recorded in place by a loop.
///
/// Durations outside the range are never clamped into the distribution (mountpoint-s3 #1853 lost its true peaks that way). Its
/// 92 KiB of counts are allocated on first use.
package struct LatencyHistogram: BucketedDurations {
    package var layout: HistogramLayout { .threeDigits }

    private var distribution: Histogram<UInt32>?
    /// Comparing the distribution with nil would copy it for each duration.
    private var isBegun = false
    package private(set) var sumMicroseconds: Int64 = 0
    package private(set) var aboveRange: UInt64 = 0
    /// Two clock readings in the wrong order.
    package private(set) var belowZero: UInt64 = 0

    package init() {}

    @inline(never)
    private mutating func begin() {
        isBegun = true
        takeEmpty()
    }

    private mutating func takeEmpty() {
        distribution = Self.empty
        // Forces the copy now instead of at the first duration.
        distribution?.record(0, count: 0)
    }

    private static let empty = Histogram<UInt32>(
        lowestDiscernibleValue: 1,
        highestTrackableValue: UInt64(highestMicroseconds),
        numberOfSignificantValueDigits: .three
    )

    package var count: UInt64 { distribution?.totalCount ?? 0 }

    package var minimumMicroseconds: Int64 { distribution.map { Int64(clamping: $0.min) } ?? 0 }

    package var maximumMicroseconds: Int64 { distribution.map { Int64(clamping: $0.maxRecorded) } ?? 0 }

    package var outOfRange: UInt64 { aboveRange &+ belowZero }

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
    /// Keeps memory for the counts.
    mutating func clear() {
        // Copying an empty distribution costs a hundredth of the library's own reset.
        if count > 0 { takeEmpty() }
        sumMicroseconds = 0
        aboveRange = 0
        belowZero = 0
    }

    mutating func begin(like other: LatencyHistogram) { if other.isBegun, !isBegun { begin() } }
}
