import Rulebook
package import RunResult
package import Thresholds

/// What a break must be like to hold: thresholds, each asked of one break and of what was asked for around it.
package struct HoldRule: Equatable, Sendable {
    /// Why thresholds cannot be asked of one break.
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let problems: [String]

        package var description: String { problems.joined(separator: "\n") }
    }

    package let rules: [ThresholdRule]

    /// As written, in their order.
    package var texts: [String] { rules.map(\.text) }

    /// Reads what somebody asks of each break.
    ///
    /// - Parameter texts: As profiles spell thresholds; at least one.
    /// - Throws: `Mistake` with everything that cannot be asked.
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

    /// A profile's thresholds on breaks, with the default; a search judges breaks although the profile does not.
    package init(ofProfile thresholds: [ThresholdRule]) {
        rules = thresholds.filter { $0.metric.isOfBreaks && $0.metric.isOfOneBreak && !$0.holdsAlways }
            .adding(default: .mostBreaksOnTime)
    }

    /// Whether a viewer that is due and of which nothing is heard weighs in it.
    var seesSilent: Bool { rules.contains { $0.metric.seesSilent } }

    /// The rules that do not hold, with what was observed; none where the break holds.
    package func broken(by totals: RunTotals) -> [ThresholdResult] {
        rules.map { $0.evaluate(totals) }.filter(\.failed)
    }
}

extension Metric {
    /// Whether it is a profile's word on breaks.
    fileprivate var isOfBreaks: Bool {
        switch self {
        case .breaks, .breaksOfPersona, .breaksOnTimeOfWorstPersona: true
        default: false
        }
    }

    /// Whether it is a figure of all viewers that are due and of what became of them in time.
    fileprivate var seesSilent: Bool {
        switch self {
        case .breaks(_, let figure): figure == .onTime || figure == .unresolved
        default: false
        }
    }

    /// Whether there is such a figure of one break alone, or of the requests around it.
    fileprivate var isOfOneBreak: Bool {
        switch self {
        case .breaks(let key, let figure): key == nil && figure != .count && figure != .due
        case .breaksOfPersona(_, let figure): figure != .due
        case .breaksOnTimeOfWorstPersona, .errors, .latency: true
        default: false
        }
    }
}
