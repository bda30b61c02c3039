import Comparison
import Thresholds

extension ComparisonText {
    /// The columns that matter most stand first, because a narrow terminal loses the last ones.
    func metrics(gating: Bool) -> [String] {
        let all = document.metrics.filter { $0.gating == gating }
        let shown = gating || showsAll ? all : all.filter { $0.verdict == .regression || $0.verdict == .improvement }
        guard !all.isEmpty else { return [] }
        let title = gating ? "Gates" : "For information"
        var table = TextTable(header: ["metric", "change", "verdict", "90% interval", "margin", "base", "candidate"])
        table.rows = shown.map(row)
        let hidden = all.count - shown.count
        let quiet = hidden > 0 ? wrapped("\(TextLayout.counted(hidden, "more metric")) without news") : []
        return [style.inked(title, .bold)] + (shown.isEmpty ? [] : table.lines(width: width)) + quiet
    }

    private func row(_ metric: MetricComparison) -> [String] {
        [
            metric.metric,
            metric.ratio.map(MetricText.change) ?? "-",
            metric.gating ? word(metric.verdict) : mild(metric.verdict),
            MetricText.interval(metric) ?? "-",
            MetricText.number(metric.appliedMarginPercent) + "%",
            metric.base.medianMicroseconds.map(MetricText.time) ?? "-",
            metric.candidate.medianMicroseconds.map(MetricText.time) ?? "-",
        ]
    }

    func rates() -> [String] {
        guard !document.rates.isEmpty else { return [] }
        var table = TextTable(header: ["rate", "base", "candidate", "verdict", "base interval", "candidate interval"])
        table.rows = document.rates.map { rate in
            [
                rate.metric, rate.base.percent.map(MetricText.percent) ?? "-",
                rate.candidate.percent.map(MetricText.percent) ?? "-", word(rate.verdict), interval(rate.base),
                interval(rate.candidate),
            ]
        }
        return [style.inked("Rates", .bold)] + table.lines(width: width)
    }

    private func interval(_ side: RateComparison.Side) -> String {
        guard let low = side.lowPercent, let high = side.highPercent else { return "-" }
        return "\(MetricText.percent(low)) to \(MetricText.percent(high))"
    }

    func findings() -> [String] {
        guard document.comparability.comparable else { return [] }
        guard !document.findings.isEmpty else {
            return [style.inked("Findings", .bold) + "  " + style.inked("none on either side", .green)]
        }
        return [style.inked("Findings", .bold)]
            + document.findings.flatMap { finding in
                let ink: TextStyle.Ink? =
                    switch finding.change {
                    case .new, .beyondAllowance: finding.isRegression ? .red : .yellow
                    case .persisting: .yellow
                    case .gone: .green
                    }
                return wrapped("\(finding.severity) \(finding.text)").map { line in
                    ink.map { style.inked(line, $0) } ?? line
                }
            }
    }

    func withinRun() -> [String] {
        guard let within = document.withinRun else { return [] }
        var table = TextTable(header: ["over breaks", "base", "candidate", "change", "90% interval"])
        table.rows = within.figures.map { figure in
            let isTime = figure.unit == "us"
            func value(_ value: Double) -> String {
                isTime ? MetricText.time(microseconds: value) : MetricText.percent(value)
            }
            func change(_ change: Double) -> String {
                isTime ? MetricText.change(ratio: change) : "\(MetricText.number(change)) points"
            }
            return [
                figure.name, value(figure.base), value(figure.candidate), change(figure.change),
                "\(change(figure.changeLow)) to \(change(figure.changeHigh))",
            ]
        }
        return [style.inked("Breaks of the two runs", .bold)] + table.lines(width: width) + wrapped(within.text)
    }

    /// What decides nothing must not shout.
    private func mild(_ verdict: FigureVerdict) -> String { verdict == .regression ? "worse" : word(verdict) }

    func word(_ verdict: FigureVerdict) -> String {
        switch verdict {
        case .regression: "REGRESSION"
        case .improvement: "better"
        case .noRegression: "no worse"
        case .inconclusive: "undecided"
        case .notMeasured: "not measured"
        }
    }
}
