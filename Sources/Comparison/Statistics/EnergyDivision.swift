import Values

/// Change points of a series by hierarchical division (E-divisive), reproducible by seed.
///
/// Each step keeps the split with the largest energy distance if a permutation test is significant. A stretch may end before
/// its segment does, so that a rise that is taken back later is found too.
///
/// Source: Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", Journal of
/// the American Statistical Association 109, 2014, with α = 1.
struct EnergyDivision {
    struct ChangePoint: Equatable {
        /// The first value after the change.
        var index: Int
        var pValue: Double
    }

    static let shortestSegment = 3

    var level = 0.01
    var permutations = 499
    var seed: UInt64 = 1

    private struct Split {
        var index: Int
        var distance: Double
    }

    /// The cost grows with the square of the count.
    func changePoints(of values: [Double]) -> [ChangePoint] {
        var generator = SplitMix64(seed: seed)
        var bounds = [0, values.count]
        var found: [ChangePoint] = []
        while let best = Self.furthest(values, bounds) {
            let pValue = probability(of: best, values, bounds, &generator)
            guard pValue <= level else { break }
            found.append(ChangePoint(index: best.index, pValue: pValue))
            bounds = (bounds + [best.index]).sorted()
        }
        return found.sorted { $0.index < $1.index }
    }

    /// Share of permutations with a split at least as far; ends early once it is certain to be above the level.
    private func probability(
        of split: Split,
        _ values: [Double],
        _ bounds: [Int],
        _ generator: inout SplitMix64
    ) -> Double {
        var asFar = 0
        for _ in 0..<permutations {
            var shuffled = values
            for (start, end) in zip(bounds, bounds.dropFirst()) { shuffled[start..<end].shuffle(using: &generator) }
            // A sum in another order differs in its last digits.
            if let other = Self.furthest(shuffled, bounds), other.distance >= split.distance * (1 - 1e-9) { asFar += 1 }
            if Double(asFar + 1) / Double(permutations + 1) > level { break }
        }
        return Double(asFar + 1) / Double(permutations + 1)
    }

    private static func furthest(_ values: [Double], _ bounds: [Int]) -> Split? {
        zip(bounds, bounds.dropFirst()).compactMap { split(values, from: $0, to: $1) }
            .max { $0.distance < $1.distance }
    }

    /// Nil if the segment is too short or all its values are equal.
    private static func split(_ values: [Double], from start: Int, to end: Int) -> Split? {
        let count = end - start
        guard count >= 2 * shortestSegment else { return nil }
        let sums = DistanceSums(values[start..<end])
        var best: Split?
        for index in shortestSegment...(count - shortestSegment) {
            for stop in (index + shortestSegment)...count {
                let distance = sums.energyDistance(splittingAt: index, upTo: stop)
                if distance > best?.distance ?? 0 { best = Split(index: start + index, distance: distance) }
            }
        }
        return best
    }
}

/// Summed-area table of distances.
private struct DistanceSums {
    private var sums: [Double]
    private let width: Int

    init(_ values: ArraySlice<Double>) {
        let values = Array(values)
        width = values.count + 1
        sums = [Double](repeating: 0, count: width * width)
        for row in values.indices {
            var inRow = 0.0
            for column in values.indices {
                inRow += (values[row] - values[column]).magnitude
                sums[(row + 1) * width + column + 1] = sums[row * width + column + 1] + inRow
            }
        }
    }

    private func sum(_ rows: Range<Int>, _ columns: Range<Int>) -> Double {
        sums[rows.upperBound * width + columns.upperBound] - sums[rows.lowerBound * width + columns.upperBound]
            - sums[rows.upperBound * width + columns.lowerBound] + sums[rows.lowerBound * width + columns.lowerBound]
    }

    /// Scaled by mn / (m + n), so that splits of different lengths are comparable.
    func energyDistance(splittingAt index: Int, upTo end: Int) -> Double {
        let (before, after) = (Double(index), Double(end - index))
        let between = 2 * sum(0..<index, index..<end) / (before * after)
        let withinBefore = sum(0..<index, 0..<index) / (before * (before - 1))
        let withinAfter = sum(index..<end, index..<end) / (after * (after - 1))
        return before * after / (before + after) * (between - withinBefore - withinAfter)
    }
}
