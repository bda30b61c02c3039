package import Comparison
import Wording

/// The history of a profile as terminal text: the verdict, a row for each metric, and what was left out.
package struct TrendText: Sendable {
    package static let narrowest = 60
    /// Runs drawn at most.
    private static let chartWidth = 40
    private static let omissionLimit = 8

    let document: TrendDocument
    let width: Int
    let style: TextStyle

    /// Prepares a text.
    ///
    /// - Parameters:
    ///   - document: The history.
    ///   - width: Columns of the terminal; taken as at least 60.
    ///   - colour: Whether to use ANSI colours.
    package init(of document: TrendDocument, width: Int = 100, colour: Bool = false) {
        self.document = document
        self.width = max(Self.narrowest, width)
        style = TextStyle(colour: colour)
    }

    /// The whole text with a final line feed.
    ///
    /// - Returns: Lines no wider than the width, colour codes not counted.
    package func render() -> String {
        let parts = [
            heading(), verdict(), metrics("Gating metrics", document.metrics.filter(\.gating)),
            metrics("Other metrics", document.metrics.filter { !$0.gating }), omissions(), others(),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func heading() -> [String] {
        let group = document.group
        let days = [document.runs.first, document.runs.last].compactMap { $0?.startedAt.prefix(10) }
        var words = ["podswarm \(document.podswarmVersion)", group.profile, counted(document.runs.count)]
        if days.count == 2 { words.append("\(days[0]) to \(days[1])") }
        return wrapped(words.joined(separator: " · ")) + wrapped("\(short(group.profileDigest)) on \(group.hostClass)")
    }

    private func verdict() -> [String] {
        let (word, ink): (String, TextStyle.Ink) =
            switch document.verdict.outcome {
            case .asExpected: ("AS EXPECTED", .green)
            case .worse: ("WORSE THAN THE RUNS BEFORE", .red)
            case .tooFewRuns: ("TOO FEW RUNS TO TELL", .yellow)
            case .newestLeftOut: ("THE NEWEST RUN SAYS NOTHING CERTAIN", .yellow)
            }
        return [style.inked("\(word) (exit \(document.verdict.exitCode))", ink)]
            + document.verdict.reasons.flatMap { wrapped("- " + $0, indent: "  ", hanging: "  ") }
    }

    private func metrics(_ title: String, _ metrics: [TrendMetric]) -> [String] {
        guard !metrics.isEmpty else { return [] }
        let names = metrics.map(\.metric.count).max() ?? 0
        let figures = metrics.map { newest($0).count }.max() ?? 0
        let chart = min(Self.chartWidth, document.runs.count)
        return [style.inked(title, .bold)]
            + metrics.flatMap { metric -> [String] in
                let name = metric.metric.padded(to: names)
                let figure = newest(metric).padded(to: figures, flush: .right)
                let drawn = Sparkline.drawn(metric.values, width: chart)
                let line = TextLayout.cut("  \(name)  \(drawn)  \(figure)  \(expectation(metric))", to: width)
                return [style.inked(line, metric.verdict)]
                    + metric.changePoints.flatMap { wrapped($0.text, indent: "    ", hanging: "  ") }
            }
    }

    private func newest(_ metric: TrendMetric) -> String {
        (metric.values.last ?? nil).map { TrendSentence.amount($0, metric.unit) } ?? "-"
    }

    private func expectation(_ metric: TrendMetric) -> String {
        guard let expected = metric.expected else { return "" }
        let low = TrendSentence.amount(expected.low, metric.unit)
        let interval = "\(low) to \(TrendSentence.amount(expected.high, metric.unit)) expected"
        return switch metric.verdict {
        case .worse: "worse; \(interval)"
        case .better: "better; \(interval)"
        default: interval
        }
    }

    private func omissions() -> [String] {
        guard !document.leftOut.isEmpty else { return [] }
        let shown = document.leftOut.suffix(Self.omissionLimit)
        let more = document.leftOut.count - shown.count
        return [style.inked("Left out", .bold)]
            + shown.flatMap { wrapped("\($0.path): \($0.reason)", indent: "  ", hanging: "  ") }
            + (more > 0 ? ["  and \(more) more"] : [])
    }

    private func others() -> [String] {
        guard !document.otherGroups.isEmpty else { return [] }
        return [style.inked("Other histories among these files (--digest)", .bold)]
            + document.otherGroups.prefix(Self.omissionLimit).flatMap { group in
                wrapped(
                    "\(group.profile) \(short(group.profileDigest)): \(counted(group.runs)), "
                        + "the newest of \(group.newest.prefix(10)), on \(group.hostClass)",
                    indent: "  ",
                    hanging: "  "
                )
            }
    }

    private func counted(_ runs: Int) -> String { TextLayout.counted(runs, "run") }

    /// As many digits as it takes to name it.
    private func short(_ digest: String) -> String { String(digest.prefix(19)) }

    private func wrapped(_ text: String, indent: String = "", hanging: String = "") -> [String] {
        TextLayout.wrapped(text, width: width, indent: indent, hanging: hanging)
    }
}

extension TextStyle {
    fileprivate func inked(_ text: String, _ verdict: TrendMetric.Verdict) -> String {
        switch verdict {
        case .worse: inked(text, .red)
        case .better: inked(text, .green)
        case .asExpected, .tooFewRuns, .notMeasured: text
        }
    }
}
