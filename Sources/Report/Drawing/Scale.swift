/// Maps values to an axis: 0 at its beginning, 1 at its end.
protocol Scale: Sendable {
    /// Values outside the axis are clamped to the nearer end.
    func fraction(of value: Double) -> Double
}

struct LinearScale: Scale, Equatable {
    let lowest: Double
    let highest: Double

    /// An empty or invalid axis becomes one unit long.
    init(_ lowest: Double, _ highest: Double) {
        let isUsable = lowest.isFinite && highest.isFinite && lowest < highest
        self.lowest = lowest.isFinite ? lowest : 0
        self.highest = isUsable ? highest : self.lowest + max(1, abs(self.lowest) / 1_000_000)
    }

    func fraction(of value: Double) -> Double {
        guard value.isFinite else { return value == .infinity ? 1 : 0 }
        // Halved, because the difference of two finite numbers need not be finite.
        return min(max((value / 2 - lowest / 2) / (highest / 2 - lowest / 2), 0), 1)
    }
}

/// A logarithmic axis; values up to zero lie at the beginning.
struct LogScale: Scale, Equatable {
    let lowest: Double
    let highest: Double

    /// An empty or invalid axis becomes a decade long.
    init(_ lowest: Double, _ highest: Double) {
        self.lowest = lowest.isFinite && lowest > 0 ? lowest : 1
        self.highest = highest.isFinite && highest > self.lowest ? highest : self.lowest * 10
    }

    func fraction(of value: Double) -> Double {
        guard value > lowest else { return 0 }
        guard value < highest else { return 1 }
        return Self.log(value / lowest) / Self.log(highest / lowest)
    }

    func value(at fraction: Double) -> Double {
        lowest * Self.power(highest / lowest, fraction)
    }
}

/// Percentiles by their distance from 100 %, as in HdrHistogram's plots: each further nine has equal width.
struct NinesScale: Scale, Equatable {
    /// The number of nines at the end, for example 3 for 99.9 %.
    let nines: Double

    /// An axis up to the last percentile that this many samples distinguish.
    init(samples: UInt64) {
        nines = min(max(LogScale.log10(Double(max(samples, 10))), 1), 7)
    }

    func fraction(of value: Double) -> Double {
        guard value < 1 else { return 1 }
        return min(max(-LogScale.log10(1 - max(value, 0)) / nines, 0), 1)
    }
}
