import Foundation

package enum TrendSentence {
    static func verdict(_ metric: TrendMetric) -> String {
        let name = metric.metric
        guard let newest = metric.values.last ?? nil else { return "\(name): the newest run has no such figure" }
        let found = amount(newest, metric.unit)
        guard let expected = metric.expected else {
            let before = metric.values.dropLast().count { $0 != nil }
            return "\(name): \(found); \(before) earlier run\(before == 1 ? " is" : "s are") too few to tell what to "
                + "expect, \(PredictionInterval.fewestRuns) are needed"
        }
        let interval = "\(amount(expected.low, metric.unit)) to \(amount(expected.high, metric.unit))"
        let basis = "expected from \(expected.runs) runs: \(interval)"
        return switch metric.verdict {
        case .worse: "\(name) is worse: \(found), \(basis)"
        case .better: "\(name) is better: \(found), \(basis)"
        default: "\(name): \(found), \(basis)"
        }
    }

    static func change(_ point: TrendChangePoint, _ unit: TrendMetric.Unit, _ run: TrendRun) -> String {
        let percent = point.changePercent.map { " (\($0 < 0 ? "" : "+")\(number($0)) %)" } ?? ""
        let label = release(run.labels).map { ", \($0)" } ?? ""
        let values = "\(amount(point.before, unit)) to \(amount(point.after, unit))"
        return "\(point.isWorse ? "worse" : "better") from \(run.startedAt.prefix(10))\(label) on: \(values)\(percent)"
    }

    /// The label that names the release of a run: `release=1.4.2`, or else `version=…`, or else `commit=…`.
    package static func release(_ labels: [String: String]) -> String? {
        ["release", "version", "commit"].first { labels[$0] != nil }.map { "\($0)=\(labels[$0] ?? "")" }
    }

    /// A figure with its unit, for example `12.3 ms`.
    package static func amount(_ value: Double, _ unit: TrendMetric.Unit) -> String {
        switch unit {
        case .microseconds: "\(number(value / 1_000)) ms"
        case .percent: "\(number(value)) %"
        case .count: number(value)
        }
    }

    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        let digits = value.magnitude >= 100 ? 0 : (value.magnitude >= 10 ? 1 : 2)
        let text = value.formatted(
            .number.precision(.fractionLength(0...digits)).grouping(.never).locale(Locale(identifier: "en_US_POSIX"))
        )
        return text == "-0" ? "0" : text
    }
}
