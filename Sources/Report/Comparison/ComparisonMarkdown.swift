package import Comparison
import Thresholds

/// A comparison as GitHub-flavoured Markdown, short enough for the comment of a pull request.
package struct ComparisonMarkdown: Sendable {
    let document: ComparisonDocument

    package init(of document: ComparisonDocument) {
        self.document = document
    }

    /// The whole text with a final line feed.
    ///
    /// - Returns: A heading with the verdict, the reasons, and tables of what decides; folded away are rates that are no
    ///   worse and informational metrics that moved. What does not fit on a screen is counted, not listed.
    package func render() -> String {
        let parts = [
            heading(), reasons(), metrics(), rates(), findings(), withinRun(), steady(), informational(), small(),
        ]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func heading() -> [String] {
        let word =
            switch document.verdict.outcome {
            case .noRegression: "✅ no regression"
            case .regression: "❌ regression"
            case .inconclusive: "❔ inconclusive"
            case .incomparable: "🚫 not comparable"
            }
        let sides = [document.base, document.candidate].map { side in
            "\(text(side.title)) (\(TextLayout.counted(side.runs.count, "run")))"
        }
        return ["### podswarm: \(word)", "", "\(sides[1]) against \(sides[0])"]
    }

    /// Reasons, findings and notes of each sort that are shown.
    private static let lineLimit = 12

    private static func limited(_ lines: [String]) -> [String] {
        let hidden = lines.count - lineLimit
        guard hidden > 0 else { return lines }
        return lines.prefix(lineLimit) + ["- and \(TextLayout.counted(hidden, "more line")) in the comparison"]
    }

    private func reasons() -> [String] {
        let needed = document.verdict.runsNeededPerSide.map { "about \($0) runs on each side would probably decide" }
        return Self.limited(document.verdict.reasons.map { "- " + text($0) }) + (needed.map { ["- " + $0] } ?? [])
            + Self.limited(document.verdict.improvements.map { "- better: " + text($0) })
    }

    private func metrics() -> [String] { table(of: document.metrics.filter(\.gating)) }

    private func informational() -> [String] {
        let news: [FigureVerdict] = [.regression, .improvement]
        let metrics = table(of: document.metrics.filter { !$0.gating && news.contains($0.verdict) })
        guard !metrics.isEmpty else { return [] }
        return ["<details><summary>Other metrics that moved</summary>", ""] + metrics + ["", "</details>"]
    }

    private func table(of metrics: [MetricComparison]) -> [String] {
        guard !metrics.isEmpty else { return [] }
        let head = ["metric", "base", "candidate", "change", "90% interval", "margin", "verdict"]
        return table(
            head,
            metrics.map { metric in
                [
                    code(metric.metric), metric.base.medianMicroseconds.map(MetricText.time) ?? "-",
                    metric.candidate.medianMicroseconds.map(MetricText.time) ?? "-",
                    metric.ratio.map(MetricText.change) ?? "-", MetricText.interval(metric) ?? "-",
                    MetricText.number(metric.appliedMarginPercent) + "%",
                    !metric.gating && metric.verdict == .regression ? "worse" : word(metric.verdict),
                ]
            }
        )
    }

    private func rates() -> [String] { table(of: document.rates.filter { $0.verdict != .noRegression }) }

    /// Rates without news.
    private func steady() -> [String] {
        let rates = document.rates.filter { $0.verdict == .noRegression }
        guard !rates.isEmpty else { return [] }
        let title = "\(TextLayout.counted(rates.count, "rate")) no worse"
        return ["<details><summary>\(title)</summary>", ""] + table(of: rates) + ["", "</details>"]
    }

    private func table(of rates: [RateComparison]) -> [String] {
        guard !rates.isEmpty else { return [] }
        return table(
            ["rate", "base", "candidate", "verdict"],
            rates.map { rate in
                [code(rate.metric), share(rate.base), share(rate.candidate), word(rate.verdict)]
            }
        )
    }

    private func share(_ side: RateComparison.Side) -> String {
        guard let percent = side.percent, let low = side.lowPercent, let high = side.highPercent else { return "-" }
        return "\(MetricText.percent(percent)) (\(MetricText.percent(low)) to \(MetricText.percent(high)))"
    }

    private func findings() -> [String] {
        Self.limited(document.findings.map { "- " + text("\($0.severity) \($0.text)") })
    }

    private func withinRun() -> [String] {
        guard let within = document.withinRun else { return [] }
        let rows = within.figures.map { figure in
            let isTime = figure.unit == "us"
            func change(_ value: Double) -> String {
                isTime ? MetricText.change(ratio: value) : "\(MetricText.number(value)) points"
            }
            return [
                text(figure.name), change(figure.change), "\(change(figure.changeLow)) to \(change(figure.changeHigh))",
            ]
        }
        return table(["over breaks", "change", "90% interval"], rows) + ["", text(within.text)]
    }

    private func small() -> [String] {
        let allowed = document.comparability.differences.filter(\.allowed).map { "allowed: \($0.text)" }
        let skipped = document.comparability.skippedFiles.map { "left aside: \($0.path): \($0.reason)" }
        return Self.limited((allowed + skipped + document.notes).map { "<sub>\(text($0))</sub><br>" })
    }

    private func table(_ header: [String], _ rows: [[String]]) -> [String] {
        let rule = header.indices.map { $0 == 0 || $0 == header.count - 1 ? "---" : "---:" }
        return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    private func word(_ verdict: FigureVerdict) -> String {
        switch verdict {
        case .regression: "❌ regression"
        case .improvement: "✅ better"
        case .noRegression: "✅ no worse"
        case .inconclusive: "❔ undecided"
        case .notMeasured: "not measured"
        }
    }

    /// Foreign text must neither break a table nor become markup.
    private func text(_ raw: String) -> String { MarkdownText.plain(raw) }

    /// The name of a metric; what a damaged result calls one is anybody's.
    private func code(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "._*".utf8.contains(byte)
            }
        }
        return isPlain ? "`\(name)`" : MarkdownText.code(name)
    }
}
