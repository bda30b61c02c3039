import Rulebook
import RunResult
import Thresholds

/// A lint document as terminal text: each finding with its evidence, gravest first, the verdict last.
package struct LintText: Sendable {
    private static let occurrenceLimit = 8

    private let document: LintDocument
    private let width: Int
    private let style: TextStyle

    /// - Parameters:
    ///   - document: What was found.
    ///   - width: Columns.
    ///   - colour: Whether the terminal has colours.
    package init(of document: LintDocument, width: Int, colour: Bool) {
        self.document = document
        self.width = max(width, 40)
        style = TextStyle(colour: colour)
    }

    /// The text, ended by a line feed.
    package func render() -> String {
        let parts =
            [heading()] + document.findings.map(finding) + (document.notes.isEmpty ? [] : [notes()]) + [[verdict()]]
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func heading() -> [String] {
        let media = document.playlists.filter { $0.kind == .media }
        let reads = document.playlists.reduce(0) { $0 + $1.reads }
        let seconds = Double(document.endedAtMicroseconds - document.startedAtMicroseconds) / 1_000_000
        var facts = [TextLayout.counted(media.count, "media playlist")]
        if reads > document.playlists.count {
            let versions = media.reduce(0) { $0 + $1.versions }
            facts += [
                "\(TextLayout.counted(reads, "answer")) with \(TextLayout.counted(versions, "version"))",
                "\(MetricText.rounded(seconds, places: 0)) s",
            ]
        }
        return [style.inked(TextLayout.printable(document.source), .bold), facts.joined(separator: ", ")]
    }

    private func finding(_ finding: LintFinding) -> [String] {
        let ink: TextStyle.Ink =
            switch Severity(rawValue: finding.severity) {
            case _ where finding.allowed: .dim
            case .advice: .dim
            case .suspect: .yellow
            default: .red
            }
        let allowed = finding.allowed ? " (allowed)" : ""
        let times = TextLayout.counted(finding.count, "time")
        let head = style.inked("\(finding.severity) \(finding.code)", ink) + "  \(times)\(allowed)"
        let shown = finding.occurrences.prefix(Self.occurrenceLimit)
        let hidden = finding.occurrences.count - shown.count
        return [head] + wrapped(finding.meaning, 2) + shown.flatMap(occurrence)
            + (hidden > 0 ? wrapped("and in \(TextLayout.counted(hidden, "more playlist"))", 2) : [])
            + wrapped("rule: " + finding.rule, 2) + wrapped("look at: " + finding.whereToLook, 2)
    }

    private func occurrence(_ occurrence: LintFinding.Occurrence) -> [String] {
        let count = occurrence.count > 1 ? ", \(TextLayout.counted(occurrence.count, "time"))" : ""
        var lines = wrapped(occurrence.url + count, 2) + time("first", occurrence.first) + evidence(occurrence.first)
        for other in occurrence.others {
            lines += wrapped(other.line.map { "line \($0)" } ?? "the same time", 4) + evidence(other)
        }
        let shown = [occurrence.first] + occurrence.others
        if !shown.contains(occurrence.last) { lines += time("last", occurrence.last) + evidence(occurrence.last) }
        return lines
    }

    private func time(_ word: String, _ seen: LintFinding.Seen) -> [String] {
        let line = seen.line.map { ", line \($0)" } ?? ""
        return wrapped("\(word) \(UTCText.iso8601(microseconds: seen.wallMicroseconds))\(line)", 4)
    }

    /// Both values whole: where a playlist's line goes wrong may be anywhere in it.
    private func evidence(_ seen: LintFinding.Seen) -> [String] {
        wrapped("expected \(seen.expected)", 6, isWhole: true) + wrapped("observed \(seen.observed)", 6, isWhole: true)
    }

    private func notes() -> [String] { document.notes.flatMap { wrapped($0, 0) } }

    private func verdict() -> String {
        let open = document.findings.filter { !$0.allowed }
        let from = Severity(rawValue: document.failsFrom) ?? .wrong
        let failing = open.filter { (Severity(rawValue: $0.severity) ?? .broken) >= from }
        let rest = open.count - failing.count
        let lesser = rest > 0 ? ", \(TextLayout.counted(rest, "finding")) of lesser severity" : ""
        switch document.outcome {
        case .passed:
            return style.inked("PASSED", .green) + ": no finding of severity \(from.rawValue) or above\(lesser)"
        case .failed:
            let count = TextLayout.counted(failing.count, "finding")
            return style.inked("FAILED", .red) + ": \(count) of severity \(from.rawValue) or above\(lesser)"
        case .interrupted: return style.inked("INTERRUPTED", .yellow) + ": \(TextLayout.counted(open.count, "finding"))"
        }
    }

    private func wrapped(_ text: String, _ indent: Int, isWhole: Bool = false) -> [String] {
        TextLayout.wrapped(
            text,
            width: width,
            indent: String(repeating: " ", count: indent),
            hanging: "  ",
            breaksWords: isWhole
        )
    }
}
