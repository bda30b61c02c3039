internal import Measurement

/// Whether anything moved over the length of a run: the verdict on each series with its windows.
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

    struct Window {
        var time: String
        var note: String
        var requests: String
        var errors: String
        var onTime: String
        var podP99: String
        var playlistP99: String
        var viewers: String
        var findings: String
        var memory: String
        var descriptors: String
        var loopDelay: String
    }

    var rows: [Row]
    var hasRows: Bool
    var summary: String
    var windows: [Window]
    var hasWindows: Bool
    var windowTitle: String

    /// Nil for a result without windows and drift verdicts.
    init?(_ document: ResultDocument) {
        let windows = document.windows ?? []
        let drift = document.drift ?? []
        guard !drift.isEmpty || windows.count > 1 else { return nil }
        let length = windows.map(\.endMilliseconds).max() ?? 0
        rows = drift.sorted { Self.rank($0) < Self.rank($1) }.map { Self.row($0, windows: windows, length: length) }
        hasRows = !rows.isEmpty
        summary = Self.summary(drift)
        self.windows = windows.map(Self.window)
        hasWindows = !windows.isEmpty
        windowTitle = "All \(windows.count) windows"
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
        let creeping = drift.count { $0.verdict == .creeping }
        if drift.isEmpty { return "Drift was not judged in this run." }
        if drift.allSatisfy({ $0.verdict == .tooFewWindows }) {
            return "Too few windows to tell drift from noise."
        }
        return creeping == 0
            ? "Nothing crept: \(TextLayout.counted(drift.count, "series")) looked at."
            : "\(creeping) of \(drift.count) series crept."
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
            slope: (drift.median.map { "median \(text($0, unit: drift.unit)); " } ?? "") + slope(drift),
            text: drift.text,
            chart: sparkline?.markup() ?? .none
        )
    }

    private static func slope(_ drift: DriftResult) -> String {
        guard let slope = drift.slopePerHour else { return "" }
        let signed = { (value: Double) in (value > 0 ? "+" : "") + text(value, unit: drift.unit) }
        guard let low = drift.slopeLowPerHour, let high = drift.slopeHighPerHour else {
            return signed(slope) + " per hour"
        }
        return "\(signed(slope)) per hour (\(signed(low)) to \(signed(high)))"
    }

    /// A value in a drift verdict's unit.
    static func text(_ value: Double, unit: String) -> String {
        switch unit {
        case "us": MetricText.time(microseconds: value)
        case "percent": MetricText.rounded(value, places: 2) + " %"
        case "bytes": TickText.bytes(value)
        default: MetricText.number(value)
        }
    }

    private static func window(_ window: WindowResult) -> Window {
        let requests = window.requests.values.reduce(into: (count: UInt64(0), errors: UInt64(0))) {
            $0.count &+= $1.count
            $0.errors &+= $1.errors
        }
        let p99 = { (kind: RequestKind) in
            window.requests[kind.name]?.response.map { TimeText.duration($0.p99Microseconds) } ?? "–"
        }
        return Window(
            time: TimeText.elapsed(Double(window.startMilliseconds) / 1_000),
            note: window.isWarmUp ? " warm-up" : window.isComplete ? "" : " cut short",
            requests: TextLayout.grouped(requests.count),
            errors: TextLayout.grouped(requests.errors),
            onTime: window.due == 0 ? "–" : MetricText.percent(Double(window.onTime) * 100 / Double(window.due)),
            podP99: p99(.podManifest),
            playlistP99: p99(.playlist),
            viewers: TextLayout.grouped(window.activeViewers),
            findings: TextLayout.grouped(window.findings),
            memory: TickText.bytes(Double(window.residentBytesMinimum)),
            descriptors: TextLayout.grouped(window.openDescriptorsMinimum),
            loopDelay: TimeText.duration(window.loopDelayMaximumMicroseconds)
        )
    }
}
