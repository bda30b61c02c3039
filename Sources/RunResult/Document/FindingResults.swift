import Recording
import Rulebook
package import Thresholds

/// One finding of a result: the table's row and where it was seen.
package struct FindingResult: Equatable, Codable, Sendable {
    package static let occurrenceLimit = 50

    package var code: String
    package var severity: String
    package var meaning: String
    package var rule: String
    package var likelyCauses: [String]
    /// Nil in results of versions without it.
    package var whereToLook: String?
    package var count: UInt64
    /// Distinct viewers over the whole run.
    package var viewers: Int
    package var viewersPercent: Double
    /// Whether the profile lets the run pass in spite of it.
    package var allowed: Bool
    /// What the profile allows of it, as it spells it; nil where it says nothing.
    package var allowance: String?
    package var occurrences: [FindingOccurrence]
    /// Further occurrences, beyond those listed.
    package var occurrencesNotListed: Int

    /// Puts the findings of each code together.
    ///
    /// - Parameters:
    ///   - findings: Those of one code one after the other, as `RunTotals` has them.
    ///   - joined: Viewers that joined.
    ///   - allowed: What the profile allows.
    /// - Returns: One for each code, in the order of the findings.
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

    /// Whether it fails the run: one that goes beyond its allowance, or a wrong or broken one without an allowance.
    package var failsRun: Bool {
        !allowed && (allowance != nil || [Severity.wrong, .broken].map(\.rawValue).contains(severity))
    }

    /// Whether it is worth no more than a note.
    package var isAdvice: Bool { severity == Severity.advice.rawValue }

    /// In words, for a verdict.
    var reason: String {
        let times = "finding \(code), \(count) \(count == 1 ? "time" : "times")"
        guard let allowance else { return times }
        return "\(times), by \(MetricText.percent(viewersPercent)) of viewers: more than the allowance of \(allowance)"
    }
}

/// A finding in one break, or outside any break; of all its viewers, or of one cohort.
package struct FindingOccurrence: Equatable, Codable, Sendable {
    /// A part of the break's viewers.
    package struct Share: Equatable, Codable, Sendable {
        package var label: String
        package var viewers: Int
        package var viewersPercent: Double
    }

    /// Where and when it was seen, redacted.
    package struct Seen: Equatable, Codable, Sendable {
        package var wallMicroseconds: Int64
        package var viewer: Int
        package var url: String
        package var expected: String
        package var observed: String
        /// What the answer's head said of who served it; nil where it said nothing.
        package var served: String?
        /// The address and port that answered; nil where there was no connection.
        package var address: String?
        /// The trace id that the request carried; nil where it carried none.
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
    /// Whose it is where only viewers of one cohort are held against each other; nil where it is everybody's.
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
