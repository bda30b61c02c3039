import Results

/// Quantity of a series of windows: its unit, its worse direction, and its least relevant change.
///
/// The least change applies to the whole run, so that one rule fits twenty minutes and a night. It is a share of the series'
/// median, as in `compare`, with an absolute floor, because a tenth of very little is nothing. The shares of latencies exceed
/// two buckets of a window's histogram, which are 1 % wide at most.
struct DriftQuantity: Equatable, Sendable {
    enum Unit: String, Sendable {
        case microseconds = "us"
        case percent
        case bytes
        case count
    }

    var unit: Unit
    var subject: DriftResult.Subject
    var higherIsWorse = true
    /// Share of the median's magnitude; zero if only the floor counts.
    var leastShare: Double
    var leastChange: Double

    static let medianResponse = DriftQuantity(
        unit: .microseconds,
        subject: .target,
        leastShare: 0.05,
        leastChange: 1_000
    )
    static let tailResponse = DriftQuantity(
        unit: .microseconds,
        subject: .target,
        leastShare: 0.1,
        leastChange: 1_000
    )
    /// Percentage points of requests.
    static let errors = DriftQuantity(unit: .percent, subject: .target, leastShare: 0, leastChange: 0.1)
    /// Percentage points of viewers due, or of the requested time.
    static let fill = DriftQuantity(
        unit: .percent,
        subject: .target,
        higherIsWorse: false,
        leastShare: 0,
        leastChange: 0.5
    )
    /// The age of the live edge swings by a segment with the phase of the polls.
    static let freshness = DriftQuantity(
        unit: .microseconds,
        subject: .target,
        leastShare: 0.05,
        leastChange: 100_000
    )
    static let findings = DriftQuantity(unit: .count, subject: .target, leastShare: 0, leastChange: 1)
    static let memory = DriftQuantity(
        unit: .bytes,
        subject: .generator,
        leastShare: 0.05,
        leastChange: 4 * 1_048_576
    )
    static let descriptors = DriftQuantity(unit: .count, subject: .generator, leastShare: 0.05, leastChange: 16)
    static let lateness = DriftQuantity(
        unit: .microseconds,
        subject: .generator,
        leastShare: 0.1,
        leastChange: 1_000
    )
    /// The longest delay of a window is an extreme, which swings more than any percentile.
    static let loopDelay = DriftQuantity(
        unit: .microseconds,
        subject: .generator,
        leastShare: 0.5,
        leastChange: 5_000
    )

    func leastEffect(median: Double) -> Double {
        max(leastChange, leastShare * median.magnitude)
    }
}
