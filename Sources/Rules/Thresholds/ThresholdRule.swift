import Values

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

/// Unit in which a threshold is judged; time is always in microseconds.
package enum MetricUnit: String, Codable, Sendable {
    case microseconds = "us"
    case percent = "%"
    case count
}

package struct ThresholdError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// For example `pod_manifest.response.p99 < 800ms`.
package struct ThresholdRule: Equatable, Sendable {
    /// Original text without outer white space.
    package let text: String
    package let metricName: String
    package let metric: Metric
    package let comparison: ThresholdComparison
    /// In `unit`.
    package let limit: Double
    package let unit: MetricUnit
    package let isDefault: Bool
}

extension ThresholdRule {
    /// Parses `<metric> <comparison> <limit>`; throws the nearest valid name for an unknown metric.
    ///
    /// `isRecorded` marks text of a journal or a result, perhaps of an earlier version. A number without a unit is then a
    /// count, and a limit may be out of range.
    package init(parsing text: String, isRecorded: Bool = false, isDefault: Bool = false) throws(ThresholdError) {
        let text = Self.trimmed(text[...])
        guard let (name, comparison, rest) = Self.split(text) else {
            throw .init(
                "'\(text)' is not a threshold; write <metric> <comparison> <limit>, as in breaks.on_time >= 99.9%"
                    + " (comparisons: >= <= == != < >)"
            )
        }
        guard let metric = MetricCatalogue.metric(named: name) else { throw MetricCatalogue.refusal(of: name) }
        let written = try WrittenLimit(reading: rest, of: metric, named: name)
        (limit, unit) = written.amount
        if !isRecorded { try written.check(comparison, text: text) }
        (self.text, metricName, self.metric) = (text, name, metric)
        (self.comparison, self.isDefault) = (comparison, isDefault)
    }

    /// A run that served no viewer must not pass for lack of a threshold.
    package static let mostBreaksOnTime = standard("breaks.on_time", .breaks(key: nil, .onTime), .atLeast, percent: 99)

    /// For a profile whose breaks are all stitched into the channel.
    package static let mostPlaylistsAnswered = standard("playlist.errors", .errors(.playlist), .less, percent: 1)

    private static func standard(_ name: String, _ metric: Metric, _ sign: ThresholdComparison, percent: Int) -> Self {
        Self(
            text: "\(name) \(sign.rawValue) \(percent)%",
            metricName: name,
            metric: metric,
            comparison: sign,
            limit: Double(percent),
            unit: .percent,
            isDefault: true
        )
    }

    /// Whether every value satisfies it: the metric is not judged.
    package var holdsAlways: Bool { comparison == .atLeast && limit == 0 }

    /// Accepts us, ms and s.
    package static func microseconds(reading text: String) throws(ThresholdError) -> Double {
        try WrittenLimit(reading: trimmed(text[...]), of: .stalledTime, named: text).amount.0
    }

    private static func split(_ text: String) -> (name: String, comparison: ThresholdComparison, limit: String)? {
        // A break's key or a persona may contain any character: the search begins after its bracket.
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

    fileprivate static func trimmed(_ text: Substring) -> String {
        text.trimmed { [" ", "\t", "\n", "\r", "\r\n"].contains($0) }
    }
}

extension [ThresholdRule] {
    package func adding(default rule: ThresholdRule) -> [ThresholdRule] {
        self + (contains { $0.metric == rule.metric } ? [] : [rule])
    }
}

/// Parsed and not yet checked.
private struct WrittenLimit {
    private let text: String
    private let number: Double
    private let unit: String
    private let metric: Metric
    private let metricName: String
    /// In the unit in which the threshold is judged.
    let amount: (Double, MetricUnit)

    init(reading text: String, of metric: Metric, named name: String) throws(ThresholdError) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "_") }
        let unit = ThresholdRule.trimmed(text[digits.endIndex...])
        guard let number = Double(digits.filter { $0 != "_" }), number.isFinite,
            unit.isEmpty || unit == "%" || unit.allSatisfy({ $0.isASCII && $0.isLetter })
        else {
            let units = metric.unitsAllowed
            throw .init("'\(text)' is not a limit; write one number that is not negative, with one unit (\(units))")
        }
        switch (metric.dimension, unit) {
        case (.time, "us"): amount = (number, .microseconds)
        case (.time, "ms"): amount = (number * 1_000, .microseconds)
        case (.time, "s"): amount = (number * 1_000_000, .microseconds)
        case (.time, "") where number == 0: amount = (0, .microseconds)
        case (.count, ""), (.shareOrCount, ""): amount = (number, .count)
        case (.count, _) where metric.counts(in: unit), (.shareOrCount, _) where metric.counts(in: unit):
            amount = (number, .count)
        case (.shareOrCount, "%"), (.share, "%"): amount = (number, .percent)
        case (.share, "") where number == 0: amount = (0, .percent)
        case (.time, ""), (.share, ""): throw Self.bareNumber(text, number, metric)
        default:
            throw .init("'\(name)' cannot be compared with a limit in '\(unit)'; allowed: \(metric.unitsAllowed)")
        }
        (self.text, self.number, self.unit) = (text, number, unit)
        (self.metric, metricName) = (metric, name)
    }

    func check(_ comparison: ThresholdComparison, text whole: String) throws(ThresholdError) {
        let (limit, kind) = amount
        // Zero is the same in every unit.
        if unit.isEmpty, number != 0, metric.dimension == .shareOrCount {
            throw Self.bareNumber(text, number, metric, comparison)
        }
        if kind == .count, limit != limit.rounded() { throw .init("'\(text)' is not a count; write a whole number") }
        let range = kind == .percent ? "from 0% to 100%" : "never below 0"
        let neverHolds = "'\(whole)' can never hold, because the figure is \(range)"
        if kind == .percent, limit > 100 { throw .init("'\(text)' is out of range; \(metricName) is \(range)") }
        if kind == .percent, limit == 100 {
            if comparison == .greater { throw .init(neverHolds) }
            // Ads and slate, a share only, can be longer than the requested time.
            if comparison == .atMost, metric.dimension == .shareOrCount {
                let remedy = "write >= 0% where \(metricName) is not to be judged"
                throw .init("'\(whole)' can never fail, because the figure is \(range); \(remedy)")
            }
        }
        if comparison == .less, limit == 0 {
            throw .init("\(neverHolds); write \(ThresholdComparison.atMost.rawValue) \(text)")
        }
    }

    private static func bareNumber(
        _ text: String,
        _ number: Double,
        _ metric: Metric,
        _ comparison: ThresholdComparison? = nil
    ) -> ThresholdError {
        let spellings = spellings(of: number, metric, comparison).joined(separator: " or ")
        return ThresholdError("'\(text)' has no unit; write \(spellings)")
    }

    /// The likelier spelling first.
    private static func spellings(of number: Double, _ metric: Metric, _ comparison: ThresholdComparison?) -> [String] {
        let text = MetricText.decimal(number)
        let isWhole = number == number.rounded()
        switch metric.dimension {
        case .time: return ["us", "ms", "s"].map { text + $0 }
        case .share, .shareOrCount:
            // 1 means 100 %, except where a limit of 100 % is itself rejected.
            let refusesWhole = comparison == .atMost || comparison == .greater
            let isFraction = number < 1 || number == 1 && !refusesWhole
            let share = isFraction ? MetricText.decimal(number * 100) : text
            let shares = number <= 100 ? ["\(share)% for the share"] : []
            guard let noun = metric.noun else { return shares }
            let counted = number == 1 ? String(noun.dropLast()) : noun
            return shares + ["\(isWhole ? text : "a whole number of") \(counted) for the count"]
        case .count: return [text]
        }
    }
}

extension Metric {
    fileprivate func counts(in word: String) -> Bool { noun.map { word == $0 || word + "s" == $0 } ?? false }
}

/// Another version may have written its text.
package enum WrittenThreshold: Codable, Equatable, Sendable {
    case rule(ThresholdRule)
    /// A run that has one cannot pass.
    case unreadable(text: String, reason: String)

    package init(_ text: String, isDefault: Bool = false) {
        do throws(ThresholdError) {
            self = .rule(try ThresholdRule(parsing: text, isRecorded: true, isDefault: isDefault))
        } catch {
            self = .unreadable(text: text, reason: error.description)
        }
    }

    package var text: String {
        switch self {
        case .rule(let rule): rule.text
        case .unreadable(let text, _): text
        }
    }

    package var rule: ThresholdRule? { if case .rule(let rule) = self { rule } else { nil } }

    package var complaint: String? {
        guard case .unreadable(let text, let reason) = self else { return nil }
        return "the threshold '\(text)' cannot be judged: \(reason)"
    }

    private struct Default: Codable {
        var standard: String

        private enum CodingKeys: String, CodingKey { case standard = "default" }
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.init(text)
        } else {
            self.init(try value.decode(Default.self).standard, isDefault: true)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if rule?.isDefault == true {
            try value.encode(Default(standard: text))
        } else {
            try value.encode(text)
        }
    }
}
