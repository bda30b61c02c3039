package import Rules

/// Judges each break by itself; one that did not hold while the generator was its own limit is censored.
package struct BreakJudge: Sendable {
    /// Share of planned viewers; with fewer present, the target lost them.
    private static let leastWatching = 0.95
    private static let servedShare = 0.95

    private let rule: HoldRule
    private let countsSilent: Bool
    private let personaNames: [String]
    private let runStartMicroseconds: Int64
    private let planned: @Sendable (_ offsetMicroseconds: Int64) -> Int

    /// `countsSilent`: a viewer without a report missed the break; `planned` takes the offset from the run's start.
    package init(
        rule: HoldRule,
        countsSilent: Bool = true,
        personaNames: [String] = [],
        runStartMicroseconds: Int64,
        planned: @escaping @Sendable (_ offsetMicroseconds: Int64) -> Int
    ) {
        (self.rule, self.countsSilent, self.personaNames) = (rule, countsSilent, personaNames)
        (self.runStartMicroseconds, self.planned) = (runStartMicroseconds, planned)
    }

    /// Each process has its part, with a name if there are several; `missing` are reasons for those without data.
    package func judge(_ parts: [(name: String?, seen: SeenBreak)], missing: [String] = []) -> JudgedBreak? {
        guard let first = parts.first else { return nil }
        var whole = parts.dropFirst().reduce(first.seen) { $0.addingInParallel($1.seen) }
        let silent = countsSilent ? whole.silent : 0
        whole.record.countSilent(silent)
        let wanted = planned(whole.record.startMicroseconds &- runStartMicroseconds)
        var broken = rule.broken(by: whole.totals(personaNames: personaNames)).map { "\($0.text): \($0.observedText)" }
        if Double(whole.watching) < Double(wanted) * Self.leastWatching {
            broken.append("only \(whole.watching) of \(wanted) viewers were there")
        } else if !rule.seesSilent, Double(silent) > Double(wanted) * (1 - Self.leastWatching) {
            broken.append("nothing is heard of \(silent) of \(wanted) viewers")
        }
        // Each generator has limits of its own.
        let limits =
            missing
            + parts.flatMap { name, seen in
                let totals = seen.totals(personaNames: personaNames)
                let reasons = seen.health.limits(for: totals, blamesTarget: !broken.isEmpty)
                return reasons.map { reason in name.map { "\($0): \(reason)" } ?? reason }
            }
        let record = whole.record
        return JudgedBreak(
            key: record.key,
            startMicroseconds: record.startMicroseconds,
            planned: wanted,
            watching: Int(clamping: whole.watching),
            due: record.due,
            onTime: record.onTime,
            late: record.late,
            failed: record.failuresByName,
            skipped: record.skipsByName,
            unresolved: record.unresolved,
            outcome: broken.isEmpty ? .held : limits.isEmpty ? .missed : .censored,
            broken: broken,
            limits: limits,
            slowestResponseMicroseconds: record.slowestResponseMicroseconds,
            peakPodRequestsPerSecond: whole.peakPodsPerSecond,
            peakRequestsPerSecond: whole.peakRequestsPerSecond,
            servedPerSecond: Self.servedPerSecond(record),
            requests: Self.requests(whole.sums.requests),
            edges: Self.edges(whole.sums.edges)
        )
    }

    private static func servedPerSecond(_ record: BreakRecord) -> Double? {
        guard let first = record.burst.firstOffset, let step = record.inHand.firstStepMicroseconds else { return nil }
        let served = Double(record.onTime &+ record.late) * servedShare
        var (count, index) = (Double(record.inHand.earlier), 0)
        while count < served, index < record.inHand.counts.count {
            count += Double(record.inHand.counts[index])
            index += 1
        }
        let until = step &+ Int64(index) &* record.inHand.stepMicroseconds
        guard count >= served, served > 0, until > first else { return nil }
        return served * 1_000_000 / Double(until &- first)
    }

    private static func requests(_ sums: RequestSums) -> [JudgedBreak.Requests] {
        sums.tallies().sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, tally in
            let response = sums.latency(kind, .response).flatMap { LatencyResult($0) }
            return JudgedBreak.Requests(
                kind: kind.name,
                count: tally.count,
                errors: sums.outcomesByCode(kind, where: \.isError),
                p50Microseconds: response?.p50Microseconds,
                p99Microseconds: response?.p99Microseconds
            )
        }
    }

    private static func edges(_ edges: [Edge: [RequestKind: AnswerFigures]]) -> [JudgedBreak.Edge] {
        edges.sorted { $0.key < $1.key }.map { edge, kinds in
            let all = kinds.values.reduce(into: AnswerFigures()) { $0.add($1) }
            return JudgedBreak.Edge(
                address: edge.address,
                pop: edge.pop,
                count: all.count,
                errors: all.errors,
                p99Microseconds: LatencyResult(all.response)?.p99Microseconds
            )
        }
    }
}

package struct HoldRule: Equatable, Sendable {
    package let rules: [ThresholdRule]

    package var texts: [String] { rules.map(\.text) }

    package init(parsing texts: [String]) throws(Problems) {
        var (rules, problems): ([ThresholdRule], [String]) = ([], [])
        for text in texts {
            do throws(ThresholdError) {
                let rule = try ThresholdRule(parsing: text)
                if rule.metric.isOfOneBreak {
                    rules.append(rule)
                } else {
                    problems.append(
                        "'\(rule.metricName)' is not a figure of one break; usable are breaks.on_time and the like without a key, "
                            + "and requests, errors and times of a request kind"
                    )
                }
            } catch {
                problems.append(error.description)
            }
        }
        guard problems.isEmpty, !rules.isEmpty else {
            throw Problems(problems.isEmpty ? ["nothing is asked of a break"] : problems)
        }
        self.rules = rules
    }

    /// Adds the default: a search judges breaks even if the profile does not.
    package init(ofProfile thresholds: [ThresholdRule]) {
        rules = thresholds.filter { $0.metric.isOfBreaks && $0.metric.isOfOneBreak && !$0.holdsAlways }
            .adding(default: .mostBreaksOnTime)
    }

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

    fileprivate var seesSilent: Bool {
        switch self {
        case .breaks(_, let figure): figure == .onTime || figure == .unresolved
        default: false
        }
    }

    fileprivate var isOfOneBreak: Bool {
        switch self {
        case .breaks(let key, let figure): key == nil && figure != .count && figure != .due
        case .breaksOfPersona(_, let figure): figure != .due
        case .breaksOnTimeOfWorstPersona, .errors, .latency: true
        default: false
        }
    }
}
