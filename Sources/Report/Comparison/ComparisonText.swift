package import Comparison
import Thresholds

/// A comparison as terminal text: the verdict and its reasons first, then the tables they come from.
package struct ComparisonText: Sendable {
    let document: ComparisonDocument
    let width: Int
    let style: TextStyle
    let showsAll: Bool

    /// Prepares the text.
    ///
    /// - Parameters:
    ///   - document: The comparison.
    ///   - width: Columns of the terminal; taken as at least 40.
    ///   - colour: Whether to use ANSI colours.
    ///   - showsAll: Whether informational metrics without news are listed too.
    package init(of document: ComparisonDocument, width: Int = 100, colour: Bool = false, showsAll: Bool = false) {
        self.document = document
        self.width = max(TextSummary.narrowest, width)
        style = TextStyle(colour: colour)
        self.showsAll = showsAll
    }

    /// The whole text with a final line feed.
    ///
    /// - Returns: Lines no wider than the width, colour codes not counted.
    package func render() -> String {
        let parts = [
            heading(), verdict(), metrics(gating: true), rates(), findings(), withinRun(), metrics(gating: false),
            method(), differences(), skipped(), notes(),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func heading() -> [String] {
        [("base", document.base), ("candidate", document.candidate)].flatMap { word, side in
            let runs = TextLayout.counted(side.runs.count, "run")
            let times = [side.runs.first?.startedAt, side.runs.last?.startedAt].compactMap(\.self)
            let span = Set(times).count == 2 ? ", \(times[0]) to \(times[1])" : times.first.map { ", \($0)" } ?? ""
            let profile = side.runs.first.map { ", profile \($0.profileName)" } ?? ""
            return wrapped("\(word): \(side.title): \(runs)\(profile)\(span)", indent: "", hanging: "  ")
        }
    }

    private func verdict() -> [String] {
        let (word, ink): (String, TextStyle.Ink) =
            switch document.verdict.outcome {
            case .noRegression: ("NO REGRESSION within the margins", .green)
            case .regression: ("REGRESSION", .red)
            case .inconclusive: ("INCONCLUSIVE: these runs decide neither", .yellow)
            case .incomparable: ("NOT COMPARABLE", .yellow)
            }
        let line = TextLayout.cut("\(word) (exit \(document.verdict.exitCode))", to: width)
        let needed = document.verdict.runsNeededPerSide.map { "about \($0) runs on each side would probably decide" }
        return [style.inked(line, ink)]
            + document.verdict.reasons.flatMap { wrapped("- " + $0) }
            + (needed.map { wrapped($0) } ?? [])
            + document.verdict.improvements.flatMap { text in
                wrapped("better: " + text).map { style.inked($0, .green) }
            }
    }

    private func method() -> [String] {
        guard document.comparability.comparable else { return [] }
        let method = document.method
        let text =
            "One run is one observation. Change: Hodges-Lehmann ratio, with its \(MetricText.number(method.confidencePercent))%"
            + " interval by ranks (Mann-Whitney). Gates are judged together at"
            + " \(MetricText.percent(method.significance * 100)) (Holm); absolute floor"
            + " \(MetricText.time(microseconds: method.floorMicroseconds)), tolerance of rates"
            + " \(MetricText.number(method.rateTolerancePoints)) points."
        return wrapped(text, indent: "", hanging: "")
    }

    private func differences() -> [String] {
        let allowed =
            document.comparability.differences.filter(\.allowed).map { "\($0.text) (--allow-different \($0.aspect))" }
            + document.comparability.unfitRuns.filter(\.allowed).map {
                "\($0.path): \($0.reasons.joined(separator: "; ")) (--allow-different \($0.aspect ?? ""))"
            }
        guard !allowed.isEmpty else { return [] }
        return [style.inked("Compared all the same", .yellow)] + allowed.flatMap { wrapped("- " + $0) }
    }

    private func skipped() -> [String] {
        let files = document.comparability.skippedFiles
        guard !files.isEmpty else { return [] }
        return [style.inked("Left aside", .bold)] + files.flatMap { wrapped("\($0.path): \($0.reason)") }
    }

    private func notes() -> [String] {
        document.notes.flatMap { wrapped($0, indent: "", hanging: "  ") }
    }

    func wrapped(_ text: String, indent: String = "  ", hanging: String = "  ") -> [String] {
        TextLayout.wrapped(text, width: width, indent: indent, hanging: hanging)
    }
}
