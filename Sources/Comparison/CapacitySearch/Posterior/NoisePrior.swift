import Glibc

/// Prior of the noise of capacities, in natural logarithms: 0.05 is 5 %.
///
/// Assumptions, weak on purpose, both log-normal. Between breaks of one run: most likely 5 %, mostly within 1 and 25 %. Between
/// runs: most likely 4 %, mostly within 1 and 20 %. 15 % of targets have almost no noise, such as one that counts its clients
/// and refuses the next. Many breaks outweigh the prior.
enum NoisePrior {
    static let betweenBreaks = [0.002, 0.008, 0.016, 0.028, 0.045, 0.07, 0.11, 0.18, 0.32, 0.7]
    static let betweenRuns = [0, 0.012, 0.024, 0.04, 0.062, 0.095, 0.16, 0.35]
    private static let noiseless = 0.15

    /// Weight of each deviation between breaks (row) with each between runs (column).
    static let weights: [[Double]] = {
        let breaks = weights(of: betweenBreaks, typical: 0.05, spread: 0.9)
        let runs = weights(of: betweenRuns, typical: 0.04, spread: 0.8)
        var joint = breaks.map { sigma in runs.map { (1 - noiseless) * sigma * $0 } }
        joint[0][0] += noiseless
        return joint
    }()

    /// Log-normal density at each value, times the width that the value represents.
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
