import Recording
import Rulebook
import Thresholds

/// What one shard of a run did, and whether its own figures may be believed.
package struct ShardResult: Equatable, Codable, Sendable {
    /// How a shard's part ended.
    package enum State: String, Codable, CaseIterable, Sendable {
        /// By itself.
        case ended
        /// Somebody asked it to end.
        case interrupted
        /// A condition of its profile ended it.
        case aborted
        /// It was killed: its part is what its journal holds.
        case cutOff = "cut_off"
        /// It left nothing that could be read.
        case missing
    }

    /// From 0.
    package var index: Int
    package var state: State
    /// Nil for a shard that is missing, as is all that follows.
    package var host: HostFacts?
    package var loops: Int?
    package var endedAtMicroseconds: Int64?
    /// Viewers that joined.
    package var viewers: UInt64?
    /// After the warm-up, as are errors and breaks.
    package var requests: UInt64?
    package var errors: UInt64?
    /// What its own viewers show; what only shows against those of others is in the result's findings.
    package var findings: UInt64?
    package var due: UInt64?
    package var onTime: UInt64?
    /// Viewers that were due when a shard was lost, and of whom nobody knows what became: they count for nothing.
    package var unresolvedLeftOut: UInt64?
    package var health: HealthResult?
    /// Nil too in results of versions that did not measure it.
    package var clock: ShardClock?
    /// The condition that ended it, as it was written.
    package var abortedBy: String?
    /// How the journal of a shard ends that was cut off.
    package var recovered: RecoveredMark?

    /// A shard that left nothing.
    package init(missing index: Int) {
        self.index = index
        state = .missing
    }

    /// A shard whose journal was read.
    ///
    /// - Parameters:
    ///   - index: From 0.
    ///   - state: How it ended.
    ///   - run: What it ran.
    ///   - endedAtMicroseconds: When.
    ///   - totals: What its loops recorded.
    ///   - health: Its generator's health, which is judged by itself.
    ///   - ownFailure: Which part of podswarm failed, as a sentence without its end; nil where all worked.
    package init(
        index: Int,
        state: State,
        run: RunDescription,
        endedAtMicroseconds: Int64,
        totals: RunTotals,
        health: HealthLog,
        ownFailure: String? = nil
    ) {
        self.index = index
        self.state = state
        host = run.host
        loops = run.loops
        clock = run.shard?.clock
        self.endedAtMicroseconds = endedAtMicroseconds
        viewers = totals.viewers.people
        requests = RequestKind.allCases.reduce(0) { $0 &+ totals.requestCount(of: $1) }
        errors = RequestKind.allCases.reduce(0) { $0 &+ totals.errorCount(of: $1) }
        findings = totals.findings.reduce(0) { $0 &+ $1.count }
        due = totals.breaks.reduce(0) { $0 &+ $1.due }
        onTime = totals.breaks.reduce(0) { $0 &+ $1.onTime }
        // What the whole will be blamed for is not known yet: a shard that waited for cores in its breaks is doubted.
        self.health = HealthResult(
            log: health,
            totals: totals,
            verdict: health.verdict(for: totals, blamesTarget: true).limited(also: ownFailure),
            blamesTarget: true
        )
    }
}

/// The parts of a run of several shards, and what they mean for the verdict on the whole.
package struct ShardAccount: Equatable, Sendable {
    /// In the order of their indices; one for each shard of the plan.
    package let shards: [ShardResult]
    /// Share of the viewers, from 0 to 1, that shards may hold together which were their own limit.
    package let toleratedLimitedShare: Double

    package init(shards: [ShardResult], toleratedLimitedShare: Double) {
        self.shards = shards.sorted { $0.index < $1.index }
        self.toleratedLimitedShare = toleratedLimitedShare
    }

    /// Whether the generators, each judged by itself, held as long as it matters.
    package var generator: GeneratorVerdict {
        limitsMatter ? .clientLimited(reasons: limits) : .withinBudget
    }

    /// What is not there, as sentences: such a run cannot pass.
    package var missing: [String] {
        shards.compactMap { shard in
            switch shard.state {
            case .ended, .aborted: nil
            case .interrupted: "\(name(of: shard)) was interrupted"
            case .missing: "\(name(of: shard)) left nothing"
            case .cutOff:
                "\(name(of: shard)) was cut off after \(shard.recovered?.intervals ?? 0) intervals: "
                    + (shard.recovered?.reason ?? "its journal says no more")
            }
        }
    }

    /// What a reader should know.
    package var notes: [String] {
        let leftOut = shards.filter { ($0.unresolvedLeftOut ?? 0) > 0 }.map { shard in
            "\(name(of: shard)): \(shard.unresolvedLeftOut ?? 0) viewers were due when it ended, and count for nothing, "
                + "because nobody knows what became of them."
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
            "The clock of \(unknown.prefix(4).joined(separator: ", "))\(more) was not measured at the end: nobody knows how far "
                + "it drifted, and over how much time the requests of a break left all shards has no bound."
        ]
    }

    /// How far instants of two shards may be wrong against each other; nil where that is not known.
    package var boundBetweenMicroseconds: Int64? {
        shards.filter { $0.viewers != nil }.map(\.clock).boundBetweenMicroseconds
    }

    private var isLimited: (ShardResult) -> Bool { { $0.health.map { !$0.withinBudget } ?? false } }

    private var limits: [String] {
        shards.filter(isLimited).flatMap { shard in
            (shard.health?.reasons ?? []).map { "\(name(of: shard)): \($0)" }
        }
    }

    /// From 0 to 1; all of them where nobody joined.
    private var limitedShare: Double {
        let all = shards.reduce(0.0) { $0 + Double($1.viewers ?? 0) }
        guard all > 0 else { return 1 }
        return shards.filter(isLimited).reduce(0.0) { $0 + Double($1.viewers ?? 0) } / all
    }

    private var limitsMatter: Bool {
        shards.contains(where: isLimited)
            && (toleratedLimitedShare <= 0 || limitedShare > toleratedLimitedShare)
    }

    /// As in `shard 2 of 4 (edge-7)`: indices are from 0, as `--shard 2/4` has them.
    package func name(of shard: ShardResult) -> String {
        let host = shard.host?.name.map { " (\($0))" } ?? ""
        return "shard \(shard.index) of \(shards.count)\(host)"
    }
}
