import Values

/// All metric names of thresholds; the only place that spells them.
package enum MetricCatalogue {
    /// Name for all request kinds together.
    package static let allKinds = "all"

    /// All valid names, sorted.
    ///
    /// `breaks.` names also accept a break's key, as in `breaks[<key>].on_time`; names in ``BreakFigure/ofPersonas`` also
    /// accept a persona, as in `breaks.on_time{persona=<name>}`.
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
        for figure in BreakFigure.allCases {
            metrics["breaks.\(figure.rawValue)"] = .breaks(key: nil, figure)
        }
        for statistic in Statistic.allCases {
            metrics["breaks.lateness.\(statistic.rawValue)"] = .breakLateness(statistic)
            metrics["break_discovery.\(statistic.rawValue)"] = .breakDiscovery(statistic)
            metrics["live_latency.\(statistic.rawValue)"] = .liveLatency(statistic)
        }
        metrics["breaks.on_time.worst_persona"] = .breaksOnTimeOfWorstPersona
        for figure in EventFigure.allCases {
            metrics["events.\(figure.rawValue)"] = .events(figure)
        }
        for figure in FillFigure.allCases {
            metrics["pods.\(figure.rawValue)"] = .fill(figure)
        }
        metrics["playback.stalls"] = .stalls
        metrics["playback.stalled"] = .stalledTime
        metrics["outages.count"] = .outages
        metrics["outages.recovery"] = .recovery
        metrics["findings.*"] = .findings(code: nil)
        for finding in FindingCode.table {
            metrics["findings.\(finding.code)"] = .findings(code: finding.code)
        }
        for counter in ViewerCounter.allCases {
            metrics["viewers.\(counter.name)"] = .viewers(counter)
        }
        return metrics
    }()

    /// Returns the metric of a full name, for example `pod_manifest.response.p99` or `breaks[2026-11-21].late`.
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

    /// Returns the valid name with the fewest edits; keeps a break's key and a persona.
    package static func nearest(to name: String) -> String {
        if let (front, persona) = persona(in: name) {
            let figures = BreakFigure.ofPersonas.map { "breaks.\($0.rawValue)" }
            return NearestName.of(front, among: figures) + "{persona=\(persona)}"
        }
        guard let (key, rest) = breakKey(in: name) else { return NearestName.of(name, among: names) }
        let figures = BreakFigure.allCases.filter { $0 != .count }.map(\.rawValue)
        return "breaks[\(key)]." + NearestName.of(rest, among: figures)
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
