/// Likelihood of one run's outcomes, by the noise between its breaks and the run's own capacity v.
///
/// A break of difficulty x holds with the probability `Phi((v - x) / sigma)`; over all runs, v is normal around mu.
struct RunLikelihood {
    /// Assumed share of outcomes unrelated to size: else one outlier would rule out every value of mu.
    static let strayShare = 0.004

    /// Keeps the product over a thousand breaks from underflow.
    private static let scale = 1.35

    struct Axis {
        var origin: Double
        var step: Double
        var count: Int

        subscript(index: Int) -> Double { origin + step * Double(index) }
    }

    /// Cumulative, with one entry more than places.
    private var sums: [Double]
    private let axis: Axis

    init(of observations: [Observation], sigma: Double, axis: Axis) {
        self.axis = axis
        var likelihood = [Double](repeating: 1, count: axis.count)
        let table = NormalTable.cumulative
        let (scale, last) = (NormalTable.stepsPerUnit / sigma, Double(table.count) - 1.001)
        let sure = 1 - Self.strayShare
        likelihood.withUnsafeMutableBufferPointer { likelihood in
            table.withUnsafeBufferPointer { table in
                for observation in observations {
                    let start =
                        (axis.origin - observation.difficulty) * scale + NormalTable.reach * NormalTable.stepsPerUnit
                    let step = axis.step * scale
                    for index in 0..<likelihood.count {
                        let place = min(max(start + step * Double(index), 0), last)
                        let whole = Int(place)
                        let holds = table[whole] + (table[whole + 1] - table[whole]) * (place - Double(whole))
                        let share = observation.held ? holds : 1 - holds
                        likelihood[index] *= Self.scale * (Self.strayShare / 2 + sure * share)
                    }
                }
            }
        }
        sums = [0]
        sums.reserveCapacity(axis.count + 1)
        var sum = 0.0
        for value in likelihood {
            sum += value
            sums.append(sum)
        }
    }

    func mean(_ places: Range<Int>) -> Double {
        (sums[places.upperBound] - sums[places.lowerBound]) / Double(places.count)
    }

    /// Likelihood of each mu, for the places of the axis from `first` on; means over bands do not step over a sharp edge.
    func spread(by bands: NormalBands, from first: Int, into result: inout [Double]) {
        for index in result.indices { result[index] = 0 }
        sums.withUnsafeBufferPointer { sums in
            result.withUnsafeMutableBufferPointer { result in
                for (edge, weight) in zip(bands.edges, bands.weights) {
                    let start = first + edge
                    guard start >= 0, start + result.count <= sums.count else { continue }
                    for index in 0..<result.count { result[index] += weight * sums[start + index] }
                }
            }
        }
    }
}

struct Observation: Equatable {
    var difficulty: Double
    var held: Bool
}

/// A normal distribution around a place of an axis, cut into bands of whole places.
struct NormalBands {
    /// Relative to the centre.
    let edges: [Int]
    /// Factors on the cumulative sums at each edge.
    let weights: [Double]

    /// In standard deviations.
    private static let reach = 3.2
    private static let mostBands = 15

    init(deviation: Double, step: Double) {
        let reach = Int((Self.reach * deviation / step).rounded(.up))
        // Odd, so that the middle band is symmetric.
        let width = (2 * reach / Self.mostBands) | 1
        let count = reach / width
        let edges = (0...2 * count + 1).map { ($0 - count) * width - width / 2 }
        let table = NormalTable.cumulative
        func below(_ edge: Int) -> Double {
            guard deviation > 0 else { return edge > 0 ? 1 : 0 }
            let deviations = (Double(edge) - 0.5) * step / deviation
            let index = (deviations + NormalTable.reach) * NormalTable.stepsPerUnit
            return table[Int(min(max(index.rounded(), 0), Double(table.count - 1)))]
        }
        let shares = zip(edges, edges.dropFirst()).map { below($1) - below($0) }
        let sum = shares.reduce(0, +) * Double(width)
        // A band adds at its end what it subtracts at its beginning.
        weights = edges.indices.map { index in
            ((index > 0 ? shares[index - 1] : 0) - (index < shares.count ? shares[index] : 0)) / sum
        }
        self.edges = edges
    }
}

/// A posterior reads it a million times.
enum NormalTable {
    static let reach = 7.0
    static let stepsPerUnit = 64.0

    static let cumulative: [Double] = (0...Int(2 * reach * stepsPerUnit) + 1).map {
        NormalDistribution.cumulative(Double($0) / stepsPerUnit - reach)
    }
}
