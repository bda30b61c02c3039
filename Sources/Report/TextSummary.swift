package import RunResult
import Thresholds

/// A result as terminal text, with what a user needs first on top: the verdict, breaks on time, findings, then the
/// rest.
package struct TextSummary: Sendable {
    /// Breaks and evidence shown at most; the file holds the rest.
    package static let breakLimit = 12
    package static let occurrenceLimit = 3
    package static let narrowest = 40

    let document: ResultDocument
    let path: String?
    let width: Int
    let style: TextStyle
    /// The exit status where the result could not be written: the verdict is then in no file, and nothing has passed.
    package var exitWithoutFile: Int?
    /// The exit status where an export of the result could not be written: it is not that of the verdict.
    package var exitWithoutExport: Int?

    /// Prepares a summary.
    ///
    /// - Parameters:
    ///   - document: The result.
    ///   - path: Where it was written, if it was.
    ///   - width: Columns of the terminal; taken as at least 40.
    ///   - colour: Whether to use ANSI colours.
    package init(of document: ResultDocument, path: String?, width: Int = 100, colour: Bool = false) {
        self.document = document
        self.path = path
        self.width = max(Self.narrowest, width)
        style = TextStyle(colour: colour)
    }

    /// The whole summary with a final line feed.
    ///
    /// - Returns: Lines no wider than the width, colour codes not counted.
    package func render() -> String {
        let parts = [
            heading(), breaks(), fill(), audience(), events(), withheld(), leftOut(), discovery(), channelClock(),
            playback(), outages(),
            findings(), warnings(), thresholds(),
            latency(), edges(), slowest(),
            windows(), generator(), shards(), reconciliation(), course(), asked(), notes(), file(),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func heading() -> [String] {
        let run = document.run
        let seconds = Double(run.endedAtMicroseconds &- run.startedAtMicroseconds) / 1_000_000
        let labels = run.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let words = [
            "podswarm \(document.podswarmVersion)", run.profileName, run.startedAt,
            "\(MetricText.rounded(seconds, places: 1)) s", "seed \(run.seed)",
        ]
        let title = (words + labels).joined(separator: " · ")
        let tls = run.tlsVerified == false ? ["TLS certificates were not verified (--insecure)."] : []
        return TextLayout.wrapped(title, width: width) + tls + journal() + [""] + verdict()
    }

    /// What a reader must know of the journal before anything else is believed to be the whole run.
    private func journal() -> [String] {
        var lines: [String] = []
        if let recovered = document.run.recovered {
            let dropped =
                recovered.droppedBytes == 0 ? "" : ", \(TextLayout.counted(recovered.droppedBytes, "byte")) dropped"
            let intervals = TextLayout.counted(recovered.intervals, "interval")
            lines.append("Recovered from its journal: \(intervals)\(dropped); \(recovered.reason).")
        }
        if let journal = document.journal, journal.intervalsLost > 0 {
            let all = journal.intervalsKept &+ journal.intervalsLost
            let error = journal.error.map { ": " + TextLayout.printable($0) } ?? ""
            lines.append(
                "The journal missed \(journal.intervalsLost) of \(TextLayout.counted(all, "interval"))\(error)."
            )
        }
        return lines.flatMap { TextLayout.wrapped($0, width: width) }
    }

    /// The verdict with its exit status.
    package var verdictLine: String {
        if let exitWithoutFile {
            return style.inked(TextLayout.cut("RESULT NOT WRITTEN (exit \(exitWithoutFile))", to: width), .red)
        }
        if let exitWithoutExport {
            return style.inked(TextLayout.cut("OUTPUT NOT WRITTEN (exit \(exitWithoutExport))", to: width), .red)
        }
        let (word, ink): (String, TextStyle.Ink) =
            switch document.verdict.outcome {
            case .passed: ("PASSED", .green)
            case .failed: ("FAILED", .red)
            case .clientLimited where document.isLimitedByMachine:
                ("CLIENT-LIMITED by the machine: this run says nothing certain about the target", .yellow)
            case .clientLimited: ("CLIENT-LIMITED: this run says nothing certain about the target", .yellow)
            case .incomplete: ("INCOMPLETE: shards are missing, and without them nothing has passed", .yellow)
            case .undecided: ("UNDECIDED: a threshold has no sample to be judged by", .yellow)
            case .interrupted: ("INTERRUPTED", .yellow)
            case .defect: ("DEFECT OF PODSWARM: do not trust this result", .red)
            }
        let status = " (exit \(document.verdict.exitCode))"
        return style.inked(TextLayout.cut(word, to: width - status.count) + status, ink)
    }

    private func verdict() -> [String] {
        [verdictLine]
            + document.verdict.reasons.flatMap {
                TextLayout.wrapped("- " + $0, width: width, indent: "  ", hanging: "  ")
            }
    }

    private func file() -> [String] {
        // A path is never broken: it is there to be copied.
        path.map { [style.inked("Result", .bold), "  \(TextLayout.printable($0))"] } ?? []
    }
}
