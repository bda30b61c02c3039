internal import Measurement

extension TextSummary {
    func findings() -> [String] {
        guard !document.findings.isEmpty else {
            return [style.inked("Findings", .bold) + "  " + style.inked("none", .green)]
        }
        return [style.inked("Findings", .bold)] + document.findings.flatMap(finding)
    }

    private func finding(_ finding: FindingResult) -> [String] {
        let ink: TextStyle.Ink = finding.severity == Severity.broken.rawValue && !finding.allowed ? .red : .yellow
        let allowed = finding.allowed ? " (allowed by the profile)" : ""
        let head = style.inked("  \(finding.severity) \(finding.code)", ink)
        let counts =
            "\(TextLayout.counted(finding.count, "time")), \(TextLayout.counted(finding.viewers, "viewer"))"
            + " (\(MetricText.percent(finding.viewersPercent)))\(allowed)"
        var lines = [head] + wrapped(counts, 4) + wrapped(finding.meaning, 4)
        for occurrence in finding.occurrences.prefix(Self.occurrenceLimit) {
            lines += self.occurrence(occurrence)
        }
        let hidden = finding.occurrences.count - Self.occurrenceLimit + finding.occurrencesNotListed
        if hidden > 0 { lines += wrapped("and in \(TextLayout.counted(hidden, "more break"))", 4) }
        return lines + wrapped("rule: " + finding.rule, 4)
            + finding.likelyCauses.flatMap { wrapped("likely: " + $0, 4) }
    }

    private func occurrence(_ occurrence: FindingOccurrence) -> [String] {
        let place = occurrence.breakKey.map { "break \($0)" } ?? "outside any break"
        var lines = wrapped(
            "\(place): \(TextLayout.counted(occurrence.count, "time")),"
                + " \(TextLayout.counted(occurrence.viewers, "viewer"))"
                + " (\(MetricText.percent(occurrence.viewersPercent)))",
            4
        )
        for share in occurrence.shares {
            let text = "\(MetricText.percent(share.viewersPercent)) (\(TextLayout.grouped(share.viewers)))"
            lines += wrapped("\(text)  \(share.label)", 6)
        }
        if let first = occurrence.first { lines += seen("first", first) }
        if let last = occurrence.last, last != occurrence.first { lines += seen("last", last) }
        return lines
    }

    private func seen(_ word: String, _ seen: FindingOccurrence.Seen) -> [String] {
        let time = UTCText.iso8601(microseconds: seen.wallMicroseconds)
        return wrapped("\(word): viewer \(seen.viewer) at \(time), \(seen.url)", 6)
            + wrapped("expected \(seen.expected)", 8) + wrapped("observed \(seen.observed)", 8)
    }

    private func wrapped(_ text: String, _ indent: Int) -> [String] {
        TextLayout.wrapped(text, width: width, indent: String(repeating: " ", count: indent), hanging: "  ")
    }
}
