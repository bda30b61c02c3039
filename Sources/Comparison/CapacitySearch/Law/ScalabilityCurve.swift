import Glibc

struct ScalabilityCurve: Equatable, Sendable {
    var lambda: Double
    var sigma: Double
    var kappa: Double

    init(lambda: Double, sigma: Double, kappa: Double) {
        (self.lambda, self.sigma, self.kappa) = (lambda, sigma, kappa)
    }

    func rate(at size: Double) -> Double {
        lambda * size / max(1 + sigma * (size - 1) + kappa * size * (size - 1), 1e-12)
    }

    /// The size with the highest rate; nil for a rate that never falls.
    var peak: Double? {
        guard kappa > 0, sigma < 1 else { return nil }
        return max(((1 - sigma) / kappa).squareRoot(), 1)
    }

    /// Fits by the Gauss-Newton method.
    ///
    /// `N / X` is linear in `1 / lambda`, `sigma / lambda` and `kappa / lambda`, so each step is a linear problem with three
    /// unknowns, in relative errors. Sizes and rates must be above 0, with at least three sizes.
    init(fittedTo points: [ScalabilityLaw.Point]) {
        let unit = points.map(\.size).max() ?? 1
        let features = points.map { [1, ($0.size - 1) / unit, $0.size * ($0.size - 1) / (unit * unit)] }
        let inverses = points.map { $0.size / $0.rate }
        // The first step uses errors relative to the measured values.
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
        self.init(lambda: 1 / level, sigma: solution[1] / level / unit, kappa: solution[2] / level / (unit * unit))
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

    /// Solves the normal equations of the given unknowns by elimination.
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
