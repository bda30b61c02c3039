import Glibc

/// Posterior distribution of a capacity after some runs, on a grid.
///
/// A break of difficulty x holds with the probability `Phi((mu + u - x) / sigma)`; u is normal with the deviation tau, shared
/// by a run's breaks. The capacity is `mu - z * sqrt(sigma^2 + tau^2)`, with z the normal quantile of the share of breaks. The
/// prior of mu is flat.
struct CapacityPosterior {
    /// Distance by which mu may lie beyond the allowed difficulties.
    private static let margin = log(4.0)
    private static let places = 64

    /// Mean of mu, the difficulty that half of all breaks hold.
    private(set) var mean = 0.0
    /// Uncertainty of mu and noise, for the next break.
    let predictiveDeviation: Double
    private(set) var betweenBreaks = 0.0
    private(set) var betweenRuns = 0.0
    /// Difficulties that half of all breaks hold, and those that the share holds.
    let middles: Histogram
    let capacities: Histogram

    /// `bounds` are the easiest and the hardest allowed difficulty.
    init(runs: [[CapacityTrial]], bounds: ClosedRange<Double>, share: Double) {
        let runs = runs.filter { !$0.isEmpty }
        let range = Self.range(of: runs, bounds)
        let indices = (NoisePrior.betweenBreaks.indices, NoisePrior.betweenRuns.indices)
        let coarse = Grid(runs, range, sigmas: indices.0.filter { $0 % 2 == 0 }, taus: indices.1.filter { $0 % 2 == 0 })
        let found = coarse.middles
        let near = (found.quantile(1e-3) - 2 * found.step)...(found.quantile(1 - 1e-3) + 2 * found.step)
        let (sigmas, taus) = coarse.plausible
        let fine = Grid(runs, near.clamped(to: range), sigmas: sigmas, taus: taus)
        middles = fine.middles
        capacities = fine.capacities(deviations: NormalDistribution.quantile(min(max(share, 0.01), 0.999)))
        var (square, noise) = (0.0, 0.0)
        for (sigma, tau, middle, weight) in fine.cells {
            mean += weight * middle
            square += weight * middle * middle
            noise += weight * hypot(sigma, tau)
            betweenBreaks += weight * sigma
            betweenRuns += weight * tau
        }
        predictiveDeviation = (max(square - mean * mean, 0) + noise * noise).squareRoot()
    }

    /// Range of mu: a factor of three beyond the easiest miss and the hardest hold.
    private static func range(of runs: [[CapacityTrial]], _ bounds: ClosedRange<Double>) -> ClosedRange<Double> {
        let all = (bounds.lowerBound - margin)...(bounds.upperBound + margin)
        let observations = runs.joined()
        let held = observations.filter(\.held).map(\.difficulty).max()
        let missed = observations.filter { !$0.held }.map(\.difficulty).min()
        let lower = [held, missed].compactMap { $0 }.min()
        let upper = [held, missed].compactMap { $0 }.max()
        let low = held == nil ? all.lowerBound : (lower ?? all.lowerBound) - 1.1
        let high = missed == nil ? all.upperBound : (upper ?? all.upperBound) + 1.1
        return (min(low, high)...max(low, high)).clamped(to: all)
    }
}

extension CapacityPosterior {
    /// Weights of each mu with every sigma and tau.
    private struct Grid {
        let axis: RunLikelihood.Axis
        let sigmas: [Int]
        let taus: [Int]
        private(set) var weights: [Double]

        init(_ runs: [[CapacityTrial]], _ range: ClosedRange<Double>, sigmas: [Int], taus: [Int]) {
            let step = max((range.upperBound - range.lowerBound) / Double(places - 1), 1e-6)
            axis = RunLikelihood.Axis(origin: range.lowerBound, step: step, count: places)
            (self.sigmas, self.taus) = (sigmas, taus)
            let bands = taus.map { NormalBands(deviation: NoisePrior.betweenRuns[$0], step: step) }
            let pad = bands.compactMap { $0.edges.last }.max() ?? 0
            let wide = RunLikelihood.Axis(
                origin: range.lowerBound - step * Double(pad),
                step: step,
                count: places + 2 * pad
            )
            weights = sigmas.flatMap { sigma in
                taus.flatMap { [Double](repeating: NoisePrior.weights[sigma][$0], count: places) }
            }
            for run in runs { multiply(by: run, bands, wide, pad) }
            if taus.first == 0 { multiply(byOneRunOf: Array(runs.joined())) }
            let sum = weights.reduce(0, +)
            if sum > 0, sum.isFinite { for index in weights.indices { weights[index] /= sum } }
        }

        /// For a tau of 0, on a finer axis.
        ///
        /// With a small sigma the gap between the hardest hold and the easiest miss is soon narrower than a step.
        private mutating func multiply(byOneRunOf observations: [CapacityTrial]) {
            let parts = 8
            let step = axis.step / Double(parts)
            let fine = RunLikelihood.Axis(
                origin: axis.origin - axis.step / 2 + step / 2,
                step: step,
                count: places * parts
            )
            for (row, sigma) in sigmas.enumerated() {
                let likelihood = RunLikelihood(of: observations, sigma: NoisePrior.betweenBreaks[sigma], axis: fine)
                for index in 0..<places {
                    weights[row * taus.count * places + index] *= likelihood.mean(index * parts..<(index + 1) * parts)
                }
            }
        }

        private mutating func multiply(
            by run: [CapacityTrial],
            _ bands: [NormalBands],
            _ axis: RunLikelihood.Axis,
            _ pad: Int
        ) {
            var spread = [Double](repeating: 0, count: places)
            var start = 0
            for sigma in sigmas {
                let likelihood = RunLikelihood(of: run, sigma: NoisePrior.betweenBreaks[sigma], axis: axis)
                for (tau, bands) in zip(taus, bands) {
                    if tau > 0 {
                        likelihood.spread(by: bands, from: pad, into: &spread)
                        for index in 0..<places { weights[start + index] *= spread[index] }
                    }
                    start += places
                }
            }
        }

        var cells: some Sequence<(sigma: Double, tau: Double, middle: Double, weight: Double)> {
            weights.indices.lazy.filter { weights[$0] > 1e-9 }.map { index in
                let pair = index / places
                return (
                    NoisePrior.betweenBreaks[sigmas[pair / taus.count]],
                    NoisePrior.betweenRuns[taus[pair % taus.count]],
                    axis[index % places], weights[index]
                )
            }
        }

        var middles: Histogram {
            var histogram = Histogram(origin: axis.origin, step: axis.step, count: places)
            for cell in cells { histogram.add(cell.weight, at: cell.middle) }
            return histogram
        }

        func capacities(deviations: Double) -> Histogram {
            let most = hypot(NoisePrior.betweenBreaks[sigmas.last ?? 0], NoisePrior.betweenRuns[taus.last ?? 0])
            let reach = most * abs(deviations)
            let step = axis.step / 2
            var histogram = Histogram(
                origin: axis.origin - reach,
                step: step,
                count: min(Int(2 * reach / step) + 2 * places + 2, 20_000)
            )
            for cell in cells { histogram.add(cell.weight, at: cell.middle - deviations * hypot(cell.sigma, cell.tau)) }
            return histogram
        }

        /// Indices with enough weight for a finer grid, with their neighbours.
        var plausible: (sigmas: [Int], taus: [Int]) {
            var (ofSigma, ofTau) = ([Int: Double](), [Int: Double]())
            for pair in 0..<sigmas.count * taus.count {
                let weight = weights[pair * places..<(pair + 1) * places].reduce(0, +)
                ofSigma[sigmas[pair / taus.count], default: 0] += weight
                ofTau[taus[pair % taus.count], default: 0] += weight
            }
            // A coarse grid steps over the lowest noise.
            func near(_ weights: [Int: Double], _ count: Int) -> [Int] {
                let highest = weights.filter { $0.value > 3e-4 }.keys.max() ?? count
                return Array(0..<min(highest + 2, count))
            }
            return (near(ofSigma, NoisePrior.betweenBreaks.count), near(ofTau, NoisePrior.betweenRuns.count))
        }
    }
}

/// Prior of the noise of capacities, in natural logarithms: 0.05 is 5 %.
///
/// Weak log-normal assumptions. Between breaks: most likely 5 %, mostly 1 to 25 %; between runs: 4 %, 1 to 20 %. Almost no
/// noise: 15 % of targets, such as one that refuses clients by count.
enum NoisePrior {
    static let betweenBreaks = [0.002, 0.008, 0.016, 0.028, 0.045, 0.07, 0.11, 0.18, 0.32, 0.7]
    static let betweenRuns = [0, 0.012, 0.024, 0.04, 0.062, 0.095, 0.16, 0.35]
    private static let noiseless = 0.15

    /// Rows: between breaks; columns: between runs.
    static let weights: [[Double]] = {
        let breaks = weights(of: betweenBreaks, typical: 0.05, spread: 0.9)
        let runs = weights(of: betweenRuns, typical: 0.04, spread: 0.8)
        var joint = breaks.map { sigma in runs.map { (1 - noiseless) * sigma * $0 } }
        joint[0][0] += noiseless
        return joint
    }()

    /// Log-normal density, times the width that the value represents.
    private static func weights(of values: [Double], typical: Double, spread: Double) -> [Double] {
        // 0 represents noise that is too small to be told from none.
        let logarithms = values.map { log(max($0, 0.004)) }
        let weights = logarithms.indices.map { index in
            let below = index > 0 ? logarithms[index - 1] : logarithms[index]
            let above = index + 1 < logarithms.count ? logarithms[index + 1] : logarithms[index]
            let deviation = (logarithms[index] - log(typical)) / spread
            return exp(-deviation * deviation / 2) * (above - below) / 2
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }
}

/// Weights over an evenly spaced axis, read as a distribution without steps.
struct Histogram {
    let origin: Double
    let step: Double
    private var weights: [Double]
    private var sum = 0.0

    init(origin: Double, step: Double, count: Int) {
        (self.origin, self.step) = (origin, step)
        weights = [Double](repeating: 0, count: max(count, 2))
    }

    mutating func add(_ weight: Double, at value: Double) {
        guard value.isFinite else { return }
        let place = min(max((value - origin) / step, 0), Double(weights.count - 1) - 1e-9)
        let whole = Int(place)
        let part = place - Double(whole)
        weights[whole] += weight * (1 - part)
        weights[whole + 1] += weight * part
        sum += weight
    }

    func quantile(_ probability: Double) -> Double {
        let wanted = probability * sum
        var below = 0.0
        for (index, weight) in weights.enumerated() {
            if below + weight >= wanted, weight > 0 {
                return origin + step * (Double(index) - 0.5 + (wanted - below) / weight)
            }
            below += weight
        }
        return origin + step * Double(weights.count - 1)
    }

    func below(_ value: Double) -> Double {
        guard sum > 0 else { return 0 }
        let place = (value - origin) / step + 0.5
        guard place > 0 else { return 0 }
        let whole = min(Int(min(place, 1e9)), weights.count)
        var below = weights[..<whole].reduce(0, +)
        if whole < weights.count { below += weights[whole] * (place - Double(whole)) }
        return min(below / sum, 1)
    }
}

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

    init(of observations: [CapacityTrial], sigma: Double, axis: Axis) {
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
                    let (step, held) = (axis.step * scale, observation.held)
                    for index in 0..<likelihood.count {
                        let place = min(max(start + step * Double(index), 0), last)
                        let whole = Int(place)
                        let holds = table[whole] + (table[whole + 1] - table[whole]) * (place - Double(whole))
                        let share = held ? holds : 1 - holds
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
