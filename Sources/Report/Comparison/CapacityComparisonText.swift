import CapacityResult
package import Comparison
import RunResult
import Thresholds

/// A comparison of capacities as terminal text: the verdict in a sentence, then both sides search by search.
package struct CapacityComparisonText: Sendable {
    private let document: CapacityComparisonDocument
    private let width: Int
    private let style: TextStyle

    /// - Parameters:
    ///   - document: The comparison.
    ///   - width: Columns of the terminal; taken as at least 40.
    ///   - colour: Whether to use ANSI colours.
    package init(of document: CapacityComparisonDocument, width: Int = 100, colour: Bool = false) {
        self.document = document
        self.width = max(TextSummary.narrowest, width)
        style = TextStyle(colour: colour)
    }

    /// The whole text with a final line feed.
    ///
    /// - Returns: Lines no wider than the width, colour codes not counted.
    package func render() -> String {
        let parts = [verdict(), table(), small()]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func verdict() -> [String] {
        let (word, ink): (String, TextStyle.Ink) =
            switch document.verdict.outcome {
            case .noRegression: ("NO LESS CAPACITY", .green)
            case .regression: ("LESS CAPACITY", .red)
            case .inconclusive: ("INCONCLUSIVE: these searches decide neither", .yellow)
            case .incomparable: ("NOT COMPARABLE", .yellow)
            }
        let line = TextLayout.cut("\(word) (exit \(document.verdict.exitCode))", to: width)
        let reasons = document.verdict.reasons.filter { $0 != document.text }
        return [style.inked(line, ink)] + wrapped(document.text, indent: "  ")
            + reasons.flatMap { wrapped("- " + $0, indent: "  ", hanging: "  ") }
    }

    private func table() -> [String] {
        var table = TextTable(header: ["search", document.unit, "90% interval", "started"])
        for (name, side) in [("base", document.base), ("candidate", document.candidate)] {
            let estimate = side.estimate
            let interval = CapacityComparisonWords.interval(estimate?.lower, estimate?.upper)
            table.rows.append(["\(name): \(side.title)", CapacityComparisonWords.value(estimate?.value), interval, ""])
            for search in side.searches {
                let ends =
                    search.leftOut == nil ? CapacityComparisonWords.interval(search.lower, search.upper) : "left out"
                table.rows.append([
                    "  \(search.path)", CapacityComparisonWords.value(search.value), ends,
                    String(UTCText.iso8601(microseconds: search.startedAtMicroseconds).prefix(16)),
                ])
            }
        }
        return table.lines(width: width)
    }

    private func small() -> [String] {
        CapacityComparisonWords.small(document).flatMap { wrapped("- " + $0, hanging: "  ") }
    }

    private func wrapped(_ text: String, indent: String = "", hanging: String = "") -> [String] {
        TextLayout.wrapped(text, width: width, indent: indent, hanging: hanging)
    }
}

/// A comparison of capacities as GitHub-flavoured Markdown, short enough for the comment of a pull request.
package struct CapacityComparisonMarkdown: Sendable {
    private let document: CapacityComparisonDocument

    package init(of document: CapacityComparisonDocument) {
        self.document = document
    }

    /// The whole text with a final line feed.
    package func render() -> String {
        let word =
            switch document.verdict.outcome {
            case .noRegression: "✅ no less capacity"
            case .regression: "❌ less capacity"
            case .inconclusive: "❔ inconclusive"
            case .incomparable: "🚫 not comparable"
            }
        let sides = [document.candidate, document.base].map { side in
            "\(MarkdownText.plain(side.title)) (\(counted(side.searches.count)))"
        }
        let reasons = document.verdict.reasons.filter { $0 != document.text }
        let small = CapacityComparisonWords.small(document).map { "<sub>\(MarkdownText.plain($0))</sub><br>" }
        let parts = [
            ["### podswarm: \(word)", "", "\(sides[0]) against \(sides[1])"],
            ["**\(MarkdownText.plain(document.text))**"], reasons.map { "- " + MarkdownText.plain($0) }, table(), small,
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func counted(_ searches: Int) -> String { searches == 1 ? "1 search" : "\(searches) searches" }

    private func table() -> [String] {
        let rows = [("base", document.base), ("candidate", document.candidate)].map { name, side in
            let estimate = side.estimate
            let interval = CapacityComparisonWords.interval(estimate?.lower, estimate?.upper)
            return [
                name, MarkdownText.plain(side.title), CapacityComparisonWords.value(estimate?.value), interval,
                String(side.searches.count { $0.leftOut == nil }),
            ]
        }
        let head = ["side", "", document.unit, "90% interval", "searches"]
        return ([head, ["---", "---", "---:", "---:", "---:"]] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }
}

private enum CapacityComparisonWords {
    static func value(_ value: Double?) -> String { value.map(CapacityFacts.count) ?? "-" }

    static func interval(_ lower: Double?, _ upper: Double?) -> String {
        guard let lower, let upper else { return "-" }
        return "\(CapacityFacts.count(lower)) to \(CapacityFacts.count(upper))"
    }

    static func small(_ document: CapacityComparisonDocument) -> [String] {
        let comparability = document.comparability
        return comparability.differences.filter(\.allowed).map { "allowed: \($0.text)" }
            + comparability.unfitRuns.filter(\.allowed).map {
                "left aside: \($0.path): \($0.reasons.joined(separator: "; "))"
            }
            + comparability.skippedFiles.map { "left aside: \($0.path): \($0.reason)" } + document.notes
    }
}
