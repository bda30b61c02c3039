import RunResult

/// How much of the breaks came filled, with ads and with slate: over all, and by cohort.
struct FillSection {
    struct Row {
        var cohort: String
        var asked: String
        var filled: String
        var ads: String
        var slate: String
    }

    private static let cohortLimit = 48

    var filled: String
    var ads: String
    var slate: String
    var rows: [Row]
    var hasRows: Bool
    var note: String
    var hasNote: Bool

    /// Nil where nobody asked for ads.
    init?(_ document: ResultDocument) {
        guard let fill = document.breaks.fill, fill.filledPercent != nil else { return nil }
        let text = FillText(fill)
        (filled, ads, slate) = (text.filled, text.ads, text.slate)
        let cohorts = document.breaks.worstFilled(limit: Self.cohortLimit)
        rows = (cohorts?.shown ?? []).map { cohort in
            let text = FillText(cohort)
            return Row(
                cohort: cohort.cohort ?? "",
                asked: TextLayout.grouped(cohort.asked),
                filled: text.filled,
                ads: text.ads,
                slate: text.slate
            )
        }
        hasRows = !rows.isEmpty
        let hidden = cohorts?.hidden ?? 0
        note = "\(TextLayout.counted(hidden, "more cohort")) were filled no worse; see the result."
        hasNote = hidden > 0
    }
}
