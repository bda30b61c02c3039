internal import Measurement

/// What podswarm holds against the target, with the evidence.
struct FindingSection {
    struct Evidence {
        var name: String
        var text: String
    }

    struct Occurrence {
        var place: String
        var count: String
        var shares: String
        var hasShares: Bool
        var evidence: [Evidence]
        var hasEvidence: Bool
        var seen: String
    }

    struct Entry {
        var code: String
        var severity: String
        var tone: String
        var count: String
        var viewers: String
        var meaning: String
        var rule: String
        var causes: [String]
        var hasCauses: Bool
        var allowed: Bool
        var occurrences: [Occurrence]
        var occurrenceTitle: String
        var notListed: String
        var hasNotListed: Bool
    }

    var entries: [Entry]
    var isEmpty: Bool

    init(_ findings: [FindingResult]) {
        entries = findings.map(Self.entry)
        isEmpty = findings.isEmpty
    }

    private static func entry(_ finding: FindingResult) -> Entry {
        let tone =
            switch Severity(rawValue: finding.severity) {
            case .broken: "bad"
            case .wrong: "warn"
            default: ""
            }
        return Entry(
            code: finding.code,
            severity: finding.severity,
            tone: tone,
            count: finding.count == 1 ? "once" : "\(TextLayout.grouped(finding.count)) times",
            viewers: "\(TextLayout.counted(finding.viewers, "viewer"))"
                + " (\(MetricText.percent(finding.viewersPercent)))",
            meaning: finding.meaning,
            rule: finding.rule,
            causes: finding.likelyCauses,
            hasCauses: !finding.likelyCauses.isEmpty,
            allowed: finding.allowed,
            occurrences: finding.occurrences.map(occurrence),
            occurrenceTitle: finding.occurrences.count == 1
                ? "Where it was seen"
                : "Where it was seen: \(finding.occurrences.count) breaks, the most frequent first",
            notListed: TextLayout.counted(finding.occurrencesNotListed, "further break") + " had it too.",
            hasNotListed: finding.occurrencesNotListed > 0
        )
    }

    private static func occurrence(_ occurrence: FindingOccurrence) -> Occurrence {
        let seen = occurrence.first
        let evidence = seen.map { seen in
            [("asked for", seen.url), ("expected", seen.expected), ("observed", seen.observed)]
                .filter { !$0.1.isEmpty }.map { Evidence(name: $0.0, text: $0.1) }
        }
        return Occurrence(
            place: occurrence.breakKey.map { "break \($0)" } ?? "outside any break",
            count: "\(TextLayout.grouped(occurrence.count))×, \(TextLayout.counted(occurrence.viewers, "viewer"))"
                + " (\(MetricText.percent(occurrence.viewersPercent)))",
            shares: occurrence.shares.map { "\($0.label): \(MetricText.percent($0.viewersPercent))" }
                .joined(separator: "; "),
            hasShares: !occurrence.shares.isEmpty,
            evidence: evidence ?? [],
            hasEvidence: !(evidence ?? []).isEmpty,
            seen: seen.map { "; first by viewer \($0.viewer) at \(TimeText.clock($0.wallMicroseconds))" } ?? ""
        )
    }
}
