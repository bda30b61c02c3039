import Rulebook
import RunResult
import Thresholds

/// Whether anything moved over the length of a run: the verdict on each series of windows.
struct DriftSection {
    struct Row {
        var series: String
        var subject: String
        var word: String
        var tone: String
        var slope: String
        var text: String
        var chart: Markup
    }

    var rows: [Row]
    var hasRows: Bool
    var summary: String

    /// Nil where drift was not judged.
    init?(_ document: ResultDocument) {
        guard let all = document.drift, !all.isEmpty else { return nil }
        let windows = document.windows ?? []
        let drift = all.decided
        let length = windows.map(\.endMilliseconds).max() ?? 0
        rows = drift.sorted { Self.rank($0) < Self.rank($1) }.map { Self.row($0, windows: windows, length: length) }
        hasRows = !rows.isEmpty
        summary = Self.summary(drift)
    }

    private static func rank(_ drift: DriftResult) -> Int {
        switch drift.verdict {
        case .creeping: 0
        case .improving: 1
        case .steady: 2
        case .tooFewWindows: 3
        }
    }

    private static func summary(_ drift: [DriftResult]) -> String {
        if drift.isEmpty { return "Too few windows to tell drift from noise." }
        let creeping = drift.count { $0.verdict == .creeping }
        return creeping == 0
            ? "Nothing crept: \(drift.count) series looked at." : "\(creeping) of \(drift.count) series crept."
    }

    private static func row(_ drift: DriftResult, windows: [WindowResult], length: Int64) -> Row {
        let word =
            switch drift.verdict {
            case .creeping: ("creeping", "bad")
            case .improving: ("improving", "good")
            case .steady: ("steady", "")
            case .tooFewWindows: ("too few windows", "")
            }
        let sparkline = WindowFigures(of: drift.series, in: windows)
            .sparkline(named: "\(drift.series) by window", length: length, drift: drift)
        return Row(
            series: drift.series,
            subject: drift.subject.rawValue,
            word: word.0,
            tone: word.1,
            slope: [
                drift.median.map { "median \(DriftChange.text($0, unit: drift.unit))" }, DriftChange(drift)?.text,
            ].compactMap(\.self).joined(separator: "; "),
            text: drift.text,
            chart: sparkline?.markup() ?? .none
        )
    }
}
