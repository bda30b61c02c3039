import Values

/// Figure of a run that a threshold can judge.
package enum Metric: Hashable, Sendable {
    case requests(RequestKind?)
    case errors(RequestKind?)
    case latency(RequestKind?, LatencyMetric, Statistic)
    case breaks(key: String?, BreakFigure)
    case breaksOfPersona(name: String, BreakFigure)
    /// For the persona with the smallest share.
    case breaksOnTimeOfWorstPersona
    case breakLateness(Statistic)
    case breakDiscovery(Statistic)
    case events(EventFigure)
    case liveLatency(Statistic)
    /// Time to the first picture of content, and of breaks.
    case firstPicture(Statistic)
    case breakFirstPicture(Statistic)
    case stalls, stalledTime, rebuffering
    /// Periods in which the channel could not be loaded.
    case outages
    /// Longest time from the end of an outage to normal service.
    case recovery
    /// Sightings of one code; nil means every code above advice.
    case findings(code: String?)
    case fill(FillFigure)
    case viewers(ViewerCounter)

    package var dimension: MetricDimension { counted.dimension }

    /// Nil for counts without a noun.
    package var noun: String? { counted.noun }

    private var counted: (dimension: MetricDimension, noun: String?) {
        switch self {
        case .requests, .breaks(_, .requests): (.count, "requests")
        case .errors, .breaks(_, .errors): (.shareOrCount, "requests")
        case .breaks(_, .count): (.count, "breaks")
        case .breaks(_, .due), .breaksOfPersona(_, .due): (.count, "viewers")
        case .latency, .breaks(_, .spread), .breakLateness, .breakDiscovery, .liveLatency, .firstPicture,
            .breakFirstPicture, .stalledTime, .recovery:
            (.time, nil)
        case .breaks, .breaksOfPersona, .breaksOnTimeOfWorstPersona, .fill(.differing): (.shareOrCount, "viewers")
        case .fill, .rebuffering: (.share, nil)
        case .events(.scheduled), .events(.restricted), .events(.changed), .events(.unaccounted): (.count, "events")
        case .events: (.shareOrCount, "events")
        case .stalls: (.count, "stalls")
        case .outages: (.count, "outages")
        case .findings: (.count, "sightings")
        case .viewers(.joined), .viewers(.startedWatching), .viewers(.left): (.count, "viewers")
        case .viewers: (.count, nil)
        }
    }

    package var unitsAllowed: String {
        switch dimension {
        case .time: "us, ms or s"
        case .count: noun.map { "\($0) or no unit" } ?? "no unit"
        case .shareOrCount: "% or \(noun ?? "no unit")"
        case .share: "%"
        }
    }
}

package enum BreakFigure: String, CaseIterable, Sendable {
    case onTime = "on_time"
    case late, failed, skipped, unresolved, due, requests, errors
    /// Time from the first pod request to the last; over several breaks, the longest.
    case spread
    case count

    package static let ofPersonas: [BreakFigure] = [.onTime, .late, .failed, .unresolved, .due]
}

package enum EventFigure: String, CaseIterable, Sendable {
    case scheduled, started, finished
    case cutShort = "cut_short"
    case cancelled, failed, skipped, left, restricted, changed
    /// Scheduled minus all ends.
    case unaccounted
}

package enum FillFigure: String, CaseIterable, Sendable {
    /// Ads and slate as a share of the requested time.
    case filled
    case ads, slate
    /// Viewers with another pod than most viewers due the same one, among viewers whose pods were compared.
    case differing
}

package enum MetricDimension: Sendable {
    case time, count
    /// Percentage, or count with its noun.
    case shareOrCount
    case share
}

/// The last word of a duration's metric name.
package enum Statistic: String, CaseIterable, Sendable {
    case p50, p90, p95, p99
    case p999 = "p99.9"
    case min, max, mean

    package var percentile: Double? { rawValue.first == "p" ? Double(rawValue.dropFirst()) : nil }

    /// Fewest samples for which the percentile is not merely the maximum.
    package var samplesNeeded: UInt64 { percentile.map { UInt64((100 / (100 - $0)).rounded()) } ?? 1 }
}

/// The only place that spells the metric names of thresholds.
package enum MetricCatalogue {
    package static let allKinds = "all"

    /// `breaks.` names also accept a break's key, as in `breaks[<key>].on_time`.
    ///
    /// Names in ``BreakFigure/ofPersonas`` also accept a persona, as in `breaks.on_time{persona=<name>}`.
    package static let names: [String] = metrics.keys.sorted()

    private static let metrics: [String: Metric] = {
        var metrics: [String: Metric] = [:]
        let kinds: [(String, RequestKind?)] = [(allKinds, nil)] + RequestKind.allCases.map { ($0.name, $0) }
        for (name, kind) in kinds {
            metrics["\(name).requests"] = .requests(kind)
            metrics["\(name).errors"] = .errors(kind)
            for latency in LatencyMetric.allCases {
                for statistic in Statistic.allCases {
                    metrics["\(name).\(latency.name).\(statistic.rawValue)"] = .latency(kind, latency, statistic)
                }
            }
        }
        for figure in BreakFigure.allCases { metrics["breaks.\(figure.rawValue)"] = .breaks(key: nil, figure) }
        for statistic in Statistic.allCases {
            metrics["breaks.lateness.\(statistic.rawValue)"] = .breakLateness(statistic)
            metrics["break_discovery.\(statistic.rawValue)"] = .breakDiscovery(statistic)
            metrics["live_latency.\(statistic.rawValue)"] = .liveLatency(statistic)
            metrics["playback.first_picture.\(statistic.rawValue)"] = .firstPicture(statistic)
            metrics["breaks.first_picture.\(statistic.rawValue)"] = .breakFirstPicture(statistic)
        }
        metrics["breaks.on_time.worst_persona"] = .breaksOnTimeOfWorstPersona
        for figure in EventFigure.allCases { metrics["events.\(figure.rawValue)"] = .events(figure) }
        for figure in FillFigure.allCases { metrics["pods.\(figure.rawValue)"] = .fill(figure) }
        metrics["playback.stalls"] = .stalls
        metrics["playback.stalled"] = .stalledTime
        metrics["playback.rebuffering"] = .rebuffering
        metrics["outages.count"] = .outages
        metrics["outages.recovery"] = .recovery
        metrics["findings.*"] = .findings(code: nil)
        for finding in FindingCode.table { metrics["findings.\(finding.code)"] = .findings(code: finding.code) }
        for counter in ViewerCounter.allCases { metrics["viewers.\(counter.name)"] = .viewers(counter) }
        return metrics
    }()

    /// For example `pod_manifest.response.p99` or `breaks[2026-11-21].late`.
    package static func metric(named name: String) -> Metric? {
        if let (front, persona) = persona(in: name) {
            guard case .breaks(nil, let figure) = metrics[front], BreakFigure.ofPersonas.contains(figure),
                !persona.isEmpty
            else { return nil }
            return .breaksOfPersona(name: persona, figure)
        }
        guard let (key, rest) = breakKey(in: name) else { return metrics[name] }
        guard case .breaks(_, let figure) = metrics["breaks." + rest], figure != .count, !key.isEmpty else {
            return nil
        }
        return .breaks(key: key, figure)
    }

    package static func refusal(of name: String) -> ThresholdError {
        let all = "the page Results has all, such as breaks.on_time, pod_manifest.response.p99 and findings.*"
        return ThresholdError(
            "no metric is named '\(name)'; \(nearest(to: name).map { "did you mean '\($0)'?" } ?? all)"
        )
    }

    /// Keeps a break's key and a persona.
    package static func nearest(to name: String) -> String? {
        if let (front, persona) = persona(in: name) {
            let figures = BreakFigure.ofPersonas.map { "breaks.\($0.rawValue)" }
            return NearestName.slip(front, among: figures).map { "\($0){persona=\(persona)}" }
        }
        guard let (key, rest) = breakKey(in: name) else { return NearestName.slip(name, among: names) }
        let figures = BreakFigure.allCases.filter { $0 != .count }.map(\.rawValue)
        return NearestName.slip(rest, among: figures).map { "breaks[\(key)].\($0)" }
    }

    /// Splits `<front>{persona=<name>}`.
    private static func persona(in name: String) -> (front: String, persona: String)? {
        let opening = "{persona="
        guard name.hasSuffix("}"), let brace = name.firstIndex(of: "{"), name[brace...].hasPrefix(opening) else {
            return nil
        }
        return (String(name[..<brace]), String(name[brace...].dropFirst(opening.count).dropLast()))
    }

    /// Splits `breaks[<key>].<rest>`; the key may contain brackets and dots.
    private static func breakKey(in name: String) -> (key: String, rest: String)? {
        guard name.hasPrefix("breaks["), let close = name.lastIndex(of: "]") else { return nil }
        let after = name[name.index(after: close)...]
        guard after.hasPrefix(".") else { return nil }
        let key = name[name.index(name.startIndex, offsetBy: 7)..<close]
        return (String(key), String(after.dropFirst()))
    }
}
