/// Figure of a run that a threshold can judge.
package enum Metric: Hashable, Sendable {
    case requests(RequestKind?)
    case errors(RequestKind?)
    case latency(RequestKind?, LatencyMetric, Statistic)
    case breaks(key: String?, BreakFigure)
    case breaksOfPersona(name: String, BreakFigure)
    /// Share of due viewers with their pod in time, for the persona with the smallest share.
    case breaksOnTimeOfWorstPersona
    case breakLateness(Statistic)
    case breakDiscovery(Statistic)
    case events(EventFigure)
    case liveLatency(Statistic)
    case stalls
    case stalledTime
    /// Periods in which the channel could not be loaded.
    case outages
    /// Longest time from the end of an outage to normal service.
    case recovery
    /// Sightings of one code; nil means every code above advice.
    case findings(code: String?)
    case fill(FillFigure)
    case viewers(ViewerCounter)
}

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
    /// Breaks for which any viewer was due.
    case count

    package static let ofPersonas: [BreakFigure] = [.onTime, .late, .failed, .unresolved, .due]
}

package enum EventFigure: String, CaseIterable, Sendable {
    case scheduled
    case started
    case finished
    case cutShort = "cut_short"
    case cancelled
    case failed
    case skipped
    case left
    case restricted
    case changed
    /// Scheduled minus all ends.
    case unaccounted
}

package enum FillFigure: String, CaseIterable, Sendable {
    /// Ads and slate as a share of the requested time.
    case filled
    case ads
    case slate
    /// Viewers with another pod than most viewers due the same one, among viewers whose pods were compared.
    case differing
}

package enum MetricDimension: Sendable {
    case time
    case count
    /// Percentage, or count with its noun.
    case shareOrCount
    case share
}

extension Metric {
    package var dimension: MetricDimension {
        switch self {
        case .requests, .findings, .viewers, .stalls, .outages: .count
        case .errors, .breaksOnTimeOfWorstPersona, .fill(.differing): .shareOrCount
        case .fill: .share
        case .latency, .breakLateness, .breakDiscovery, .liveLatency, .stalledTime, .recovery: .time
        case .events(.scheduled), .events(.restricted), .events(.changed), .events(.unaccounted): .count
        case .events: .shareOrCount
        case .breaksOfPersona(_, .due): .count
        case .breaksOfPersona: .shareOrCount
        case .breaks(_, .due), .breaks(_, .requests), .breaks(_, .count): .count
        case .breaks(_, .spread): .time
        case .breaks: .shareOrCount
        }
    }

    /// Plural noun of the metric's count; nil for other metrics and for counts without a noun.
    package var noun: String? {
        switch self {
        case .requests, .errors, .breaks(_, .requests), .breaks(_, .errors): "requests"
        case .breaks(_, .count): "breaks"
        case .breaks(_, .spread): nil
        case .breaks, .breaksOfPersona, .breaksOnTimeOfWorstPersona, .fill(.differing): "viewers"
        case .events: "events"
        case .stalls: "stalls"
        case .outages: "outages"
        case .findings: "sightings"
        case .viewers(.joined), .viewers(.startedWatching), .viewers(.left): "viewers"
        case .viewers, .latency, .breakLateness, .breakDiscovery, .liveLatency, .stalledTime, .recovery, .fill: nil
        }
    }

    /// Units that a limit may have, as text for a message.
    package var unitsAllowed: String {
        switch dimension {
        case .time: "us, ms or s"
        case .count: noun.map { "\($0) or no unit" } ?? "no unit"
        case .shareOrCount: "% or \(noun ?? "no unit")"
        case .share: "%"
        }
    }
}

/// Figure of a distribution: the last word of a duration's metric name.
package enum Statistic: String, CaseIterable, Sendable {
    case p50
    case p90
    case p95
    case p99
    case p999 = "p99.9"
    case min
    case max
    case mean

    /// From 0 to 100, as the name says; nil if not a percentile.
    package var percentile: Double? { rawValue.first == "p" ? Double(rawValue.dropFirst()) : nil }

    /// Fewest samples for which the percentile is not merely the maximum.
    package var samplesNeeded: UInt64 { percentile.map { UInt64((100 / (100 - $0)).rounded()) } ?? 1 }
}
