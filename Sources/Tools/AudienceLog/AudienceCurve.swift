/// Viewers present in each second.
struct PresenceCount {
    /// Without the second of `last`.
    typealias Span = (first: Int, last: Int, joins: Bool)

    private(set) var viewers: [Int]
    private var joins: [Int]

    /// In milliseconds; `start` is the zero of the seconds.
    init(_ spans: [Span], start: Int, seconds: Int) {
        viewers = Array(repeating: 0, count: seconds + 2)
        joins = viewers
        func second(atOrAfter instant: Int) -> Int { max(0, min((instant - start + 999) / 1000, seconds + 1)) }
        for span in spans {
            let from = second(atOrAfter: span.first)
            viewers[from] += 1
            viewers[max(from, second(atOrAfter: span.last))] -= 1
            if span.joins { joins[from] += 1 }
        }
        for second in viewers.indices.dropFirst() { viewers[second] += viewers[second - 1] }
        // The extra element only holds ends of stays.
        viewers.removeLast()
    }

    /// Share of the audience that is replaced in a minute; `rises` are joins by which the audience grows after its first
    /// second.
    func churnPerMinute(besides rises: Int) -> Double {
        let joined = joins.dropFirst().reduce(0, +)
        let viewerSeconds = viewers.reduce(0, +)
        return viewerSeconds > 0 ? Double(max(0, joined - rises)) * 60 / Double(viewerSeconds) : 0
    }

    /// The last minute may be shorter.
    var joinsPerMinuteAtMost: Int {
        stride(from: 0, to: joins.count, by: 60).map { joins[$0...].prefix(60).reduce(0, +) }.max() ?? 0
    }
}

extension AudienceFigures.Stays {
    /// `lengths` are those of stays that began in the log.
    init(_ lengths: [(seconds: Int, isCutOff: Bool)], underWay: Int, weight: Int) {
        let cut = lengths.count { $0.isCutOff }
        self.init(whole: (lengths.count - cut) * weight, cutOff: cut * weight, underWay: underWay * weight)
        var wanted: ArraySlice = [0.1, 0.25, 0.5, 0.75, 0.9]
        var (left, watching) = (1.0, lengths.count)
        for (second, stays) in Dictionary(grouping: lengths, by: { $0.seconds }).sorted(by: { $0.key < $1.key }) {
            left *= 1 - Double(stays.count { !$0.isCutOff }) / Double(watching)
            while let share = wanted.first, 1 - left >= share {
                secondsByShareLeft.append(AudienceFigures.Percentile(share: share, value: Double(second)))
                wanted.removeFirst()
            }
            watching -= stays.count
        }
    }
}

/// Each line reaches as far as it can: a cone of slopes from its first point narrows with each further point.
struct CurveReduction {
    private static let mostPoints = 120
    private static let mostSamples = 20_000
    /// Share of the peak.
    private static let leastTolerance = 0.005

    let points: [AudienceFigures.Point]
    /// Greatest distance of a value from the lines.
    let error: Int

    init(_ values: [Int]) {
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
    private static func reduced(_ values: [Int], _ peak: Int, _ tolerance: Double) -> [(Int, Double)] {
        guard !values.isEmpty else { return [] }
        return reduced(samples(values, 0...peak), tolerance)
            + reduced(samples(values, peak...values.count - 1), tolerance).dropFirst()
    }

    /// Keeps reductions of long ranges fast; both ends stay.
    private static func samples(_ values: [Int], _ range: ClosedRange<Int>) -> [(Int, Double)] {
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

    private static func error(of points: [AudienceFigures.Point], _ values: [Int]) -> Int {
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
