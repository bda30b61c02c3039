import Recording
package import Rules

package struct FindingResult: Equatable, Codable, Sendable {
    package static let occurrenceLimit = 50

    package var code: String
    package var severity: String
    package var meaning: String
    package var rule: String
    package var likelyCauses: [String]
    /// Nil in results of earlier versions.
    package var whereToLook: String?
    package var count: UInt64
    /// Distinct viewers over the whole run.
    package var viewers: Int
    package var viewersPercent: Double
    package var allowed: Bool
    /// The profile's allowance as written; nil without one.
    package var allowance: String?
    package var occurrences: [FindingOccurrence]
    package var occurrencesNotListed: Int

    /// Groups findings by code, in their order; findings of one code must be adjacent, as in `RunTotals`.
    package static func all(_ findings: [Finding], joined: UInt64, allowed: FindingAllowances) -> [FindingResult] {
        FindingSum.all(findings, joined: joined).map { FindingResult($0, allowed: allowed) }
    }

    private init(_ sum: FindingSum, allowed: FindingAllowances) {
        let row = sum.code
        code = row.code
        severity = row.severity.rawValue
        meaning = row.meaning
        rule = row.rule.text
        likelyCauses = row.likelyCauses
        whereToLook = row.whereToLook
        count = sum.count
        viewers = sum.viewers
        viewersPercent = sum.viewersPercent
        let allowance = allowed.allowance(for: row)
        self.allowed = allowance?.permits(count: count, viewersPercent: viewersPercent) ?? false
        self.allowance = allowance?.text
        let listed = sum.findings.sorted { ($1.count, $0.place) < ($0.count, $1.place) }
            .prefix(Self.occurrenceLimit)
        occurrences = listed.map(FindingOccurrence.init)
        occurrencesNotListed = sum.findings.count - listed.count
    }

    /// Whether it fails the run: it exceeds its allowance, or it is wrong or broken and has no allowance.
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

/// Finding in one break or outside any break, for all its viewers or one cohort.
package struct FindingOccurrence: Equatable, Codable, Sendable {
    package struct Share: Equatable, Codable, Sendable {
        package var label: String
        package var viewers: Int
        package var viewersPercent: Double
    }

    /// Redacted place and time of a sighting.
    package struct Seen: Equatable, Codable, Sendable {
        package var wallMicroseconds: Int64
        package var viewer: Int
        package var url: String
        package var expected: String
        package var observed: String
        /// Answer fields that identify the server; nil without any.
        package var served: String?
        /// Address and port that answered; nil without a connection.
        package var address: String?
        /// Trace id of the request; nil without one.
        package var traceID: String?

        init(_ sighting: Sighting) {
            wallMicroseconds = sighting.wallMicroseconds
            viewer = sighting.viewer
            url = sighting.evidence.url
            expected = sighting.evidence.expected
            observed = sighting.evidence.observed
            let served = sighting.evidence.served
            self.served = served.head.isEmpty ? nil : served.head
            address = served.address.isEmpty ? nil : served.address
            traceID = served.traceID.isEmpty ? nil : served.traceID
        }
    }

    package var breakKey: String?
    /// Cohort, if only its viewers are compared with each other; nil means all viewers.
    package var cohort: String?
    package var count: UInt64
    package var viewers: Int
    package var viewersPercent: Double
    package var shares: [Share]
    package var first: Seen?
    package var last: Seen?

    init(_ finding: Finding) {
        breakKey = finding.breakKey
        cohort = finding.cohort
        count = finding.count
        viewers = finding.viewers.count &+ finding.viewers.notHeld
        viewersPercent = finding.viewerShare * 100
        shares = finding.shares.map { Share(label: $0.label, viewers: $0.viewers, viewersPercent: $0.share * 100) }
        first = finding.first.map(Seen.init)
        last = finding.last.map(Seen.init)
    }
}
