import Results
import Rules

/// Percentile curves of each run, and of all runs of a side added up.
struct CurveBuilder {
    let base: [RunFigures]
    let candidate: [RunFigures]
    /// Distributions that could not be read.
    private(set) var notes: [String] = []

    /// Omits distributions that no run includes.
    mutating func curves(of distributions: [String]) -> [CurveComparison] {
        distributions.compactMap { name in
            guard (base + candidate).contains(where: { $0.distributions[name] != nil }) else { return nil }
            return CurveComparison(
                distribution: name,
                base: side(base, name),
                candidate: side(candidate, name)
            )
        }
    }

    private mutating func side(_ runs: [RunFigures], _ name: String) -> CurveComparison.Side {
        var merged = SparseHistogram(digits: .three)
        var curves: [[CurveComparison.Point]] = []
        for run in runs {
            guard let distribution = decoded(run, name) else {
                curves.append([])
                continue
            }
            curves.append(Self.points(of: distribution, ticksPerHalf: 2))
            merged.add(distribution)
        }
        return CurveComparison.Side(
            count: merged.count,
            merged: Self.points(of: merged, ticksPerHalf: 5),
            runs: curves
        )
    }

    private mutating func decoded(_ run: RunFigures, _ name: String) -> SparseHistogram? {
        guard let stored = run.distributions[name] else { return nil }
        do throws(HdrDecodingError) {
            return try stored.decoded()
        } catch {
            notes.append("\(run.path): the distribution \(name) is left out of the curves: \(error).")
            return nil
        }
    }

    /// HdrHistogram's steps: ever finer towards 100.
    private static func points(of distribution: SparseHistogram, ticksPerHalf: Int) -> [CurveComparison.Point] {
        let percentiles = percentiles(count: distribution.count, ticksPerHalf: ticksPerHalf)
        return zip(percentiles, distribution.microseconds(atPercentiles: percentiles)).compactMap { percentile, value in
            value.map { CurveComparison.Point(percentile: percentile, microseconds: Double($0)) }
        }
    }

    private static func percentiles(count: UInt64, ticksPerHalf: Int) -> [Double] {
        guard count > 0 else { return [] }
        var percentiles: [Double] = []
        var distance = 100.0
        while distance / 100 * Double(count) >= 1 {
            let start = 100 - distance
            percentiles += (0..<ticksPerHalf).map { start + distance / 2 * Double($0) / Double(ticksPerHalf) }
            distance /= 2
        }
        return percentiles + [100]
    }
}

extension ComparisonDocument {
    /// In the order of request kinds, for distributions with data on both sides.
    package func adding(curvesOf base: [RunFigures], _ candidate: [RunFigures]) -> ComparisonDocument {
        var (document, builder) = (self, CurveBuilder(base: base, candidate: candidate))
        let kinds = RequestKind.allCases.map { $0.name + "." }
        let names = Set((base + candidate).flatMap(\.distributions.keys)).map { name in
            (kinds.firstIndex(where: name.hasPrefix) ?? kinds.count, name)
        }
        document.curves = builder.curves(of: names.sorted(by: <).map(\.1))
            .filter { $0.base.count > 0 && $0.candidate.count > 0 }
        return document
    }
}
