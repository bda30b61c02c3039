import RunResult

extension TextSummary {
    private static let cohortLimit = 12

    /// How much of what was asked for came, and how much of that is slate; nothing where nobody asked.
    func fill() -> [String] {
        guard let fill = document.breaks.fill, fill.filledPercent != nil else { return [] }
        let text = FillText(fill)
        let parts = "  (ads \(text.ads), slate \(text.slate) of the time that was asked for)"
        let total = style.inked("Filled", .bold) + "  " + text.filled + TextLayout.cut(parts, to: width - 15)
        guard let cohorts = document.breaks.worstFilled(limit: Self.cohortLimit) else { return [total] }
        var table = TextTable(header: ["cohort", "asked", "filled", "ads", "slate"])
        for cohort in cohorts.shown {
            let text = FillText(cohort)
            table.rows.append([
                cohort.cohort ?? "", TextLayout.grouped(cohort.asked), text.filled, text.ads, text.slate,
            ])
        }
        let more =
            cohorts.hidden > 0
            ? ["  \(TextLayout.counted(cohorts.hidden, "more cohort")) were filled no worse; see the result"] : []
        return [total] + table.lines(width: width) + more
    }
}
