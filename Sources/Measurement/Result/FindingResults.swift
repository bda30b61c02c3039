/// One finding of a result: the table's row and where it was seen.
package struct FindingResult: Equatable, Codable, Sendable {
    package static let occurrenceLimit = 50

    package var code: String
    package var severity: String
    package var meaning: String
    package var rule: String
    package var likelyCauses: [String]
    package var count: UInt64
    /// Distinct viewers over the whole run.
    package var viewers: Int
    package var viewersPercent: Double
    /// Whether the profile lets the run pass in spite of it.
    package var allowed: Bool
    package var occurrences: [FindingOccurrence]
    /// Breaks in which it was seen too and which are not listed.
    package var occurrencesNotListed: Int

    static func all(_ findings: [Finding], joined: UInt64, allowed: Set<String>) -> [FindingResult] {
        var groups: [[Finding]] = []
        for finding in findings {
            if groups.last?.first?.code == finding.code {
                groups[groups.count - 1].append(finding)
            } else {
                groups.append([finding])
            }
        }
        return groups.compactMap { FindingResult($0, joined: joined, allowed: allowed) }
    }

    private init?(_ findings: [Finding], joined: UInt64, allowed: Set<String>) {
        guard let row = findings.first?.code else { return nil }
        let affected = findings.reduce(into: ViewerSet()) { $0.formUnion($1.viewers) }
        let asked = max(Int(clamping: joined), findings.map(\.viewersAsked).max() ?? 0)
        code = row.code
        severity = row.severity.rawValue
        meaning = row.meaning
        rule = row.rule
        likelyCauses = row.likelyCauses
        count = findings.reduce(0) { $0 &+ $1.count }
        viewers = affected.count &+ affected.notHeld
        viewersPercent = asked == 0 ? 0 : min(100, Double(viewers) * 100 / Double(asked))
        self.allowed = allowed.contains(row.code)
        let listed = findings.sorted { ($1.count, $0.breakKey ?? "") < ($0.count, $1.breakKey ?? "") }
            .prefix(Self.occurrenceLimit)
        occurrences = listed.map(FindingOccurrence.init)
        occurrencesNotListed = findings.count - listed.count
    }

    private enum CodingKeys: String, CodingKey {
        case code
        case severity
        case meaning
        case rule
        case likelyCauses = "likely_causes"
        case count
        case viewers
        case viewersPercent = "viewers_percent"
        case allowed
        case occurrences
        case occurrencesNotListed = "occurrences_not_listed"
    }
}

/// A finding in one break, or outside any break.
package struct FindingOccurrence: Equatable, Codable, Sendable {
    /// A part of the break's viewers.
    package struct Share: Equatable, Codable, Sendable {
        package var label: String
        package var viewers: Int
        package var viewersPercent: Double

        private enum CodingKeys: String, CodingKey {
            case label
            case viewers
            case viewersPercent = "viewers_percent"
        }
    }

    /// Where and when it was seen, redacted.
    package struct Seen: Equatable, Codable, Sendable {
        package var wallMicroseconds: Int64
        package var viewer: Int
        package var url: String
        package var expected: String
        package var observed: String

        init(_ sighting: Sighting) {
            wallMicroseconds = sighting.wallMicroseconds
            viewer = sighting.viewer
            url = sighting.evidence.url
            expected = sighting.evidence.expected
            observed = sighting.evidence.observed
        }

        private enum CodingKeys: String, CodingKey {
            case wallMicroseconds = "wall_us"
            case viewer
            case url
            case expected
            case observed
        }
    }

    package var breakKey: String?
    package var count: UInt64
    package var viewers: Int
    package var viewersPercent: Double
    package var shares: [Share]
    package var first: Seen?
    package var last: Seen?

    init(_ finding: Finding) {
        breakKey = finding.breakKey
        count = finding.count
        viewers = finding.viewers.count &+ finding.viewers.notHeld
        viewersPercent = finding.viewerShare * 100
        shares = finding.shares.map { Share(label: $0.label, viewers: $0.viewers, viewersPercent: $0.share * 100) }
        first = finding.first.map(Seen.init)
        last = finding.last.map(Seen.init)
    }

    private enum CodingKeys: String, CodingKey {
        case breakKey = "break_key"
        case count
        case viewers
        case viewersPercent = "viewers_percent"
        case shares
        case first
        case last
    }
}
