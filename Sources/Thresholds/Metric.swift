package import Rulebook

/// One figure of a run that a threshold can judge.
package enum Metric: Hashable, Sendable {
    case requests(RequestKind?)
    case errors(RequestKind?)
    case latency(RequestKind?, LatencyMetric, Statistic)
    case breaks(key: String?, BreakFigure)
    case breaksOfPersona(name: String, BreakFigure)
    /// The share of due viewers that had their pod in time, of the persona where it is smallest.
    case breaksOnTimeOfWorstPersona
    case breakLateness(Statistic)
    case breakDiscovery(Statistic)
    case events(EventFigure)
    case liveLatency(Statistic)
    case stalls
    case stalledTime
    /// Stretches in which the channel could not be loaded.
    case outages
    /// From the end of each of them to when things were as before, the longest.
    case recovery
    /// Sightings of one code, or with nil of every code above advice.
    case findings(code: String?)
    case fill(FillFigure)
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

    /// What is known of each persona.
    package static let ofPersonas: [BreakFigure] = [.onTime, .late, .failed, .unresolved, .due]
}

/// What can be asked of interstitial events.
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
    /// Scheduled less all ends.
    case unaccounted
}

/// What can be asked of how breaks were filled.
package enum FillFigure: String, CaseIterable, Sendable {
    /// Time of ads and slate, of the time that was asked for.
    case filled
    /// Time of ads alone.
    case ads
    /// Time of slate alone.
    case slate
    /// Viewers that were given something else than most that should be given the same, of those whose pods were compared.
    case differing
}

/// In which units a metric may be judged.
package enum MetricDimension: Sendable {
    case time
    case count
    /// A share in percent, or a count with its noun.
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

    /// The noun of what a count of the metric counts, in the plural; nil for a metric that is only counted and has no
    /// noun of its own.
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

    /// The units a limit may carry, in words.
    package var unitsAllowed: String {
        switch dimension {
        case .time: "us, ms or s"
        case .count: noun.map { "\($0) or no unit" } ?? "no unit"
        case .shareOrCount: "% or \(noun ?? "no unit")"
        case .share: "%"
        }
    }
}
