import Results
import Rules

extension LintDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String {
        let findings = findings.map { rendering.lines([.entries(Entries([entry($0)]))], indent: 0) }
        let heading = rendering.parts(Section("source", source, summary: Words(facts)))
        return rendering.text(
            heading + findings + [notes.flatMap { rendering.wrapped(Words($0)) }, rendering.wrapped(verdict)]
        )
    }

    private var facts: String {
        let media = playlists.filter { $0.kind == .media }
        let reads = playlists.reduce(0) { $0 + $1.reads }
        let seconds = Double(endedAtMicroseconds - startedAtMicroseconds) / 1_000_000
        let versions = TextLayout.counted(media.reduce(0) { $0 + $1.versions }, "version")
        let facts = [TextLayout.counted(media.count, "media playlist")]
        guard reads > playlists.count else { return facts[0] }
        let followed = [
            "\(TextLayout.counted(reads, "answer")) with \(versions)", "\(MetricText.rounded(seconds, places: 0)) s",
        ]
        return (facts + followed).joined(separator: ", ")
    }

    private func entry(_ finding: LintFinding) -> Entries.Entry {
        let tone: Tone =
            switch Severity(rawValue: finding.severity) {
            case _ where finding.allowed: .quiet
            case .advice: .quiet
            case .suspect: .warn
            default: .bad
            }
        let times = TextLayout.counted(finding.count, "time") + (finding.allowed ? " (allowed)" : "")
        let shown = finding.occurrences.prefix(Self.shownPlaylists)
        let unlisted = finding.occurrences.count - shown.count
        let places = Entries(shown.flatMap(sightings), noun: "playlist", unlisted: unlisted)
        let causes = LikelyCauses(finding.occurrences.lazy.flatMap { [$0.first, $0.last] + $0.others }.map(\.likely))
        let told = FindingEntry(
            places: [.entries(places)],
            meaning: Words(finding.meaning),
            causes: causes.all(of: Array(finding.likelyCauses.prefix(1))),
            whereToLook: finding.whereToLook,
            rule: finding.rule
        )
        return .init("\(tag: finding.severity, tone) \(finding.code)  \(times)", told.blocks)
    }

    private static let shownPlaylists = 8

    private func sightings(_ occurrence: LintFinding.Occurrence) -> [Entries.Entry] {
        let shown = [occurrence.first] + occurrence.others
        let times = occurrence.count > 1 ? "first of \(TextLayout.grouped(occurrence.count)), " : ""
        let last = shown.contains(occurrence.last) ? [] : [seen("last, ", occurrence, occurrence.last)]
        return [seen(times, occurrence, occurrence.first)] + occurrence.others.map { seen("", occurrence, $0) } + last
    }

    /// The error may be anywhere in the line.
    private func seen(_ word: String, _ occurrence: LintFinding.Occurrence, _ seen: LintFinding.Seen) -> Entries.Entry {
        let line = seen.line.map { ", line \($0)" } ?? ""
        let time = UTCText.iso8601(microseconds: seen.wallMicroseconds)
        let place = Words("\(occurrence.url)\(line), \(word)\(time)")
        return FindingEntry.sighting(seen.expected, seen.observed, [Fact("where", place)], [])
    }

    private var verdict: Words {
        let open = findings.filter { !$0.allowed }
        let from = Severity(rawValue: failsFrom) ?? .wrong
        let failing = open.filter { (Severity(rawValue: $0.severity) ?? .broken) >= from }
        let rest = open.count - failing.count
        let lesser = rest > 0 ? ", \(TextLayout.counted(rest, "finding")) of lesser severity" : ""
        let count = TextLayout.counted(failing.count, "finding")
        return switch outcome {
        case .passed: Words("PASSED: no finding of severity \(from.rawValue) or above\(lesser)", .good)
        case .failed: Words("FAILED: \(count) of severity \(from.rawValue) or above\(lesser)", .bad)
        case .interrupted: Words("INTERRUPTED: \(TextLayout.counted(open.count, "finding"))", .warn)
        }
    }
}
