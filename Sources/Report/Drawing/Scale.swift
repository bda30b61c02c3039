import Foundation
import Rules

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
        // The difference of two finite numbers need not be finite.
        return min(max((value / 2 - lowest / 2) / (highest / 2 - lowest / 2), 0), 1)
    }
}

/// Values up to zero lie at the beginning.
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

    func value(at fraction: Double) -> Double { lowest * Self.power(highest / lowest, fraction) }
}

/// As in HdrHistogram's plots: each further nine has equal width.
struct NinesScale: Scale, Equatable {
    /// For example 3 for 99.9 %.
    let nines: Double

    /// Ends at the last percentile that this many samples distinguish.
    init(samples: UInt64) { nines = min(max(LogScale.log10(Double(max(samples, 10))), 1), 7) }

    func fraction(of value: Double) -> Double {
        guard value < 1 else { return 1 }
        return min(max(-LogScale.log10(1 - max(value, 0)) / nines, 0), 1)
    }
}

extension LogScale {
    static func log(_ value: Double) -> Double { Foundation.log(value) }

    static func log10(_ value: Double) -> Double { Foundation.log10(value) }

    static func power(_ base: Double, _ exponent: Double) -> Double { Foundation.pow(base, exponent) }
}

struct Tick: Equatable, Sendable {
    /// From 0 to 1.
    var fraction: Double
    var label: String
}

enum Ticks {
    static func values(from lowest: Double, to highest: Double, atMost count: Int) -> [Double] {
        guard lowest.isFinite, highest.isFinite, lowest < highest else { return [] }
        let rough = (highest - lowest) / Double(max(count, 2) - 1)
        let power = LogScale.power(10, LogScale.log10(rough).rounded(.down))
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999_999 } ?? 10 * power
        return multiples(of: step, from: lowest, to: highest)
    }

    static func values(on scale: LinearScale, atMost count: Int, _ label: (Double) -> String) -> [Tick] {
        values(from: scale.lowest, to: scale.highest, atMost: count).map {
            Tick(fraction: scale.fraction(of: $0), label: label($0))
        }
    }

    static func elapsed(seconds: Double, atMost count: Int = 7) -> [Tick] {
        guard seconds.isFinite, seconds > 0 else { return [] }
        let steps: [Double] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
        ]
        let rough = seconds / Double(max(count, 2))
        let step = steps.first { $0 >= rough } ?? (rough / 86_400).rounded(.up) * 86_400
        return multiples(of: step, from: 0, to: seconds).map {
            Tick(fraction: $0 / seconds, label: TickText.elapsed($0, of: seconds))
        }
    }

    /// Decades, and their 2 and 5 on a short axis.
    static func durations(on scale: LogScale) -> [Tick] {
        roundValues(on: scale).map {
            Tick(fraction: scale.fraction(of: $0), label: TickText.duration(microseconds: $0))
        }
    }

    static func counts(on scale: LogScale) -> [Tick] {
        let isNarrow = scale.highest < scale.lowest * 4
        let shown =
            isNarrow
            ? values(from: scale.lowest, to: scale.highest, atMost: 6)
            : roundValues(on: scale, factors: scale.highest < scale.lowest * 30 ? [1, 1.5, 2, 3, 5, 7] : nil)
        return shown.map { Tick(fraction: scale.fraction(of: $0), label: TickText.count($0)) }
    }

    private static func roundValues(on scale: LogScale, factors wanted: [Double]? = nil) -> [Double] {
        let decades = LogScale.log10(scale.highest / scale.lowest)
        let factors: [Double] = wanted ?? (decades < 1.3 ? [1, 2, 5] : decades < 2.6 ? [1, 3] : [1])
        var values: [Double] = []
        var power = LogScale.power(10, LogScale.log10(scale.lowest).rounded(.down))
        while power <= scale.highest, values.count < 64 {
            values += factors.map { $0 * power }
            power *= 10
        }
        return values.filter { $0 >= scale.lowest * 0.999 && $0 <= scale.highest * 1.001 }
    }

    static func percentiles(on scale: NinesScale) -> [Tick] {
        let all: [(Double, String)] = [
            (0, "0"), (0.5, "50%"), (0.9, "90%"), (0.99, "99%"), (0.999, "99.9%"), (0.999_9, "99.99%"),
            (0.999_99, "99.999%"), (0.999_999, "99.9999%"),
        ]
        // On a long axis the mark of the median is too near the beginning for both.
        let shown = scale.nines > 4.5 ? all.dropFirst() : all[...]
        return shown.filter { LogScale.log10(1 / (1 - $0.0)) <= scale.nines + 0.001 }.map {
            Tick(fraction: scale.fraction(of: $0.0), label: $0.1)
        }
    }

    private static func multiples(of step: Double, from lowest: Double, to highest: Double) -> [Double] {
        let first = (lowest / step - 1e-6).rounded(.up)
        let last = (highest / step + 1e-6).rounded(.down)
        guard step > 0, first <= last, last - first < 1_000 else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step + 0 }
    }
}

enum TickText {
    /// For example `40 s`, `1:30`, `2:15 h`.
    static func elapsed(_ seconds: Double, of length: Double) -> String {
        let whole = Clamped.count(seconds)
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        if length < 90 { return "\(whole) s" }
        if length < 5_400 { return "\(whole / 60):\(two(whole % 60))" }
        if whole % 3_600 == 0 { return "\(whole / 3_600) h" }
        return "\(whole / 3_600):\(two(whole / 60 % 60)) h"
    }

    /// For example `50 µs`, `2.5 s`.
    static func duration(microseconds: Double) -> String {
        switch abs(microseconds) {
        case 0: "0"
        case ..<1_000: MetricText.number(microseconds) + " µs"
        case ..<1_000_000: MetricText.number(microseconds / 1_000) + " ms"
        default: MetricText.number(microseconds / 1_000_000) + " s"
        }
    }

    static func count(_ value: Double) -> String {
        switch abs(value) {
        case ..<10_000: MetricText.number(value)
        case ..<1_000_000: MetricText.number(value / 1_000) + " k"
        default: MetricText.number(value / 1_000_000) + " M"
        }
    }

    static func bytes(_ value: Double) -> String {
        switch abs(value) {
        case ..<1_000: MetricText.number(value) + " B"
        case ..<1_000_000: MetricText.rounded(value / 1_000, places: 0) + " kB"
        case ..<1_000_000_000: MetricText.rounded(value / 1_000_000, places: 0) + " MB"
        default: MetricText.rounded(value / 1_000_000_000, places: 1) + " GB"
        }
    }
}
