import Results
import Rules

/// A code is a regression, whatever its count, if the base never had it, or never had it beyond its allowance.
struct FindingJudge {
    let base: [RunFigures]
    let candidate: [RunFigures]

    func judge() -> [FindingComparison] {
        let seen = (base + candidate).flatMap(\.findings)
        let codes = Dictionary(seen.map { ($0.code, $0) }) { first, _ in first }
        let order = FindingComparison.Change.allCases
        let severities = Severity.allCases.map(\.rawValue)
        func rank(_ finding: FindingComparison) -> (Int, Int, String) {
            (
                order.firstIndex(of: finding.change) ?? order.count,
                severities.firstIndex(of: finding.severity) ?? severities.count,
                finding.code
            )
        }
        return codes.values.map(compare).sorted { rank($0) < rank($1) }
    }

    private func compare(_ finding: RunFigures.Finding) -> FindingComparison {
        let (before, after) = (side(finding.code, base), side(finding.code, candidate))
        let allowed = isAllowed(finding.code, in: after.runs > 0 ? candidate : base)
        let change: FindingComparison.Change =
            switch (before.runs, after.runs) {
            case (0, _): .new
            case (_, 0): .gone
            default: isAllowed(finding.code, in: base) && !allowed ? .beyondAllowance : .persisting
            }
        return FindingComparison(
            code: finding.code,
            severity: finding.severity,
            meaning: finding.meaning,
            change: change,
            allowed: allowed,
            base: before,
            candidate: after,
            text: sentence(finding, change, before, after, allowed: allowed)
        )
    }

    private func isAllowed(_ code: String, in runs: [RunFigures]) -> Bool {
        runs.flatMap(\.findings).filter { $0.code == code }.allSatisfy(\.allowed)
    }

    private func side(_ code: String, _ runs: [RunFigures]) -> FindingComparison.Side {
        let found = runs.map { $0.findings.filter { $0.code == code } }.filter { !$0.isEmpty }
        return FindingComparison.Side(
            runs: found.count,
            count: found.joined().reduce(0) { $0 &+ $1.count },
            viewersPercentMaximum: found.joined().map(\.viewersPercent).max() ?? 0
        )
    }

    private func sentence(
        _ finding: RunFigures.Finding,
        _ change: FindingComparison.Change,
        _ before: FindingComparison.Side,
        _ after: FindingComparison.Side,
        allowed: Bool
    ) -> String {
        let code = finding.code
        let runs = "in \(after.runs) of \(candidate.count) candidate runs"
        let earlier = "in \(before.runs) of \(base.count) base runs"
        let viewers = "at most \(MetricText.percent(after.viewersPercentMaximum)) of viewers"
        return switch change {
        case .new where allowed: "finding \(code) is new, \(runs), and allowed by the profile"
        case .new where finding.isAdvice: "finding \(code) is new, \(runs), and no more than advice"
        case .new: "finding \(code) is new: \(runs), \(viewers); no base run has it"
        case .beyondAllowance where finding.isAdvice:
            "finding \(code) is beyond its allowance, \(runs), and no more than advice"
        case .beyondAllowance:
            "finding \(code) is beyond its allowance: \(runs), \(viewers); every base run that has it was within it"
        case .persisting: "finding \(code) is on both sides: \(earlier), \(runs), \(viewers)"
        case .gone: "finding \(code) is gone: \(earlier), not in a candidate run"
        }
    }
}
