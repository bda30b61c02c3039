import Rules

package struct RunVerdict: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, CaseIterable, Sendable {
        case passed
        case failed
        case clientLimited = "client_limited"
        case incomplete
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
    package var reasons: [String]

    /// A client-limited run never fails the target; a missing shard undoes no failure, but nothing passes without it.
    ///
    /// `line` tells how much is due to viewers' own lines: the profile asked for them, so thresholds fail by them too.
    package static func judge(
        interrupted: Bool,
        abortedBy: String?,
        generator: [String],
        thresholds: [ThresholdResult],
        line: String? = nil,
        unjudged: [String] = [],
        findings: [FindingResult],
        reconciliation: Reconciliation?,
        defects: [String] = [],
        drift: [DriftResult] = [],
        missing: [String] = []
    ) -> RunVerdict {
        let defects = defects + (reconciliation?.defects ?? [])
        let creeping = drift.filter { $0.verdict == .creeping }
        let limits = generator + creeping.filter { $0.subject == .generator }.map(\.text)
        let missed = thresholds.filter(\.failed)
        let beyond: [String] = findings.filter(\.failsRun).map(\.reason)
        let failures =
            beyond.sorted() + unjudged
            + missed.map { "\($0.shownText): observed \($0.observedText)" }
            + (missed.contains(where: \.isOfBreaks) ? [line].compactMap(\.self) : [])
            + creeping.filter { $0.subject == .target }.map(\.text)
            + (abortedBy.map { ["aborted: \($0)"] } ?? [])
        let undecided = thresholds.filter { $0.isUndecided == true }.map { "\($0.shownText): \($0.observedText)" }
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
        let reasons = defects + limits + failures + missing + undecided
        return RunVerdict(outcome: outcome, exitCode: outcome.exitCode, reasons: reasons)
    }
}
