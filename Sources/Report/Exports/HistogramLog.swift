import Results
import Rules

/// An HdrHistogram log: one line for each window, request kind and metric, in microseconds; `Interval_Max` is milliseconds.
///
/// Sources: HdrHistogram's `HistogramLogWriter` and `HistogramLogReader` (Java), `hdrh.log` (Python). The tag is
/// `<kind>.<metric>`, with `warm_up.` before it in the warm-up: the lines of one tag add up to the result's distribution.
struct HistogramLog: Sendable {
    private typealias Line = (tag: String, startMilliseconds: Int64, endMilliseconds: Int64, latency: LatencyResult)

    let document: ResultDocument

    func render() -> String {
        let start = Self.seconds(milliseconds: document.run.startedAtMicroseconds / 1_000)
        let head = [
            "#[podswarm \(TextLayout.printable(document.podswarmVersion)), microseconds, Tag=kind.metric]",
            "#[Histogram log format version 1.3]",
            "#[StartTime: \(start) (seconds since epoch), \(TextLayout.printable(document.run.startedAt))]",
            // Without a base a reader must guess whether the lines' times are absolute.
            "#[BaseTime: \(start) (seconds since epoch)]",
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"",
        ]
        return (head + lines().map(Self.text)).joined(separator: "\n") + "\n"
    }

    private func lines() -> [Line] {
        guard let windows = document.windows, !windows.isEmpty else { return wholeRun(LatencyMetric.allCases) }
        // Readers that look for a span expect the order of starts.
        return lines(of: windows.filter(\.isWarmUp))
            + wholeRun(LatencyMetric.allCases.filter { !Self.metricsOfWindows.contains($0) })
            + lines(of: windows.filter { !$0.isWarmUp })
    }

    private static let metricsOfWindows: [LatencyMetric] = [.lateness, .service, .response]

    private func lines(of windows: [WindowResult]) -> [Line] {
        windows.flatMap { window in
            let requests = RequestKind.allCases.flatMap { kind -> [(String, LatencyResult?)] in
                guard let requests = window.requests[kind.name] else { return [] }
                let latencies = [requests.lateness, requests.service, requests.response]
                return zip(Self.metricsOfWindows, latencies).map { ("\(kind.name).\($0.name)", $1) }
            }
            let prefix = window.isWarmUp ? "warm_up." : ""
            return (requests + [("live_edge.age", window.liveEdgeAge)]).compactMap { tag, latency in
                latency.map { (prefix + tag, window.startMilliseconds, window.endMilliseconds, $0) }
            }
        }
    }

    /// The run begins after the warm-up.
    private func wholeRun(_ metrics: [LatencyMetric]) -> [Line] {
        let start = document.warmUp?.durationMilliseconds ?? 0
        let end = (document.run.endedAtMicroseconds &- document.run.startedAtMicroseconds) / 1_000
        return RequestKind.allCases.flatMap { kind in
            metrics.compactMap { metric in
                document.requests[kind.name]?.latencies[metric.name].map {
                    ("\(kind.name).\(metric.name)", start, end, $0)
                }
            }
        }
    }

    private static func text(_ line: Line) -> String {
        let length = max(0, line.endMilliseconds &- line.startMilliseconds)
        let fields = [
            "Tag=\(line.tag)", seconds(milliseconds: line.startMilliseconds), seconds(milliseconds: length),
            MetricText.rounded(Double(line.latency.maximumMicroseconds) / 1_000, places: 3),
            line.latency.histogram.data.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) },
        ]
        return fields.joined(separator: ",")
    }

    /// Exact, because readers find windows by these numbers.
    private static func seconds(milliseconds: Int64) -> String {
        let fraction = String(max(0, milliseconds) % 1_000)
        return "\(max(0, milliseconds) / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
