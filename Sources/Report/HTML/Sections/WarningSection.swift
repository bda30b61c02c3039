import RunResult

/// What the ad server warned of in the heads of its answers.
struct WarningSection {
    struct Row {
        var kind: String
        var answers: String
        var texts: [String]
    }

    var title: String
    var rows: [Row]

    /// Nil where it warned of nothing.
    init?(_ document: ResultDocument) {
        guard let warnings = document.adServerWarnings, !warnings.isEmpty else { return nil }
        let all = warnings.reduce(0) { $0 &+ $1.answers }
        title = "The ad server warns in \(TextLayout.counted(all, "answer"))"
        rows = warnings.map { entry in
            Row(
                kind: entry.kind,
                answers: TextLayout.grouped(entry.answers),
                texts: entry.texts.map(WarningText.line)
            )
        }
    }
}
