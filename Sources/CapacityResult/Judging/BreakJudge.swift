package import Recording
import Rulebook
package import RunResult
import Thresholds

/// Judges each break of a run by itself, from the run's intervals as they come.
///
/// Of each break it keeps what was asked for from shortly before its first request until all who were due had their pod or
/// did not, and how the generator fared meanwhile. A break that did not hold while the generator was its own limit is
/// censored: of the target it says nothing.
package struct BreakJudge: Sendable {
    /// Times of the plan.
    package struct Timing: Equatable, Sendable {
        /// Requests for a break may leave so long before it.
        package var leadMicroseconds: Int64
        /// A pod is in time so long after the break's instant.
        package var graceMicroseconds: Int64
        /// No break is waited for any longer; less than from one break to the next.
        package var patienceMicroseconds: Int64

        package init(leadMicroseconds: Int64, graceMicroseconds: Int64, patienceMicroseconds: Int64) {
            self.leadMicroseconds = max(0, leadMicroseconds)
            self.graceMicroseconds = max(0, graceMicroseconds)
            self.patienceMicroseconds = max(self.graceMicroseconds &+ 1_000_000, patienceMicroseconds)
        }
    }

    /// What the generator is held against.
    package struct Generator: Equatable, Sendable {
        package var budget: GeneratorBudget
        package var loopCores: Int
        package var descriptorLimit: Int

        package init(budget: GeneratorBudget, loopCores: Int, descriptorLimit: Int) {
            self.budget = budget
            self.loopCores = loopCores
            self.descriptorLimit = descriptorLimit
        }
    }

    private struct Stretch: Sendable {
        var sums = Accumulation()
        var health: HealthLog
        var watching: Int64 = 0
        var peakPods = 0.0
        var peakRequests = 0.0

        mutating func add(_ interval: RunInterval) {
            // An interval may be cut short at a run's end: what it holds is of one second all the same.
            let seconds = max(1, Double(interval.durationMicroseconds) / 1_000_000)
            sums.add(interval)
            sums.addBreakLateness(interval.breakLateness)
            health.add(interval.health, seconds: Int(min(seconds, 1e6)), isOfBreak: true)
            watching = max(watching, interval.counts.activeViewers)
            peakPods = max(peakPods, Double(interval.counts.podRequests) / seconds)
            peakRequests = max(peakRequests, Double(interval.counts.requests) / seconds)
        }
    }

    /// Before a break is known: its first requests are sent within the interval in which it becomes so.
    private static let keptIntervals = 8
    /// Of the planned viewers so many must be there, or the target lost them on the way.
    private static let leastWatching = 0.95
    private static let servedShare = 0.95

    private let rule: HoldRule
    private let timing: Timing
    private let generator: Generator
    private let personaNames: [String]
    private let runStartMicroseconds: Int64
    private let planned: @Sendable (_ offsetMicroseconds: Int64) -> Int
    private var recent: [RunInterval] = []
    /// Of breaks that are not over, by loop and key.
    private var records: [Int: [String: BreakRecord]] = [:]
    private var stretches: [String: Stretch] = [:]
    private var closed: Set<String> = []
    /// Breaks of which nothing more is to come, in the order in which that became so.
    package private(set) var over: [JudgedBreak] = []

    /// - Parameters:
    ///   - rule: What a break must be like to hold.
    ///   - timing: Times of the plan.
    ///   - generator: What the generator is held against.
    ///   - personaNames: In the order of the personas' numbers.
    ///   - runStartMicroseconds: Since the Unix epoch.
    ///   - planned: How many are to watch, so long after the start of the run.
    package init(
        rule: HoldRule,
        timing: Timing,
        generator: Generator,
        personaNames: [String] = [],
        runStartMicroseconds: Int64,
        planned: @escaping @Sendable (_ offsetMicroseconds: Int64) -> Int
    ) {
        self.rule = rule
        self.timing = timing
        self.generator = generator
        self.personaNames = personaNames
        self.runStartMicroseconds = runStartMicroseconds
        self.planned = planned
    }

    /// Takes in the next interval.
    package mutating func add(_ interval: RunInterval) {
        for changes in interval.changes {
            for record in changes.breaks where !record.isOverflow && !closed.contains(record.key) {
                records[changes.loop, default: [:]][record.key] = record
            }
        }
        for record in open {
            if stretches[record.key] == nil {
                stretches[record.key] = Stretch(health: emptyHealth)
                for earlier in recent { take(earlier, into: record) }
            }
            take(interval, into: record)
            guard isOver(record, at: runStartMicroseconds &+ interval.endMicroseconds) else { continue }
            if record.due > 0, let stretch = stretches[record.key] { over.append(judge(record, stretch)) }
            close(record.key)
        }
        recent.append(interval)
        if recent.count > Self.keptIntervals { recent.removeFirst() }
    }

    /// All breaks that began at least the time of grace before the end of the run, in their order.
    ///
    /// - Parameter endMicroseconds: When the run ended, from its start.
    /// - Returns: Those that were judged while it went, and those of the rest that can be judged.
    package func all(ofRunUntil endMicroseconds: Int64) -> [JudgedBreak] {
        let rest = open.filter { record in
            let passed = runStartMicroseconds &+ endMicroseconds &- record.startMicroseconds
            return record.due > 0 && passed >= timing.graceMicroseconds &+ Self.settling
        }
        let judged = over + rest.compactMap { record in stretches[record.key].map { judge(record, $0) } }
        return judged.sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
    }

    /// Answers that came in time are counted within the second after.
    private static let settling: Int64 = 1_000_000

    private var emptyHealth: HealthLog {
        HealthLog(budget: generator.budget, loopCores: generator.loopCores, descriptorLimit: generator.descriptorLimit)
    }

    private var open: [BreakRecord] {
        var all: [String: BreakRecord] = [:]
        for (_, loop) in records { all.merge(loop) { $0.adding($1) } }
        return all.values.sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
    }

    private mutating func close(_ key: String) {
        closed.insert(key)
        stretches[key] = nil
        for loop in records.keys { records[loop]?[key] = nil }
    }

    private func isOver(_ record: BreakRecord, at now: Int64) -> Bool {
        let passed = now &- record.startMicroseconds
        guard passed >= timing.graceMicroseconds &+ Self.settling else { return false }
        return record.due > 0 && record.unresolved == 0 || passed >= timing.patienceMicroseconds
    }

    private mutating func take(_ interval: RunInterval, into record: BreakRecord) {
        let start = runStartMicroseconds &+ interval.startMicroseconds
        let end = runStartMicroseconds &+ interval.endMicroseconds
        guard end > record.startMicroseconds &- timing.leadMicroseconds,
            start < record.startMicroseconds &+ timing.patienceMicroseconds
        else { return }
        stretches[record.key]?.add(interval)
    }
}

extension BreakJudge {
    private func judge(_ record: BreakRecord, _ stretch: Stretch) -> JudgedBreak {
        let totals = RunTotals(
            sums: stretch.sums,
            counters: [UInt64](repeating: 0, count: ViewerCounter.allCases.count),
            personaViewers: [UInt64](repeating: 0, count: PersonaTallies.limit),
            personaNames: personaNames,
            breaks: [record],
            findings: FindingLedger()
        )
        let offset = record.startMicroseconds &- runStartMicroseconds
        let wanted = planned(offset)
        var broken = rule.broken(by: totals).map(\.sentence)
        if Double(stretch.watching) < Double(wanted) * Self.leastWatching {
            broken.append("only \(stretch.watching) of \(wanted) viewers were there")
        }
        let verdict = stretch.health.verdict(for: totals, blamesTarget: !broken.isEmpty)
        let outcome: JudgedBreak.Outcome =
            broken.isEmpty ? .held : verdict == .withinBudget ? .missed : .censored
        return JudgedBreak(
            key: record.key,
            startMicroseconds: record.startMicroseconds,
            planned: wanted,
            watching: Int(clamping: stretch.watching),
            due: record.due,
            onTime: record.onTime,
            late: record.late,
            failed: record.failuresByName,
            skipped: record.skipsByName,
            unresolved: record.unresolved,
            outcome: outcome,
            broken: broken,
            limits: verdict.reasons,
            slowestResponseMicroseconds: record.slowestResponseMicroseconds,
            peakPodRequestsPerSecond: stretch.peakPods,
            peakRequestsPerSecond: stretch.peakRequests,
            servedPerSecond: Self.servedPerSecond(record),
            requests: Self.requests(stretch.sums.requests),
            edges: Self.edges(stretch.sums.edges)
        )
    }

    /// From the first request of the break to when so many of those had their pod who ever had it.
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
            let errors = sums.outcomes(of: kind).filter(\.key.isError)
            let response = sums.latency(kind, .response).flatMap { LatencyResult($0) }
            return JudgedBreak.Requests(
                kind: kind.name,
                count: tally.count,
                errors: Dictionary(errors.map { ($0.key.code, $0.value) }) { $0 &+ $1 },
                p50Microseconds: response?.p50Microseconds,
                p99Microseconds: response?.p99Microseconds
            )
        }
    }

    private static func edges(_ sums: EdgeSums) -> [JudgedBreak.Edge] {
        sums.edges.sorted { $0.key < $1.key }.map { edge, kinds in
            let all = kinds.values.reduce(into: EdgeFigures()) { $0.add($1) }
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

extension ThresholdResult {
    /// What was asked and what was seen.
    fileprivate var sentence: String {
        guard let observed else { return "\(text): \(reason ?? "not observed")" }
        let seen =
            switch unit {
            case .microseconds: MetricText.time(microseconds: observed)
            case .percent: MetricText.percent(observed)
            case .count: MetricText.number(observed)
            }
        return "\(text): \(seen)"
    }
}
