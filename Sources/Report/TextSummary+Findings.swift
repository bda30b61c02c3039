import RunResult
import Thresholds

extension TextSummary {
    func findings() -> [String] {
        guard !document.findings.isEmpty else {
            return [style.inked("Findings", .bold) + "  " + style.inked("none", .green)]
        }
        let worthNoting = document.findings.contains { !$0.isAdvice }
        let head = worthNoting ? "" : "  " + style.inked("none but advice", .green)
        return [style.inked("Findings", .bold) + head] + document.findings.flatMap(finding)
    }

    private func finding(_ finding: FindingResult) -> [String] {
        let ink: TextStyle.Ink = finding.failsRun ? .red : finding.isAdvice ? .dim : .yellow
        let allowed = finding.allowanceNote.map { " (\($0))" } ?? ""
        let head = style.inked(TextLayout.printable("  \(finding.severity) \(finding.code)"), ink)
        let counts =
            "\(TextLayout.counted(finding.count, "time")), \(TextLayout.counted(finding.viewers, "viewer"))"
            + " (\(MetricText.percent(finding.viewersPercent)))\(allowed)"
        var lines = [head] + wrapped(counts, 4) + wrapped(finding.meaning, 4)
        let shown = finding.occurrences.prefix(finding.isAdvice ? 1 : Self.occurrenceLimit)
        for occurrence in shown {
            lines += self.occurrence(occurrence)
        }
        let hidden = finding.occurrences.count - shown.count + finding.occurrencesNotListed
        if hidden > 0 { lines += wrapped("and in \(TextLayout.counted(hidden, "more \(finding.kindOfPlace)"))", 4) }
        return lines + wrapped("rule: " + finding.rule, 4)
            + (finding.isAdvice ? [] : finding.likelyCauses.flatMap { wrapped("likely: " + $0, 4) })
            + (finding.whereToLook.map { wrapped("look at: " + $0, 4) } ?? [])
    }

    private func occurrence(_ occurrence: FindingOccurrence) -> [String] {
        var lines = wrapped(
            "\(occurrence.place()): \(TextLayout.counted(occurrence.count, "time")),"
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
        // A request that was never answered may have no URL.
        let url = seen.url.isEmpty ? "" : ", \(seen.url)"
        return wrapped("\(word): viewer \(seen.viewer) at \(time)\(url)", 6)
            + wrapped("expected \(seen.expected)", 8) + wrapped("observed \(seen.observed)", 8)
            + (seen.address.map { wrapped("answered by \($0)", 8) } ?? [])
            + (seen.served.map { wrapped("served by \($0)", 8) } ?? [])
            + (seen.traceID.map { wrapped("trace \($0)", 8) } ?? [])
    }

    private func wrapped(_ text: String, _ indent: Int) -> [String] {
        TextLayout.wrapped(text, width: width, indent: String(repeating: " ", count: indent), hanging: "  ")
    }
}

extension FindingResult {
    /// What the profile's allowance means for this code; nil where the profile does not name it.
    var allowanceNote: String? {
        guard let allowance, allowance != FindingAllowance.any.text else {
            return allowed ? "allowed by the profile" : nil
        }
        let limit = allowance.hasSuffix("%") ? "\(allowance) of viewers" : "\(allowance) in all"
        return allowed ? "allowed by the profile: \(limit)" : "the profile allows \(limit)"
    }
}
