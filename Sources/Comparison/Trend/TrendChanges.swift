/// The change points of one metric that are large enough to matter.
struct TrendChanges {
    let figure: TrendFigure
    let values: [Double?]
    let runs: [RunFigures]

    /// Change points, oldest first.
    ///
    /// Takes back changes that are smaller than the margin, the smallest first: each one that goes makes the stretches
    /// beside the others longer.
    func points() -> [TrendChangePoint] {
        let measured = values.indices.filter { values[$0] != nil }
        let series = measured.compactMap { values[$0] }
        var found = EnergyDivision().changePoints(of: series.map(figure.scaled))
        while true {
            let medians = Self.medians(series, found.map(\.index))
            let changes = found.indices.map { position in
                let (before, after) = (medians[position], medians[position + 1])
                return (after - before).magnitude / max(figure.leastEffect(at: before), .leastNormalMagnitude)
            }
            guard let least = changes.indices.min(by: { changes[$0] < changes[$1] }), changes[least] <= 1 else {
                return found.enumerated().map { position, point in
                    changePoint(
                        at: measured[point.index],
                        from: medians[position],
                        to: medians[position + 1],
                        pValue: point.pValue
                    )
                }
            }
            found.remove(at: least)
        }
    }

    private static func medians(_ series: [Double], _ indices: [Int]) -> [Double] {
        let bounds = [0] + indices + [series.count]
        return zip(bounds, bounds.dropFirst()).map { OrderStatistics.median(Array(series[$0..<$1])) ?? 0 }
    }

    private func changePoint(
        at index: Int,
        from before: Double,
        to after: Double,
        pValue: Double
    ) -> TrendChangePoint {
        var point = TrendChangePoint(
            index: index,
            before: before,
            after: after,
            changePercent: before != 0 ? (after / before - 1) * 100 : nil,
            isWorse: (after > before) == figure.higherIsWorse,
            pValue: pValue,
            text: ""
        )
        point.text = TrendSentence.change(point, figure.unit, runs[index].run)
        return point
    }
}
