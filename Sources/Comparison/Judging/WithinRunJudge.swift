import Glibc
import Values

/// Compares two single runs by their breaks, which shows only the certainty of each run by itself.
struct WithinRunJudge {
    static let resamples = 2_000
    static let text =
        "One run per side cannot separate a release from chance: no verdict. Make five of each."

    let options: ComparisonOptions

    func judge(_ base: RunFigures, _ candidate: RunFigures) -> WithinRunComparison {
        let before = base.breaks.each.filter { $0.isWarmUp != true }
        let after = candidate.breaks.each.filter { $0.isWarmUp != true }
        var generator = SplitMix64(seed: options.seed)
        let slowest: (RunFigures.Break) -> Double? = { entry in
            entry.slowestResponseMicroseconds.flatMap { $0 > 0 ? log(Double($0)) : nil }
        }
        let onTime: (RunFigures.Break) -> Double? = { entry in
            entry.due > 0 ? Double(min(entry.onTime, entry.due)) * 100 / Double(entry.due) : nil
        }
        let figures = [
            figure(
                "slowest_response",
                before.compactMap(slowest),
                after.compactMap(slowest),
                &generator,
                logarithmic: true
            ),
            figure("on_time", before.compactMap(onTime), after.compactMap(onTime), &generator, logarithmic: false),
        ]
        return WithinRunComparison(
            baseBreaks: before.count { $0.due > 0 },
            candidateBreaks: after.count { $0.due > 0 },
            seed: options.seed,
            resamples: Self.resamples,
            figures: figures.compactMap(\.self),
            text: Self.text
        )
    }

    private func figure(
        _ name: String,
        _ base: [Double],
        _ candidate: [Double],
        _ generator: inout SplitMix64,
        logarithmic: Bool
    ) -> WithinRunComparison.Figure? {
        guard let before = OrderStatistics.median(base), let after = OrderStatistics.median(candidate) else {
            return nil
        }
        let changes = (0..<Self.resamples).compactMap { _ -> Double? in
            let first = OrderStatistics.median(Self.redrawn(base, &generator))
            let second = OrderStatistics.median(Self.redrawn(candidate, &generator))
            return first.flatMap { first in second.map { $0 - first } }
        }
        let tail = (1 - options.confidence) / 2
        guard let low = OrderStatistics.quantile(tail, of: changes),
            let high = OrderStatistics.quantile(1 - tail, of: changes)
        else { return nil }
        let scale: (Double) -> Double = { logarithmic ? exp($0) : $0 }
        return WithinRunComparison.Figure(
            name: name,
            unit: logarithmic ? "us" : "percent",
            base: scale(before),
            candidate: scale(after),
            change: scale(after - before),
            changeLow: scale(low),
            changeHigh: scale(high)
        )
    }

    private static func redrawn(_ values: [Double], _ generator: inout SplitMix64) -> [Double] {
        values.indices.map { _ in values[Int.random(in: values.indices, using: &generator)] }
    }
}
