import RunResult
import Thresholds

extension TextSummary {
    private static let cohortLimit = 12

    /// How much of what was asked for came, and how much of that is slate; nothing where nobody asked.
    func fill() -> [String] {
        guard let fill = document.breaks.fill, let filled = fill.filledPercent else { return [] }
        let parts =
            "  (ads \(share(fill.adMilliseconds, of: fill)), slate \(share(fill.slateMilliseconds, of: fill)) "
            + "of the time that was asked for)"
        let total =
            style.inked("Filled", .bold) + "  " + MetricText.percent(filled) + TextLayout.cut(parts, to: width - 15)
        guard let cohorts = document.breaks.fillOfCohorts else { return [total] }
        var table = TextTable(header: ["cohort", "asked", "filled", "ads", "slate"])
        let worst = cohorts.sorted {
            ($0.filledPercent ?? 100, $0.cohort ?? "") < ($1.filledPercent ?? 100, $1.cohort ?? "")
        }
        for cohort in worst.prefix(Self.cohortLimit) {
            table.rows.append([
                cohort.cohort ?? "",
                TextLayout.grouped(cohort.asked),
                cohort.filledPercent.map(MetricText.percent) ?? "-",
                share(cohort.adMilliseconds, of: cohort),
                share(cohort.slateMilliseconds, of: cohort),
            ])
        }
        let hidden = cohorts.count - min(cohorts.count, Self.cohortLimit)
        let more =
            hidden > 0 ? ["  \(TextLayout.counted(hidden, "more cohort")) were filled no worse; see the result"] : []
        return [total] + table.lines(width: width) + more
    }

    private func share(_ milliseconds: UInt64, of fill: FillResult) -> String {
        guard fill.askedMilliseconds > 0 else { return "-" }
        return MetricText.percent(Double(milliseconds) * 100 / Double(fill.askedMilliseconds))
    }
}
