package import Rules

/// Thresholds that a break must meet to hold, each evaluated on one break and the requests around it.
package struct HoldRule: Equatable, Sendable {
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let problems: [String]

        package var description: String { problems.joined(separator: "\n") }
    }

    package let rules: [ThresholdRule]

    package var texts: [String] { rules.map(\.text) }

    /// Parses thresholds for breaks, spelled as in profiles; at least one.
    ///
    /// - Throws: `Mistake` with every invalid threshold.
    package init(parsing texts: [String]) throws(Mistake) {
        var (rules, problems): ([ThresholdRule], [String]) = ([], [])
        for text in texts {
            do throws(ThresholdError) {
                let rule = try ThresholdRule(parsing: text)
                if rule.metric.isOfOneBreak {
                    rules.append(rule)
                } else {
                    problems.append(
                        "'\(rule.metricName)' is no figure of one break; usable are breaks.on_time and the like without a key, "
                            + "and requests, errors and times of a request kind"
                    )
                }
            } catch {
                problems.append(error.description)
            }
        }
        guard problems.isEmpty, !rules.isEmpty else {
            throw Mistake(problems: problems.isEmpty ? ["nothing is asked of a break"] : problems)
        }
        self.rules = rules
    }

    /// Takes a profile's thresholds on breaks, with the default: a search judges breaks even if the profile does not.
    package init(ofProfile thresholds: [ThresholdRule]) {
        rules = thresholds.filter { $0.metric.isOfBreaks && $0.metric.isOfOneBreak && !$0.holdsAlways }
            .adding(default: .mostBreaksOnTime)
    }

    /// Whether due viewers without any report affect the rule.
    var seesSilent: Bool { rules.contains { $0.metric.seesSilent } }

    package func broken(by totals: RunTotals) -> [ThresholdResult] {
        rules.map { $0.evaluate(totals) }.filter(\.failed)
    }
}

extension Metric {
    fileprivate var isOfBreaks: Bool {
        switch self {
        case .breaks, .breaksOfPersona, .breaksOnTimeOfWorstPersona: true
        default: false
        }
    }

    /// Whether the figure depends on all due viewers.
    fileprivate var seesSilent: Bool {
        switch self {
        case .breaks(_, let figure): figure == .onTime || figure == .unresolved
        default: false
        }
    }

    /// Whether the figure exists for a single break, or for the requests around it.
    fileprivate var isOfOneBreak: Bool {
        switch self {
        case .breaks(let key, let figure): key == nil && figure != .count && figure != .due
        case .breaksOfPersona(_, let figure): figure != .due
        case .breaksOnTimeOfWorstPersona, .errors, .latency: true
        default: false
        }
    }
}
