import Glibc
import Results
import Values

/// Throughput by number of clients: Gunther's universal scalability law.
///
/// `X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))`: sigma is contention, kappa the cost of agreement between clients.
/// Source: Neil J. Gunther, "Guerrilla Capacity Planning", Springer 2007, chapters 4 to 6.
struct ScalabilityLaw {
    struct Point {
        var size: Double
        var rate: Double
    }

    /// Projections end at this multiple of the largest measured size.
    static let reach = 2.0
    /// Sizes that differ by a fifth or more.
    private static let leastSizes = 4
    /// Largest size over the smallest.
    private static let leastRatio = 4.0
    private static let resamples = 400

    /// Without its peak.
    let curve: LawResult
    let largest: Double
    private let alternatives: [LawResult]

    /// Fits by least squares on the logarithms of rates, without negative sigma or kappa; ignores points not above 0.
    ///
    /// Equal seeds give equal intervals.
    ///
    /// Nil unless points are spread: four at the low end missed a downturn that four spread ones found.
    init?(_ points: [Point], seed: UInt64) {
        let points = points.filter { $0.size > 0 && $0.rate > 0 && $0.size.isFinite && $0.rate.isFinite }
        let sizes = points.map(\.size).sorted()
        guard let first = sizes.first, let last = sizes.last, last >= Self.leastRatio * first,
            Self.spreadCount(sizes) >= Self.leastSizes
        else { return nil }
        largest = last
        let curve = LawResult(fittedTo: points)
        self.curve = curve
        let residuals = points.map { log($0.rate / curve.rate(at: $0.size)) }
        // The fit of three parameters makes residuals smaller by this factor.
        let freedom = Double(max(points.count - 3, 1))
        let scale = (Double(points.count) / freedom).squareRoot()
        var chance = SplitMix64(seed: seed)
        alternatives = (0..<Self.resamples).map { _ in
            let drawn = points.map { point in
                let residual = residuals[Int(chance.next() % UInt64(residuals.count))] * scale
                return Point(size: point.size, rate: curve.rate(at: point.size) * exp(residual))
            }
            return LawResult(fittedTo: drawn)
        }
    }

    private static func spreadCount(_ sizes: [Double]) -> Int {
        var (count, last) = (0, 0.0)
        for size in sizes where size >= 1.2 * last * (1 - 1e-9) {
            count += 1
            last = size
        }
        return count
    }

    /// Nil beyond `reach`.
    var peak: LawResult.Figure? {
        let limit = Self.reach * largest
        guard let value = curve.peak, value <= limit else { return nil }
        let peaks = alternatives.map { $0.peak ?? .infinity }.sorted()
        let upper = Self.quantile(0.95, peaks)
        return .init(value: value, lower: min(Self.quantile(0.05, peaks), value), upper: upper <= limit ? upper : nil)
    }

    var law: LawResult {
        var law = curve
        law.peakViewers = peak
        law.peakPerSecond = peak.flatMap { projected(at: $0.value) }
        return law
    }

    var projection: ProjectionResult? {
        let reach = largest * Self.reach
        return projected(at: reach).map { .init(viewers: reach, measuredViewers: largest, servedPerSecond: $0) }
    }

    /// Nil beyond `reach`.
    func projected(at size: Double) -> LawResult.Figure? {
        guard size > 0, size <= Self.reach * largest else { return nil }
        let rates = alternatives.map { $0.rate(at: size) }.sorted()
        let value = curve.rate(at: size)
        let (lower, upper) = (Self.quantile(0.05, rates), Self.quantile(0.95, rates))
        return .init(value: value, lower: min(lower, value), upper: max(upper, value))
    }

    private static func quantile(_ share: Double, _ sorted: [Double]) -> Double {
        sorted.isEmpty ? .nan : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
    }
}

extension LawResult {
    package func rate(at viewers: Double) -> Double {
        let others = max(0, viewers - 1)
        let rate = lambda * viewers / (1 + sigma * others + kappa * viewers * others)
        return rate.isFinite ? max(0, rate) : 0
    }

    /// Nil for a rate that never falls.
    fileprivate var peak: Double? {
        guard kappa > 0, sigma < 1 else { return nil }
        return max(((1 - sigma) / kappa).squareRoot(), 1)
    }

    /// Fits by the Gauss-Newton method in relative errors; needs at least three sizes, and sizes and rates above 0.
    ///
    /// `N / X` is linear in `1 / lambda`, `sigma / lambda` and `kappa / lambda`.
    fileprivate init(fittedTo points: [ScalabilityLaw.Point]) {
        let unit = points.map(\.size).max() ?? 1
        let features = points.map { [1, ($0.size - 1) / unit, $0.size * ($0.size - 1) / (unit * unit)] }
        let inverses = points.map { $0.size / $0.rate }
        var denominators = inverses
        var solution = [1.0, 0, 0]
        for _ in 0..<25 {
            let rows = zip(features, denominators).map { feature, denominator in feature.map { $0 / denominator } }
            let targets = zip(inverses, denominators).map { 1 + log($0 / $1) }
            let before = solution
            solution = Self.leastSquares(rows, targets) ?? solution
            denominators = zip(features, denominators).map { feature, last in
                let next = zip(feature, solution).reduce(0) { $0 + $1.0 * $1.1 }
                // A step may leave the domain of the logarithm.
                return max(next, last / 10)
            }
            let change = zip(before, solution).map { abs($0 - $1) }.max() ?? 0
            if change <= 1e-12 * (solution.map { abs($0) }.max() ?? 1) { break }
        }
        let level = max(solution[0], 1e-300)
        (lambda, sigma, kappa) = (1 / level, solution[1] / level / unit, solution[2] / level / (unit * unit))
        self.points = points.count
    }

    /// The solution with the least error whose first unknown is above 0 and whose others are not negative.
    private static func leastSquares(_ rows: [[Double]], _ targets: [Double]) -> [Double]? {
        [[0, 1, 2], [0, 1], [0, 2], [0]].compactMap { unknowns -> (error: Double, solution: [Double])? in
            guard let part = solve(rows, targets, unknowns) else { return nil }
            var solution = [0.0, 0, 0]
            for (unknown, value) in zip(unknowns, part) { solution[unknown] = value }
            guard solution[0] > 0, solution[1] >= 0, solution[2] >= 0 else { return nil }
            let error = zip(rows, targets).reduce(0) { sum, pair in
                let miss = zip(pair.0, solution).reduce(0) { $0 + $1.0 * $1.1 } - pair.1
                return sum + miss * miss
            }
            return (error, solution)
        }.min { $0.error < $1.error }?.solution
    }

    private static func solve(_ rows: [[Double]], _ targets: [Double], _ unknowns: [Int]) -> [Double]? {
        var matrix = unknowns.map { one in
            unknowns.map { other in rows.reduce(0) { $0 + $1[one] * $1[other] } }
                + [zip(rows, targets).reduce(0) { $0 + $1.0[one] * $1.1 }]
        }
        let count = unknowns.count
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(matrix[$0][column]) < abs(matrix[$1][column]) }),
                abs(matrix[pivot][column]) > 1e-14
            else { return nil }
            matrix.swapAt(column, pivot)
            for row in 0..<count where row != column {
                let factor = matrix[row][column] / matrix[column][column]
                for place in column...count { matrix[row][place] -= factor * matrix[column][place] }
            }
        }
        return (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
    }
}

/// The size beyond which latency rises clearly faster: the curve, scaled to 0…1, is furthest below its chord.
///
/// Source: Satopää, Albrecht, Irwin and Raghavan, "Finding a 'Kneedle' in a Haystack: Detecting Knee Points in System
/// Behavior", ICDCS Workshops 2011, for a convex curve, with a sensitivity of a half and no smoothing spline.
struct LatencyKnee {
    private static let leastPoints = 5
    /// Assumption: a latency that rises by a smaller factor is flat.
    private static let leastRise = 1.3

    let size: Double
    let latency: Double

    /// Averages points of one size; nil without a bend.
    init?(_ points: [(size: Double, latency: Double)]) {
        let groups = Dictionary(grouping: points.filter { $0.size.isFinite && $0.latency.isFinite }, by: \.size)
        let curve = groups.map { size, points in
            (size: size, latency: points.reduce(0) { $0 + $1.latency } / Double(points.count))
        }.sorted { $0.size < $1.size }
        guard curve.count >= Self.leastPoints, let first = curve.first, let last = curve.last else { return nil }
        guard first.latency > 0, last.latency >= Self.leastRise * first.latency else { return nil }
        let below = curve.map {
            ($0.size - first.size) / (last.size - first.size)
                - ($0.latency - first.latency) / (last.latency - first.latency)
        }
        guard let bend = below.indices.max(by: { below[$0] < below[$1] }) else { return nil }
        // A smaller distance is unevenness.
        guard below[bend] >= 0.5 / Double(curve.count - 1) else { return nil }
        (size, latency) = (curve[bend].size, curve[bend].latency)
    }
}
