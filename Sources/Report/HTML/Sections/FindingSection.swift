import Recording
import Rulebook
import RunResult
import Thresholds

/// What podswarm holds against the target, with the evidence.
struct FindingSection {
    struct Evidence {
        var name: String
        var text: String
    }

    /// The first or the last time that it was seen.
    struct Seen {
        var text: String
        var evidence: [Evidence]
    }

    /// A document and its address, which is followed only when it is clicked.
    struct Source {
        var name: String
        var address: String
    }

    struct Occurrence {
        var place: String
        var count: String
        var shares: String
        var hasShares: Bool
        var seen: [Seen]
    }

    struct Entry {
        var code: String
        var severity: String
        var tone: String
        var count: String
        var viewers: String
        var meaning: String
        var rule: String
        /// Where the rule is written, for whoever wants to read it there.
        var sources: [Source]
        var hasSources: Bool
        var causes: [String]
        var hasCauses: Bool
        var look: String
        var hasLook: Bool
        var allowance: String
        var hasAllowance: Bool
        var occurrences: [Occurrence]
        var occurrenceTitle: String
        var notListed: String
        var hasNotListed: Bool
    }

    var entries: [Entry]
    var isEmpty: Bool
    /// What alarms nobody, kept apart.
    var advice: [Entry]
    var hasAdvice: Bool
    var adviceTitle: String

    init(_ findings: [FindingResult]) {
        entries = findings.filter { !$0.isAdvice }.map(Self.entry)
        isEmpty = entries.isEmpty
        advice = findings.filter(\.isAdvice).map(Self.entry)
        hasAdvice = !advice.isEmpty
        adviceTitle = advice.count == 1 ? "One piece of advice" : "\(advice.count) pieces of advice"
    }

    private static func entry(_ finding: FindingResult) -> Entry {
        let tone =
            switch Severity(rawValue: finding.severity) {
            case _ where finding.failsRun: "bad"
            case .broken, .wrong: "warn"
            default: ""
            }
        let sources = Self.sources(of: finding)
        return Entry(
            code: finding.code,
            severity: finding.severity,
            tone: tone,
            count: finding.count == 1 ? "once" : "\(TextLayout.grouped(finding.count)) times",
            viewers: "\(TextLayout.counted(finding.viewers, "viewer"))"
                + " (\(MetricText.percent(finding.viewersPercent)))",
            meaning: finding.meaning,
            rule: finding.rule,
            sources: sources,
            hasSources: !sources.isEmpty,
            causes: finding.likelyCauses,
            hasCauses: !finding.likelyCauses.isEmpty,
            look: finding.whereToLook ?? "",
            hasLook: finding.whereToLook != nil,
            allowance: finding.allowanceNote ?? "",
            hasAllowance: finding.allowanceNote != nil,
            occurrences: finding.occurrences.map(occurrence),
            occurrenceTitle: finding.occurrences.count == 1
                ? "Where it was seen"
                : "Where it was seen: \(finding.occurrences.count) breaks, the most frequent first",
            notListed: TextLayout.counted(finding.occurrencesNotListed, "further \(finding.kindOfPlace)")
                + " had it too.",
            hasNotListed: finding.occurrencesNotListed > 0
        )
    }

    /// The documents of a rule, each once; none where the result was written by a version that had another rule.
    private static func sources(of finding: FindingResult) -> [Source] {
        guard let row = FindingCode.named(finding.code), row.rule.text == finding.rule else { return [] }
        var sources: [Source] = []
        for document in row.rule.citations.map(\.document) {
            guard let address = document.address, !sources.contains(where: { $0.address == address }) else { continue }
            sources.append(Source(name: document.name, address: address))
        }
        return sources
    }

    private static func occurrence(_ occurrence: FindingOccurrence) -> Occurrence {
        let first = occurrence.first.map { seen("first", $0) }
        let last = occurrence.last == occurrence.first ? nil : occurrence.last.map { seen("last", $0) }
        return Occurrence(
            place: occurrence.place(),
            count: "\(TextLayout.grouped(occurrence.count))×, \(TextLayout.counted(occurrence.viewers, "viewer"))"
                + " (\(MetricText.percent(occurrence.viewersPercent)))",
            shares: occurrence.shares.map { "\($0.label): \(MetricText.percent($0.viewersPercent))" }
                .joined(separator: "; "),
            hasShares: !occurrence.shares.isEmpty,
            seen: [first, last].compactMap(\.self)
        )
    }

    private static func seen(_ word: String, _ seen: FindingOccurrence.Seen) -> Seen {
        let evidence = [
            ("asked for", seen.url), ("expected", seen.expected), ("observed", seen.observed),
            ("answered by", seen.address ?? ""), ("served by", seen.served ?? ""), ("trace", seen.traceID ?? ""),
        ]
        return Seen(
            text: "\(word) by viewer \(seen.viewer) at \(TimeText.clock(seen.wallMicroseconds))",
            evidence: evidence.filter { !$0.1.isEmpty }.map { Evidence(name: $0.0, text: $0.1) }
        )
    }
}
