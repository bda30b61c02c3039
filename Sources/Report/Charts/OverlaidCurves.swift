import Comparison

struct OverlaidCurves {
    var curves: [CurveComparison]
    var base: String
    var candidate: String

    private static let runLimit = 20

    func charts() -> [Chart] {
        let points = curves.flatMap { $0.base.merged + $0.candidate.merged }.map(\.microseconds)
        guard let low = points.filter({ $0 > 0 }).min(), let high = points.max() else { return [] }
        let scale = LogScale(max(low, 10) * 0.8, max(high, low * 4) * 1.2)
        return curves.compactMap { curve in
            let sides = [(base, "base", curve.base), (candidate, "c1", curve.candidate)]
            let behind = sides.flatMap { title, style, side in
                side.runs.count < 2
                    ? []
                    : side.runs.prefix(Self.runLimit).map {
                        line(title, "\(style) thin", side.count, $0, isRead: false)
                    }
            }
            let merged = sides.filter { !$0.2.merged.isEmpty }.map { line($0.0, $0.1, $0.2.count, $0.2.merged) }
            let plot = PercentileChart(
                name: "\(curve.distribution): latency by percentile on both sides",
                lines: behind + merged,
                scale: scale,
                height: 170
            ).plot()
            let counts = [curve.base.count, curve.candidate.count].map { TextLayout.grouped($0) }
            return Chart("\(code: curve.distribution) \(counts.joined(separator: " and "))", plot)
        }
    }

    private func line(
        _ name: String,
        _ style: String,
        _ count: UInt64,
        _ points: [CurveComparison.Point],
        isRead: Bool = true
    ) -> PercentileChart.Line {
        let curve = points.map { ($0.percentile / 100, $0.microseconds) }
        return .init(name: name, style: style, count: count, curve: curve, isRead: isRead)
    }
}
