/// One figure of a run that a threshold can judge.
package enum Metric: Hashable, Sendable {
    case requests(RequestKind?)
    case errors(RequestKind?)
    case latency(RequestKind?, LatencyMetric, Statistic)
    case breaks(key: String?, BreakFigure)
    case breakLateness(Statistic)
    case findings(code: String?)
    case viewers(ViewerCounter)
}

/// What can be asked of one break, or of all together.
package enum BreakFigure: String, CaseIterable, Sendable {
    case onTime = "on_time"
    case late
    case failed
    case skipped
    case unresolved
    case due
    case requests
    case errors
    /// Time from the first pod request to the last; over several breaks, the longest.
    case spread
    /// How many breaks any viewer was due for.
    case count
}

/// In which units a metric may be judged.
package enum MetricDimension: Sendable {
    case time
    case count
    /// A share in percent, or a plain count where the limit carries no unit.
    case shareOrCount

    /// The units a limit may carry, in words.
    package var unitsAllowed: String {
        switch self {
        case .time: "us, ms or s"
        case .count: "no unit"
        case .shareOrCount: "% or no unit"
        }
    }
}

extension Metric {
    package var dimension: MetricDimension {
        switch self {
        case .requests, .findings, .viewers: .count
        case .errors: .shareOrCount
        case .latency, .breakLateness: .time
        case .breaks(_, .due), .breaks(_, .requests), .breaks(_, .count): .count
        case .breaks(_, .spread): .time
        case .breaks: .shareOrCount
        }
    }
}
