import Rulebook
import RunResult
import Thresholds

/// The run in windows, as a table.
struct WindowTable {
    struct Row {
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
    var title: String

    /// Nil where there are not two windows to hold against each other.
    init?(_ document: ResultDocument) {
        guard let windows = document.windows, windows.count > 1 else { return nil }
        rows = windows.map(Self.row)
        title = "All \(windows.count) windows"
    }

    private static func row(_ window: WindowResult) -> Row {
        let requests = window.requests.values.reduce(into: (count: UInt64(0), errors: UInt64(0))) {
            $0.count &+= $1.count
            $0.errors &+= $1.errors
        }
        let p99 = { (kind: RequestKind) in
            window.requests[kind.name]?.response?.cell(.p99) ?? "–"
        }
        return Row(
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
