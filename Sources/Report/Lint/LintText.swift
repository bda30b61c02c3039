import Results
import Rules

extension LintDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String {
        let findings = findings.map { finding in
            rendering.lines([Block.entries(items: [entry(finding)])].compactMap(\.self), indent: 0)
        }
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
        let places = Entries(items: finding.occurrences.map(occurrence), limits: Limits(text: 8), noun: "playlist")
        return .init(
            "\(tag: finding.severity, tone) \(finding.code)  \(times)",
            [
                .said(finding.meaning), .entries(places),
                .facts(
                    [Fact("rule", Words(finding.rule))]
                        + finding.likelyCauses.prefix(1).map { Fact("likely", Words($0)) }
                        + [Fact("look at", Words(finding.whereToLook))]
                ),
            ]
        )
    }

    private func occurrence(_ occurrence: LintFinding.Occurrence) -> Entries.Entry {
        let shown = [occurrence.first] + occurrence.others
        let last = shown.contains(occurrence.last) ? [] : [seen(Self.time("last", occurrence.last), occurrence.last)]
        let others = occurrence.others.map { seen($0.line.map { "line \($0)" } ?? "the same time", $0) }
        let items = [seen(Self.time("first", occurrence.first), occurrence.first)] + others + last
        let count = occurrence.count > 1 ? ", \(TextLayout.counted(occurrence.count, "time"))" : ""
        return .init(Words(occurrence.url + count), [.entries(items: items)])
    }

    private static func time(_ word: String, _ seen: LintFinding.Seen) -> String {
        "\(word) \(UTCText.iso8601(microseconds: seen.wallMicroseconds))\(seen.line.map { ", line \($0)" } ?? "")"
    }

    /// Both values are shown whole, because the error may be anywhere in the line.
    private func seen(_ head: String, _ seen: LintFinding.Seen) -> Entries.Entry {
        .init(
            Words(head),
            [.facts([Fact("expected", .code(seen.expected)), Fact("observed", .code(seen.observed))])]
        )
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
