import Rules
import Values

package struct ShardResult: Equatable, Codable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        case ended
        case interrupted
        case aborted
        case cutOff = "cut_off"
        case missing
    }

    package var index: Int
    package var state: State
    package var host: HostFacts?
    package var loops: Int?
    package var endedAtMicroseconds: Int64?
    package var viewers: UInt64?
    package var requests: UInt64?
    package var errors: UInt64?
    package var findings: UInt64?
    package var due: UInt64?
    package var onTime: UInt64?
    package var unresolvedLeftOut: UInt64?
    package var health: HealthResult?
    package var clock: ShardClock?
    package var abortedBy: String?
    package var recovered: RecoveredMark?

    package init(missing index: Int) {
        self.index = index
        state = .missing
    }

    package init(
        index: Int,
        state: State,
        run: RunDescription,
        endedAtMicroseconds: Int64,
        totals: RunTotals,
        health: HealthResult,
        ownFailure: String? = nil
    ) {
        (self.index, self.state) = (index, state)
        (host, loops, clock) = (run.host, run.loops, run.shard?.clock)
        self.endedAtMicroseconds = endedAtMicroseconds
        viewers = totals.viewers.people
        requests = RequestKind.allCases.reduce(0) { $0 &+ totals.requestCount(of: $1) }
        errors = RequestKind.allCases.reduce(0) { $0 &+ totals.errorCount(of: $1) }
        findings = totals.findings.reduce(0) { $0 &+ $1.count }
        due = totals.breaks.reduce(0) { $0 &+ $1.due }
        onTime = totals.breaks.reduce(0) { $0 &+ $1.onTime }
        // The verdict on the whole run is not known yet, so a shard that waited for cores in its breaks counts as limited.
        let limits = [ownFailure].compactMap(\.self) + health.limits(for: totals, blamesTarget: true)
        self.health = health.judged(totals, reasons: limits, blamesTarget: true)
    }
}

package struct ShardAccount: Equatable, Sendable {
    /// Sorted by index, one for each shard of the plan.
    package let shards: [ShardResult]
    /// Share of viewers, from 0 to 1.
    package let toleratedLimitedShare: Double

    var judgedLimits: [String] { limitsMatter ? limits : [] }

    /// Missing parts as messages; a run with any cannot pass.
    package var missing: [String] {
        shards.compactMap { shard in
            switch shard.state {
            case .ended, .aborted: nil
            case .interrupted: "\(name(of: shard)) was interrupted"
            case .missing: "\(name(of: shard)) left nothing"
            case .cutOff:
                "\(name(of: shard)) was cut off after \(GroupedDigits.counted(shard.recovered?.intervals ?? 0, "interval")): "
                    + (shard.recovered?.reason ?? "its journal says no more")
            }
        }
    }

    package var notes: [String] {
        let leftOut = shards.filter { ($0.unresolvedLeftOut ?? 0) > 0 }.map { shard in
            "\(name(of: shard)): \(GroupedDigits.counted(shard.unresolvedLeftOut ?? 0, "viewer")) due when it ended, and not "
                + "counted, because the outcome is unknown."
        }
        let told = leftOut + clockNotes
        guard !limitsMatter, !limits.isEmpty else { return told }
        let share = MetricText.percent(limitedShare * 100)
        let tolerated = "Shards with \(share) of the viewers were their own limit, which is tolerated: "
        return told + [tolerated + limits.joined(separator: "; ") + "."]
    }

    private var clockNotes: [String] {
        let wide = shards.compactMap { shard in
            shard.clock.flatMap(\.boundMicroseconds).flatMap { bound in
                bound > ShardClock.widestBoundMicroseconds
                    ? "\(name(of: shard)): its clock is known to \(MetricText.time(microseconds: Double(bound))) only, and so "
                        + "is when its requests left against those of others." : nil
            }
        }
        let unknown = shards.filter { $0.clock.map { $0.boundMicroseconds == nil } ?? false }.map { name(of: $0) }
        guard shards.count > 1, !unknown.isEmpty else { return wide }
        let more = unknown.count > 4 ? " and \(unknown.count - 4) more" : ""
        return wide + [
            "The clock of \(unknown.prefix(4).joined(separator: ", "))\(more) was not measured at the end: its "
                + "drift is unknown, and over how much time the requests of a break left all shards has no bound."
        ]
    }

    package var boundBetweenMicroseconds: Int64? {
        shards.filter { $0.viewers != nil }.map(\.clock).boundBetweenMicroseconds
    }

    private var isLimited: (ShardResult) -> Bool { { $0.health.map { !$0.withinBudget } ?? false } }

    private var limits: [String] {
        shards.filter(isLimited).flatMap { shard in
            (shard.health?.reasons ?? []).map { "\(name(of: shard)): \($0)" }
        }
    }

    private var limitedShare: Double {
        let all = shards.reduce(0.0) { $0 + Double($1.viewers ?? 0) }
        guard all > 0 else { return 1 }
        return shards.filter(isLimited).reduce(0.0) { $0 + Double($1.viewers ?? 0) } / all
    }

    private var limitsMatter: Bool {
        shards.contains(where: isLimited) && (toleratedLimitedShare <= 0 || limitedShare > toleratedLimitedShare)
    }

    /// For example `shard 2 of 4 (edge-7)`, as in `--shard 2/4`.
    package func name(of shard: ShardResult) -> String {
        let host = shard.host?.name.map { " (\($0))" } ?? ""
        return "shard \(shard.index) of \(shards.count)\(host)"
    }
}

package struct ShardClock: Equatable, Codable, Sendable {
    package struct Offset: Equatable, Codable, Sendable {
        package var offsetMicroseconds: Int64
        package var boundMicroseconds: Int64
        package var driftMicroseconds: Int64?

        package init(offsetMicroseconds: Int64, boundMicroseconds: Int64, driftMicroseconds: Int64? = nil) {
            (self.offsetMicroseconds, self.boundMicroseconds) = (offsetMicroseconds, boundMicroseconds)
            self.driftMicroseconds = driftMicroseconds
        }
    }

    package var start: Offset
    package var end: Offset?
    package var isSynchronised: Bool?
    package var kernelMaximumErrorMicroseconds: Int64?

    package init(start: Offset) { self.start = start }

    /// A spread of this size is indistinguishable from none.
    package static let widestBoundMicroseconds: Int64 = 5_000

    /// nil if the end was not measured; the clocks are assumed to drift apart in one direction.
    package var boundMicroseconds: Int64? {
        guard let end, let drift = end.driftMicroseconds else { return nil }
        let atEnd = Int64(clamping: drift.magnitude).addingReportingOverflow(end.boundMicroseconds)
        return atEnd.overflow ? nil : max(start.boundMicroseconds, atEnd.partialValue)
    }
}

extension [ShardClock?] {
    /// Largest error between two shards: the sum of the two greatest bounds; nil if one is unknown.
    package var boundBetweenMicroseconds: Int64? {
        let bounds = compactMap { $0?.boundMicroseconds }.sorted(by: >)
        guard bounds.count == count, bounds.count > 1 else { return nil }
        return bounds[0] &+ bounds[1]
    }
}
