import Rulebook

/// How an observed figure must relate to a threshold's limit.
package enum ThresholdComparison: String, CaseIterable, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case greater = ">"

    package func holds(_ observed: Double, _ limit: Double) -> Bool {
        switch self {
        case .atLeast: observed >= limit
        case .atMost: observed <= limit
        case .equal: observed == limit
        case .notEqual: observed != limit
        case .less: observed < limit
        case .greater: observed > limit
        }
    }
}

/// The unit in which a threshold is judged; time is always judged in microseconds.
package enum MetricUnit: String, Codable, Sendable {
    case microseconds = "us"
    case percent = "%"
    case count
}

/// Why a threshold's text cannot be used.
package enum ThresholdError: Error, Equatable, Sendable, CustomStringConvertible {
    case noComparison(text: String)
    case unknownMetric(name: String, nearest: String)
    case badLimit(limit: String)
    case wrongUnit(metric: String, unit: String, allowed: String)

    package var description: String {
        switch self {
        case .noComparison(let text):
            "'\(text)' is no threshold; write <metric> <comparison> <limit>, as in breaks.on_time >= 99.9%"
                + " (comparisons: >= <= == != < >)"
        case .unknownMetric(let name, let nearest):
            "no metric is named '\(name)'; did you mean '\(nearest)'?"
        case .badLimit(let limit):
            "'\(limit)' is no limit; write a number that is not negative, with us, ms, s or % where the metric has a unit"
        case .wrongUnit(let metric, let unit, let allowed):
            "'\(metric)' cannot be judged in \(unit.isEmpty ? "plain numbers" : "'\(unit)'"); allowed: \(allowed)"
        }
    }
}

/// A condition a run must meet, for example `pod_manifest.response.p99 < 800ms`.
package struct ThresholdRule: Equatable, Sendable {
    /// As it was written, with outer blanks removed.
    package let text: String
    package let metricName: String
    package let metric: Metric
    package let comparison: ThresholdComparison
    /// In `unit`.
    package let limit: Double
    package let unit: MetricUnit

    /// Reads `<metric> <comparison> <limit>`; blanks between the parts do not matter.
    ///
    /// - Parameter text: A threshold as a profile spells it.
    /// - Throws: What is wrong with it, with the nearest valid name for an unknown metric.
    package init(parsing text: String) throws(ThresholdError) {
        let text = Self.trimmed(text[...])
        guard let (name, comparison, rest) = Self.split(text) else { throw .noComparison(text: text) }
        guard let metric = MetricCatalogue.metric(named: name) else {
            throw .unknownMetric(name: name, nearest: MetricCatalogue.nearest(to: name))
        }
        (limit, unit) = try Self.limit(rest, of: metric, named: name)
        self.text = text
        metricName = name
        self.metric = metric
        self.comparison = comparison
    }

    /// What a profile is judged by that says nothing of breaks: a run that served nobody must not pass for want of a
    /// threshold.
    package static let mostBreaksOnTime = ThresholdRule(
        text: "breaks.on_time >= 99%",
        metricName: "breaks.on_time",
        metric: .breaks(key: nil, .onTime),
        comparison: .atLeast,
        limit: 99,
        unit: .percent
    )

    /// The same of a profile whose breaks are only stitched into the channel.
    package static let mostPlaylistsAnswered = ThresholdRule(
        text: "playlist.errors < 1%",
        metricName: "playlist.errors",
        metric: .errors(.playlist),
        comparison: .less,
        limit: 1,
        unit: .percent
    )

    private init(
        text: String,
        metricName: String,
        metric: Metric,
        comparison: ThresholdComparison,
        limit: Double,
        unit: MetricUnit
    ) {
        self.text = text
        self.metricName = metricName
        self.metric = metric
        self.comparison = comparison
        self.limit = limit
        self.unit = unit
    }

    /// Reads a duration as a threshold's limit spells it.
    ///
    /// - Parameter text: A number with us, ms or s.
    /// - Returns: Microseconds.
    /// - Throws: What is wrong with it.
    package static func microseconds(reading text: String) throws(ThresholdError) -> Double {
        try limit(trimmed(text[...]), of: .stalledTime, named: text).0
    }

    private static func split(_ text: String) -> (name: String, comparison: ThresholdComparison, limit: String)? {
        // A break's key may hold any character, so the search begins after its bracket; likewise after a persona.
        let from =
            text.hasPrefix("breaks[")
            ? text.lastIndex(of: "]") ?? text.startIndex : text.lastIndex(of: "}") ?? text.startIndex
        guard let start = text[from...].firstIndex(where: { "<>=!".contains($0) }) else { return nil }
        guard let comparison = ThresholdComparison.allCases.first(where: { text[start...].hasPrefix($0.rawValue) })
        else { return nil }
        let name = trimmed(text[..<start])
        let limit = trimmed(text[start...].dropFirst(comparison.rawValue.count))
        return name.isEmpty || limit.isEmpty ? nil : (name, comparison, limit)
    }

    private static func limit(
        _ text: String,
        of metric: Metric,
        named name: String
    ) throws(ThresholdError) -> (Double, MetricUnit) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "_") }
        let unit = trimmed(text[digits.endIndex...])
        guard let number = Double(digits.filter { $0 != "_" }), number.isFinite else { throw .badLimit(limit: text) }
        guard ["", "us", "ms", "s", "%"].contains(unit) else { throw .badLimit(limit: text) }
        switch (metric.dimension, unit) {
        case (.time, "us"): return (number, .microseconds)
        case (.time, "ms"): return (number * 1_000, .microseconds)
        case (.time, "s"): return (number * 1_000_000, .microseconds)
        case (.count, ""), (.shareOrCount, ""): return (number, .count)
        case (.shareOrCount, "%"), (.share, "%"): return (number, .percent)
        default: throw .wrongUnit(metric: name, unit: unit, allowed: metric.dimension.unitsAllowed)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
        let front = text.drop { blanks.contains($0) }
        return String(front.reversed().drop { blanks.contains($0) }.reversed())
    }
}
