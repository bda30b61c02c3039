import Rulebook

/// What a run came to, with the exit code that says so.
package struct RunVerdict: Equatable, Codable, Sendable {
    /// The kinds of end a run can come to.
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case passed
        case failed
        case clientLimited = "client_limited"
        /// Parts of a run of several shards are missing, and what is there shows no failure.
        case incomplete
        /// A threshold has no sample because no viewer was due or nothing called for such a request, and nothing else
        /// shows a failure.
        case undecided
        case interrupted
        case defect

        package var exitCode: Int {
            switch self {
            case .passed: 0
            case .failed: 1
            case .clientLimited, .incomplete, .undecided: 3
            case .interrupted: 130
            case .defect: 70
            }
        }
    }

    package var outcome: Outcome
    package var exitCode: Int
    /// Every reason against the run, gravest first, whatever decided its outcome.
    package var reasons: [String]

    /// Judges a run once, at its end.
    ///
    /// A defect of podswarm outweighs all, because nothing else in the result can then be trusted; an interrupted run
    /// is not judged; a client-limited one is never held against the target. What a shard that was lost would have shown
    /// cannot undo a failure, and without it nothing has passed.
    ///
    /// - Parameters:
    ///   - interrupted: Whether the user ended the run.
    ///   - abortedBy: The abort condition that ended it, if any.
    ///   - generator: Whether the generator stayed within its budget.
    ///   - thresholds: The judged thresholds.
    ///   - unjudged: What the profile asked for and nobody can judge, as sentences; each counts as a failure.
    ///   - findings: All findings; each says whether the profile allows it.
    ///   - reconciliation: The comparison with the origin's counts, where there is one.
    ///   - defects: What podswarm itself got wrong, besides a difference of counts.
    ///   - drift: Series of windows that decide: the target's creeping fails the run, the generator's limits it.
    ///   - missing: What is not there of a run of several shards, as sentences.
    /// - Returns: The verdict.
    package static func judge(
        interrupted: Bool,
        abortedBy: String?,
        generator: GeneratorVerdict,
        thresholds: [ThresholdResult],
        unjudged: [String] = [],
        findings: [FindingResult],
        reconciliation: Reconciliation?,
        defects: [String] = [],
        drift: [DriftResult] = [],
        missing: [String] = []
    ) -> RunVerdict {
        let defects =
            defects
            + (reconciliation?.defects ?? [])
        let creeping = drift.filter { $0.verdict == .creeping }
        let limits = generator.reasons + creeping.filter { $0.subject == .generator }.map(\.text)
        let beyond: [String] = findings.filter(\.failsRun).map(\.reason)
        let failures =
            beyond.sorted() + unjudged
            + thresholds.filter(\.failed).map { "\($0.shownText): observed \($0.observedText)" }
            + creeping.filter { $0.subject == .target }.map(\.text)
            + (abortedBy.map { ["aborted: \($0)"] } ?? [])
        let undecided = thresholds.filter { $0.isUndecided == true }
            .map { "\($0.shownText): \($0.observedText)" }
        let outcome: Outcome =
            if !defects.isEmpty {
                .defect
            } else if interrupted {
                .interrupted
            } else if !limits.isEmpty {
                .clientLimited
            } else if !failures.isEmpty {
                .failed
            } else if !missing.isEmpty {
                .incomplete
            } else {
                undecided.isEmpty ? .passed : .undecided
            }
        return RunVerdict(
            outcome: outcome,
            exitCode: outcome.exitCode,
            reasons: defects + limits + failures + missing + undecided
        )
    }
}
