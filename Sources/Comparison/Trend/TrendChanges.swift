struct TrendChanges {
    let figure: TrendFigure
    let values: [Double?]
    let runs: [TrendRun]
    /// Medians of neighbours pool a longer series.
    var pools: Int?

    /// Removes changes below the margin, the smallest first: each removal makes the neighbouring stretches longer.
    func points() -> [TrendChangePoint] {
        let measured = values.indices.filter { values[$0] != nil }
        let series = measured.compactMap { values[$0] }
        var found = divided(series)
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

    private func divided(_ series: [Double]) -> [EnergyDivision.ChangePoint] {
        let scaled = series.map(figure.scaled)
        guard let pools, scaled.count > pools, pools > 0 else { return EnergyDivision().changePoints(of: scaled) }
        let width = (scaled.count + pools - 1) / pools
        let pooled = stride(from: 0, to: scaled.count, by: width).map { start in
            OrderStatistics.median(Array(scaled[start..<min(start + width, scaled.count)])) ?? 0
        }
        let coarse = EnergyDivision().changePoints(of: pooled)
        let bounds = [0] + coarse.map { $0.index * width } + [scaled.count]
        return coarse.indices.map { position in
            var point = coarse[position]
            point.index = Self.split(scaled, bounds[position], bounds[position + 1], bounds[position + 2], width)
            return point
        }
    }

    /// The value at which one stretch becomes the other, within a pool's width of the boundary.
    private static func split(_ values: [Double], _ start: Int, _ middle: Int, _ end: Int, _ width: Int) -> Int {
        let before = OrderStatistics.median(Array(values[start..<middle])) ?? 0
        let after = OrderStatistics.median(Array(values[middle..<end])) ?? 0
        let near = max(start + 1, middle - width)...min(end - 1, middle + width)
        let costs = near.map { split in
            (near.lowerBound..<split).reduce(0) { $0 + (values[$1] - before).magnitude }
                + (split...near.upperBound).reduce(0) { $0 + (values[$1] - after).magnitude }
        }
        guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return middle }
        return near.lowerBound + best
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
        point.text = TrendSentence.change(point, figure.unit, runs[index])
        return point
    }
}
