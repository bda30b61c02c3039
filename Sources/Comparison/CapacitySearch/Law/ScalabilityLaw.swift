import Glibc
package import Results
import Values

/// Throughput as a function of the number of clients.
///
/// Gunther's universal scalability law: `X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))`. Sigma is contention for a
/// resource that serves one client at a time; kappa is the cost of agreement between all clients. With a kappa above 0 the rate
/// has a peak and falls beyond it.
///
/// Source: Neil J. Gunther, "Guerrilla Capacity Planning", Springer 2007, chapters 4 to 6.
package struct ScalabilityLaw: Equatable, Sendable {
    package struct Point: Codable, Equatable, Sendable {
        package var size: Double
        package var rate: Double

        package init(size: Double, rate: Double) {
            self.size = size
            self.rate = rate
        }
    }

    package enum Refusal: String, Codable, Error {
        /// Fewer than four sizes that differ by a fifth or more.
        case tooFewSizes
        /// The largest size is less than four times the smallest.
        case tooNarrow
    }

    /// Projections end at this multiple of the largest measured size.
    package static let reach = 2.0
    private static let leastSizes = 4
    private static let leastRatio = 4.0
    private static let resamples = 400

    package let lambda: Double
    package let sigma: Double
    package let kappa: Double
    /// Standard deviation of the points around the law, in natural logarithms: 0.05 is 5 %.
    package let deviation: Double
    package let smallest: Double
    package let largest: Double
    private let alternatives: [ScalabilityCurve]

    /// Fits a law by least squares on the logarithms of rates, without negative sigma or kappa.
    ///
    /// Points must be spread: four points at the low end missed a downturn that four spread ones found. Intervals come from
    /// laws fitted again to the curve with resampled residuals; the same seed gives the same intervals. Points that are not
    /// above 0 are ignored.
    package init(_ points: [Point], seed: UInt64) throws(Refusal) {
        let points = points.filter { $0.size > 0 && $0.rate > 0 && $0.size.isFinite && $0.rate.isFinite }
        let sizes = points.map(\.size).sorted()
        guard let first = sizes.first, let last = sizes.last, Self.spreadCount(sizes) >= Self.leastSizes else {
            throw .tooFewSizes
        }
        guard last >= Self.leastRatio * first else { throw .tooNarrow }
        (smallest, largest) = (first, last)
        let curve = ScalabilityCurve(fittedTo: points)
        (lambda, sigma, kappa) = (curve.lambda, curve.sigma, curve.kappa)
        let residuals = points.map { log($0.rate / curve.rate(at: $0.size)) }
        // The fit of three parameters makes residuals smaller by this factor.
        let freedom = Double(max(points.count - 3, 1))
        deviation = (residuals.reduce(0) { $0 + $1 * $1 } / freedom).squareRoot()
        let scale = (Double(points.count) / freedom).squareRoot()
        var chance = SplitMix64(seed: seed)
        var alternatives: [ScalabilityCurve] = []
        for _ in 0..<Self.resamples {
            let drawn = points.map { point in
                let residual = residuals[Int(chance.next() % UInt64(residuals.count))] * scale
                return Point(size: point.size, rate: curve.rate(at: point.size) * exp(residual))
            }
            alternatives.append(ScalabilityCurve(fittedTo: drawn))
        }
        self.alternatives = alternatives
    }

    private static func spreadCount(_ sizes: [Double]) -> Int {
        var (count, last) = (0, 0.0)
        for size in sizes where size >= 1.2 * last * (1 - 1e-9) {
            count += 1
            last = size
        }
        return count
    }

    /// The size with the highest rate; nil without one up to twice the largest measured size.
    package var peak: LawResult.Figure? {
        let limit = Self.reach * largest
        guard let value = curve.peak, value <= limit else { return nil }
        let peaks = alternatives.map { $0.peak ?? .infinity }.sorted()
        let upper = Self.quantile(0.95, peaks)
        return LawResult.Figure(
            value: value,
            lower: min(Self.quantile(0.05, peaks), value),
            upper: upper <= limit ? upper : nil
        )
    }

    /// The rate at a size; nil beyond twice the largest measured size, where only "at least" can be said.
    package func projected(at size: Double) -> LawResult.Figure? {
        guard size > 0, size <= Self.reach * largest else { return nil }
        let rates = alternatives.map { $0.rate(at: size) }.sorted()
        let value = curve.rate(at: size)
        return LawResult.Figure(
            value: value,
            lower: min(Self.quantile(0.05, rates), value),
            upper: max(Self.quantile(0.95, rates), value)
        )
    }

    private var curve: ScalabilityCurve { ScalabilityCurve(lambda: lambda, sigma: sigma, kappa: kappa) }

    private static func quantile(_ share: Double, _ sorted: [Double]) -> Double {
        sorted.isEmpty ? .nan : sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
    }
}
