package import Rules

package struct FindingResult: Equatable, Codable, Sendable {
    package static let occurrenceLimit = 50
    package static let rangeLimit = 1_000

    package var code: String
    package var severity: String
    package var meaning: String
    package var rule: String
    package var likelyCauses: [String]
    package var whereToLook: String?
    package var count: UInt64
    package var viewers: Int
    package var viewerRanges: [String]?
    package var viewersPercent: Double
    package var allowed: Bool
    package var allowance: String?
    package var occurrences: [FindingOccurrence]
    package var occurrencesNotListed: Int

    /// Findings of one code must be adjacent, as in `RunTotals`.
    package static func all(
        _ findings: [Finding],
        joined: UInt64,
        allowed: FindingAllowances,
        vendors: [Vendor]? = nil
    ) -> [FindingResult] {
        var groups: [[Finding]] = []
        for finding in findings {
            if groups.last?.first?.code == finding.code {
                groups[groups.count - 1].append(finding)
            } else {
                groups.append([finding])
            }
        }
        return groups.compactMap { FindingResult($0, joined: joined, allowed: allowed, vendors) }
    }

    private init?(_ findings: [Finding], joined: UInt64, allowed: FindingAllowances, _ vendors: [Vendor]?) {
        guard let row = findings.first?.code else { return nil }
        let affected = findings.reduce(into: ViewerSet()) { $0.formUnion($1.viewers) }
        let asked = max(Int(clamping: joined), findings.map(\.viewersAsked).max() ?? 0)
        code = row.code
        severity = row.severity.rawValue
        meaning = row.meaning
        rule = row.rule.applying(to: vendors).text
        likelyCauses = row.likelyCauses
        whereToLook = row.whereToLook
        count = findings.reduce(0) { $0 &+ $1.count }
        viewers = affected.count &+ affected.notHeld
        viewerRanges = affected.ranges(atMost: Self.rangeLimit)
        viewersPercent = asked == 0 ? 0 : min(100, Double(viewers) * 100 / Double(asked))
        let allowance = allowed.allowance(for: row)
        self.allowed = allowance?.permits(count: count, viewersPercent: viewersPercent) ?? false
        self.allowance = allowance?.rawValue
        let listed = findings.sorted { ($1.count, $0.place) < ($0.count, $1.place) }.prefix(Self.occurrenceLimit)
        occurrences = listed.map(FindingOccurrence.init)
        occurrencesNotListed = findings.count - listed.count
    }

    /// Exceeds its allowance, or is wrong or broken and has none.
    package var failsRun: Bool {
        !allowed && (allowance != nil || [Severity.wrong, .broken].map(\.rawValue).contains(severity))
    }

    package var isAdvice: Bool { severity == Severity.advice.rawValue }

    var reason: String {
        let times = "finding \(code), \(count) \(count == 1 ? "time" : "times")"
        guard let allowance else { return times }
        return "\(times), by \(MetricText.percent(viewersPercent)) of viewers: more than the allowance of \(allowance)"
    }
}

package struct FindingOccurrence: Equatable, Codable, Sendable {
    package struct Seen: Equatable, Codable, Sendable {
        package var wallMicroseconds: Int64
        package var viewer: Int
        package var url: String
        package var expected: String
        package var observed: String
        package var served: String?
        package var address: String?
        package var traceID: String?
        package var likely: String?

        init(_ sighting: Sighting) {
            wallMicroseconds = sighting.wallMicroseconds
            viewer = sighting.viewer
            url = sighting.evidence.url
            expected = sighting.evidence.expected
            observed = sighting.evidence.observed
            (address, served, traceID) = sighting.evidence.served.shown
            likely = sighting.evidence.likely
        }
    }

    package var breakKey: String?
    package var cohort: String?
    package var count: UInt64
    package var viewers: Int
    package var viewersPercent: Double
    package var shares: [ViewerShare]
    package var first: Seen?
    package var last: Seen?

    init(_ finding: Finding) {
        breakKey = finding.breakKey
        cohort = finding.cohort
        count = finding.count
        viewers = finding.viewers.count &+ finding.viewers.notHeld
        viewersPercent = finding.viewerShare * 100
        shares = finding.shares
        first = finding.first.map(Seen.init)
        last = finding.last.map(Seen.init)
    }
}

extension ExchangeLedger {
    /// Sorted by time: those asked for, and those of `findings`; nil without any.
    package func listed(_ findings: [FindingResult]) -> [Exchange]? {
        let codes = Set(findings.map(\.code))
        let told = findings.compactMap { ofFindings[$0.code] }.flatMap { [$0.first, $0.worst] }
        var all = told.reduce(into: asked) { all, one in
            if !all.contains(where: { $0.isSame(as: one) }) { all.append(one) }
        }
        // Some differences were within the tolerance.
        for place in all.indices { all[place].findings.removeAll { !codes.contains($0) } }
        return all.isEmpty ? nil : all.sorted()
    }
}
