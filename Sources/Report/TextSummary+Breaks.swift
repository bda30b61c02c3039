import RunResult
import Thresholds

extension TextSummary {
    func breaks() -> [String] {
        let breaks = document.breaks
        guard let percent = breaks.onTimePercent else {
            return [style.inked("Breaks on time", .bold), "  no viewer was due for a break"]
        }
        let ink: TextStyle.Ink = percent >= 100 ? .green : percent >= 99 ? .yellow : .red
        let detail =
            "  (\(TextLayout.grouped(breaks.onTime)) of \(TextLayout.counted(breaks.due, "viewer")) due, "
            + TextLayout.counted(breaks.count, "break") + ")"
        let head = style.inked("Breaks on time", .bold) + "  " + style.inked(MetricText.percent(percent), ink)
        var lines = [head + TextLayout.cut(detail, to: max(0, width - 24))]
        lines += breakTable(breaks.measured)
        let warmUp = breaks.each.count - breaks.measured.count
        if warmUp > 0 {
            lines.append("  \(TextLayout.counted(warmUp, "break")) of the warm-up in none of these figures")
        }
        lines += outcomes(
            "failed",
            breaks.measured.map { $0.failed.merging(["unresolved": $0.unresolved], uniquingKeysWith: &+) }
        )
        lines += outcomes("skipped", breaks.measured.map(\.skipped))
        if let late = breaks.lateness {
            let text = "late by " + late.sentence([.p50, .p99])
            lines += TextLayout.wrapped(text, width: width, indent: "  ", hanging: "  ")
        }
        return lines
    }

    private func breakTable(_ breaks: [BreakResult]) -> [String] {
        // The breaks that went worst matter most; among equals the latest.
        let worst = breaks.filter { $0.due > 0 }
            .sorted {
                ($0.onTimePercent ?? 100, $1.startMicroseconds) < ($1.onTimePercent ?? 100, $0.startMicroseconds)
            }
            .prefix(Self.breakLimit)
        var table = TextTable(header: [
            "break", "due", "on time", "late", "failed", "skipped", "first request", "spread", "slowest",
        ])
        for entry in worst.sorted(by: { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }) {
            table.rows.append(row(entry))
        }
        let hidden = breaks.count { $0.due > 0 } - worst.count
        let more = hidden > 0 ? ["  \(TextLayout.counted(hidden, "more break")) went no worse; see the result"] : []
        return table.lines(width: width) + more
    }

    private func row(_ entry: BreakResult) -> [String] {
        let bound = entry.spreadBoundMicroseconds.map { " ±" + time($0) } ?? ""
        let spread = entry.burst.firstMicroseconds.flatMap { first in
            entry.burst.lastMicroseconds.map { time($0 &- first) + bound }
        }
        return [
            entry.key,
            TextLayout.grouped(entry.due),
            entry.onTimePercent.map(MetricText.percent) ?? "-",
            TextLayout.grouped(entry.late),
            TextLayout.grouped(entry.failed.values.reduce(0, &+) &+ entry.unresolved),
            TextLayout.grouped(entry.skipped.values.reduce(0, &+)),
            entry.burst.firstMicroseconds.map { ($0 < 0 ? "" : "+") + time($0) } ?? "-",
            spread ?? "-",
            entry.slowestResponseMicroseconds.map(time) ?? "-",
        ]
    }

    private func outcomes(_ word: String, _ counts: [[String: UInt64]]) -> [String] {
        let sums = counts.reduce(into: [String: UInt64]()) { $0.merge($1, uniquingKeysWith: &+) }
            .filter { $0.value > 0 }
        guard !sums.isEmpty else { return [] }
        let text = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \(TextLayout.grouped($0.value))" }
        return TextLayout.wrapped("\(word): " + text.joined(separator: ", "), width: width, indent: "  ", hanging: "  ")
    }

    func time(_ microseconds: Int64) -> String { MetricText.time(microseconds: Double(microseconds)) }
}
