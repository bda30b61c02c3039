/// Reduces a curve to few points, between which straight lines stay within a tolerance.
///
/// Each line reaches as far as it can: a cone of slopes from its first point narrows with each further point.
struct CurveReduction {
    private static let mostPoints = 120
    private static let mostSamples = 20_000
    /// Share of the peak.
    private static let leastTolerance = 0.005

    let points: [AudienceFigures.Point]
    /// Greatest distance of a value from the lines.
    let error: Int

    init(_ values: [Int32]) {
        let most = Double(values.max() ?? 0)
        let peak = values.firstIndex { Double($0) == most } ?? 0
        var tolerance = max(0.5, most * Self.leastTolerance)
        var kept = Self.reduced(values, peak, tolerance)
        while kept.count > Self.mostPoints {
            tolerance *= 1.5
            kept = Self.reduced(values, peak, tolerance)
        }
        points = kept.map { AudienceFigures.Point(at: $0.0, viewers: Int($0.1)) }
        error = Self.error(of: points, values)
    }

    /// Keeps the peak exactly, because a profile's curve must reach all of its viewers.
    private static func reduced(_ values: [Int32], _ peak: Int, _ tolerance: Double) -> [(Int, Double)] {
        guard !values.isEmpty else { return [] }
        return reduced(samples(values, 0...peak), tolerance)
            + reduced(samples(values, peak...values.count - 1), tolerance).dropFirst()
    }

    /// Thins out a long range so that its reduction stays fast; both ends are kept.
    private static func samples(_ values: [Int32], _ range: ClosedRange<Int>) -> [(Int, Double)] {
        let step = max(1, range.count / mostSamples)
        var samples = stride(from: range.lowerBound, to: range.upperBound, by: step).map { ($0, Double(values[$0])) }
        samples.append((range.upperBound, Double(values[range.upperBound])))
        return samples
    }

    private static func reduced(_ samples: [(Int, Double)], _ tolerance: Double) -> [(Int, Double)] {
        guard var anchor = samples.first else { return [] }
        var kept = [anchor]
        var next = 1
        while next < samples.count {
            var (low, high) = (-Double.infinity, Double.infinity)
            var (good, index) = (next, next)
            while index < samples.count, low <= high {
                let run = Double(samples[index].0 - anchor.0)
                let rise = samples[index].1 - anchor.1
                if (low...high).contains(rise / run) { good = index }
                low = max(low, (rise - tolerance) / run)
                high = min(high, (rise + tolerance) / run)
                index += 1
            }
            anchor = samples[good]
            kept.append(anchor)
            next = good + 1
        }
        return kept
    }

    private static func error(of points: [AudienceFigures.Point], _ values: [Int32]) -> Int {
        var worst = 0.0
        for (left, right) in zip(points, points.dropFirst()) where right.at > left.at {
            let slope = Double(right.viewers - left.viewers) / Double(right.at - left.at)
            for second in left.at...right.at {
                let line = Double(left.viewers) + slope * Double(second - left.at)
                worst = max(worst, abs(line - Double(values[second])))
            }
        }
        return Int(worst.rounded(.up))
    }
}
