package import Comparison
import Results

extension Page {
    init(_ document: CapacityComparisonDocument) {
        let (word, tone, sign): (String, Tone, String) =
            switch document.verdict.outcome {
            case .noRegression: ("No less capacity", .good, "✅")
            case .regression: ("Less capacity", .bad, "❌")
            case .inconclusive: ("Inconclusive: too few searches for a verdict", .warn, "❔")
            case .incomparable: ("Not comparable", .warn, "🚫")
            }
        let sides = [("base", document.base), ("candidate", document.candidate)]
        let counts = sides.map { _, side in
            "\(side.title) (\(side.searches.count == 1 ? "1 search" : "\(side.searches.count) searches"))"
        }
        let reasons = [document.text] + document.verdict.reasons.filter { $0 != document.text }
        let exit = document.verdict.exitCode
        self.init(
            title: "\(word): \(document.base.title) against \(document.candidate.title)",
            name: "\(document.base.title) → \(document.candidate.title)",
            isNamed: false,
            facts: ["\(counts[1]) against \(counts[0])"],
            verdict: Verdict(word, tone, document.text, exitCode: exit, reasons: reasons, sign: sign),
            caveats: [document.swapDoubt].compactMap { $0.map { Words($0, .warn) } },
            sections: [
                Section("searches", "Searches").showing([Self.table(sides, unit: document.unit)]),
                Section("notes", "Notes").showing([.list(Self.notes(document).map { Words($0) })]),
            ],
            version: document.podswarmVersion
        )
    }

    private static func table(_ sides: [(String, CapacityComparisonDocument.Side)], unit: String) -> Block {
        let interval = { (lower: Double?, upper: Double?) -> String? in
            lower.flatMap { lower in upper.map { "\(CapacityDocument.count(lower)) to \(CapacityDocument.count($0))" } }
        }
        let rows = sides.flatMap { name, side in
            let estimate = side.estimate
            let sum = Table.Row([
                Words("\(name): \(side.title)"), estimate.map { CapacityDocument.count($0.value) }.orDash,
                interval(estimate?.lower, estimate?.upper).orDash, "",
            ])
            let each = side.searches.map { search in
                let ends = search.leftOut == nil ? interval(search.lower, search.upper) : "left out"
                let started = String(UTCText.iso8601(microseconds: search.startedAtMicroseconds).prefix(16))
                let value = search.value.map(CapacityDocument.count).orDash
                return Table.Row([Words("  \(search.path)"), value, ends.orDash, Words(started)])
            }
            return [sum] + each
        }
        let heads: [Table.Column] = ["search", .init(unit), "90% interval", "started"]
        return Table("Table of searches", heads, limits: Limits(markdown: 40), noun: "search").listing(rows)
    }

    private static func notes(_ document: CapacityComparisonDocument) -> [String] {
        let comparability = document.comparability
        return comparability.differences.filter(\.allowed).map { "allowed: \($0.text)" }
            + comparability.unfitRuns.filter(\.allowed).map {
                "left aside: \($0.path): \($0.reasons.joined(separator: "; "))"
            } + comparability.skippedFiles.map { "left aside: \($0.path): \($0.reason)" }
            + document.notes.filter { $0 != document.swapDoubt }
    }
}

extension CapacityComparisonDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String { rendering.render(Page(self)) }

    /// Short enough for a pull request comment.
    package var markdown: String { MarkdownRendering(level: "###").render(Page(self)) }
}
