/// Viewers present in each second.
struct PresenceCount {
    private(set) var viewers: [Int]
    private var joins: [Int]
    private let start: Int

    /// `start` is the zero of the seconds, in milliseconds.
    init(start: Int, seconds: Int) {
        self.start = start
        viewers = Array(repeating: 0, count: seconds + 2)
        joins = viewers
    }

    /// Milliseconds; excludes `last`.
    mutating func add(first: Int, last: Int, joins isJoin: Bool) {
        let from = second(first)
        viewers[from] += 1
        viewers[max(from, second(last))] -= 1
        if isJoin { joins[from] += 1 }
    }

    /// At or after an instant.
    private func second(_ instant: Int) -> Int { max(0, min((instant - start + 999) / 1000, viewers.count - 1)) }

    mutating func finish() {
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

struct StayLengths {
    /// Keyed by length in whole seconds.
    private var ended: [Int: Int] = [:]
    private var cut: [Int: Int] = [:]
    var underWay = 0

    mutating func add(milliseconds: Int, isCutOff: Bool) {
        let second = max(0, milliseconds) / 1000
        if isCutOff { cut[second, default: 0] += 1 } else { ended[second, default: 0] += 1 }
    }

    func figures(weight: Int) -> AudienceFigures.Stays {
        let (whole, cutOff) = (ended.values.reduce(0, +), cut.values.reduce(0, +))
        var figures = AudienceFigures.Stays(whole: whole * weight, cutOff: cutOff * weight, underWay: underWay * weight)
        var wanted: ArraySlice = [0.1, 0.25, 0.5, 0.75, 0.9]
        var (left, watching) = (1.0, whole + cutOff)
        for second in Set(ended.keys).union(cut.keys).sorted() {
            let gone = ended[second] ?? 0
            left *= 1 - Double(gone) / Double(watching)
            while let share = wanted.first, 1 - left >= share {
                figures.secondsByShareLeft.append(AudienceFigures.Percentile(share: share, value: Double(second)))
                wanted.removeFirst()
            }
            watching -= gone + (cut[second] ?? 0)
        }
        return figures
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
