import Recording
import Rules

struct FindingSum {
    let code: FindingCode
    let findings: [Finding]
    let count: UInt64
    /// Distinct viewers over the whole run.
    let viewers: Int
    let viewersPercent: Double

    /// Groups findings by code, in their order; findings of one code must be adjacent, as in `RunTotals`.
    static func all(_ findings: [Finding], joined: UInt64) -> [FindingSum] {
        var groups: [[Finding]] = []
        for finding in findings {
            if groups.last?.first?.code == finding.code {
                groups[groups.count - 1].append(finding)
            } else {
                groups.append([finding])
            }
        }
        return groups.compactMap { FindingSum($0, joined: joined) }
    }

    private init?(_ findings: [Finding], joined: UInt64) {
        guard let code = findings.first?.code else { return nil }
        let affected = findings.reduce(into: ViewerSet()) { $0.formUnion($1.viewers) }
        let asked = max(Int(clamping: joined), findings.map(\.viewersAsked).max() ?? 0)
        self.code = code
        self.findings = findings
        count = findings.reduce(0) { $0 &+ $1.count }
        viewers = affected.count &+ affected.notHeld
        viewersPercent = asked == 0 ? 0 : min(100, Double(viewers) * 100 / Double(asked))
    }
}
