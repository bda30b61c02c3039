/// How likely one run's outcomes are, by what its breaks could carry in the middle and by how much they vary.
///
/// Each break holds with the probability `Phi((v - x) / sigma)`, x being its difficulty and v what this run carries in the
/// middle. Against the truth of all runs, v is normal around it.
struct RunLikelihood {
    /// Breaks that fail, or hold, for reasons that have nothing to do with the size.
    ///
    /// An assumption: without it a single stray outcome far from all others would rule out every truth.
    static let strayShare = 0.004

    /// Evenly spaced difficulties.
    struct Axis {
        var origin: Double
        var step: Double
        var count: Int

        subscript(index: Int) -> Double { origin + step * Double(index) }
    }

    /// Running sums over the axis of the likelihood, one per place and one more.
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
                        likelihood[index] *= Self.strayShare / 2 + sure * share
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

    /// The likelihood of a truth, with what this run carries spread around it: on the places of the axis from `first` on.
    ///
    /// The normal distribution is cut into bands, and in each the likelihood's mean is taken: so a likelihood with a sharp
    /// edge is not stepped over.
    func spread(by bands: NormalBands, from first: Int, into result: inout [Double]) {
        let (edges, weights) = (bands.edges, bands.weights)
        let limit = axis.count
        sums.withUnsafeBufferPointer { sums in
            for index in result.indices {
                var sum = 0.0
                for band in 0..<weights.count {
                    let from = min(max(first + index + edges[band], 0), limit - 1)
                    let to = min(max(first + index + edges[band + 1], from + 1), limit)
                    sum += weights[band] * (sums[to] - sums[from]) / Double(to - from)
                }
                result[index] = sum
            }
        }
    }
}

/// What one break says: at which difficulty, and whether it held.
struct Observation: Equatable {
    var difficulty: Double
    var held: Bool
}

/// A normal distribution around a place of an axis, as bands of whole places with the probability of each.
struct NormalBands {
    /// Relative to the place in the middle; one more than there are weights.
    private(set) var edges: [Int]
    private(set) var weights: [Double]

    /// How far a band can lie out, in standard deviations.
    static let reach = 3.2
    private static let mostBands = 15

    /// - Parameters:
    ///   - deviation: Of the distribution; 0 is the place itself.
    ///   - step: Of the axis.
    init(deviation: Double, step: Double) {
        let reach = Int((Self.reach * deviation / step).rounded(.up))
        // Odd, so that the band in the middle lies evenly around its place.
        let width = (2 * reach / Self.mostBands) | 1
        let bands = reach / width
        edges = (0...2 * bands + 1).map { ($0 - bands) * width - width / 2 }
        weights = [1]
        guard bands > 0 else { return }
        let table = NormalTable.cumulative
        func below(_ place: Double) -> Double {
            let index = (place * step / deviation + NormalTable.reach) * NormalTable.stepsPerUnit
            return table[min(max(Int(index.rounded()), 0), table.count - 1)]
        }
        weights = (0..<2 * bands + 1).map { below(Double(edges[$0 + 1]) - 0.5) - below(Double(edges[$0]) - 0.5) }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
    }
}
