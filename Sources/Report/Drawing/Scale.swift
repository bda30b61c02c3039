/// Where a value lies on an axis: 0 at its beginning, 1 at its end.
protocol Scale: Sendable {
    /// The place of a value; values outside the axis are put on its nearer end.
    func fraction(of value: Double) -> Double
}

/// Equal differences take equal room.
struct LinearScale: Scale, Equatable {
    let lowest: Double
    let highest: Double

    /// An axis from one value to another; an empty or impossible one becomes one unit long.
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

/// Equal ratios take equal room; what is not above zero lies at the beginning.
struct LogScale: Scale, Equatable {
    let lowest: Double
    let highest: Double

    /// An axis from one positive value to another; an empty or impossible one becomes a decade long.
    init(_ lowest: Double, _ highest: Double) {
        self.lowest = lowest.isFinite && lowest > 0 ? lowest : 1
        self.highest = highest.isFinite && highest > self.lowest ? highest : self.lowest * 10
    }

    func fraction(of value: Double) -> Double {
        guard value > lowest else { return 0 }
        guard value < highest else { return 1 }
        return Self.log(value / lowest) / Self.log(highest / lowest)
    }

    /// The value at a place.
    func value(at fraction: Double) -> Double {
        lowest * Self.power(highest / lowest, fraction)
    }
}

/// Percentiles by their distance from 100 %, as HdrHistogram draws them: each further nine takes equal room.
struct NinesScale: Scale, Equatable {
    /// The number of nines at the end, for example 3 for 99.9 %.
    let nines: Double

    /// An axis that ends at the last percentile that this many samples tell apart.
    init(samples: UInt64) {
        nines = min(max(LogScale.log10(Double(max(samples, 10))), 1), 7)
    }

    /// The place of a percentile.
    func fraction(of value: Double) -> Double {
        guard value < 1 else { return 1 }
        return min(max(-LogScale.log10(1 - max(value, 0)) / nines, 0), 1)
    }
}
