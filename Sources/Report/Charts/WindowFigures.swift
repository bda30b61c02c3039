import Results

struct WindowFigures: Sendable {
    struct Point: Sendable, Equatable {
        var startMilliseconds: Int64
        var endMilliseconds: Int64
        var isWarmUp: Bool
        var value: Double
    }

    let points: [Point]

    init(of series: String, in windows: [WindowResult]) {
        points = windows.compactMap { window in
            Self.value(of: series, in: window).map {
                Point(
                    startMilliseconds: window.startMilliseconds,
                    endMilliseconds: window.endMilliseconds,
                    isWarmUp: window.isWarmUp,
                    value: $0
                )
            }
        }
    }

    private static func value(of series: String, in window: WindowResult) -> Double? {
        switch series {
        case "breaks.on_time": return percent(window.onTime, of: window.due)
        case "pods.filled":
            return percent(window.viewers["pod_filled_ms"] ?? 0, of: window.viewers["pod_asked_ms"] ?? 0)
        case "findings": return Double(window.findings)
        case "generator.resident_bytes": return positive(Double(window.residentBytesMinimum))
        case "generator.open_descriptors": return positive(Double(window.openDescriptorsMinimum))
        case "generator.loop_delay": return Double(window.loopDelayMaximumMicroseconds)
        default: break
        }
        let words = series.split(separator: ".").map(String.init)
        if words.count == 2, words[0] == "live_edge_age" { return window.liveEdgeAge?.figure(words[1]) }
        guard let requests = window.requests[words.first ?? ""] else { return nil }
        if words.count == 2, words[1] == "errors" { return percent(requests.errors, of: requests.count) }
        guard words.count == 3 else { return nil }
        switch words[1] {
        case "response": return requests.response?.figure(words[2])
        case "service": return requests.service?.figure(words[2])
        case "lateness": return requests.lateness?.figure(words[2])
        default: return nil
        }
    }

    private static func percent(_ part: UInt64, of whole: UInt64) -> Double? {
        whole == 0 ? nil : Double(part) * 100 / Double(whole)
    }

    private static func positive(_ value: Double) -> Double? { value > 0 ? value : nil }

    /// A small chart without axes; nil with fewer than two windows.
    func sparkline(named name: String, length: Int64, drift: DriftResult) -> Plot? {
        guard points.count > 1, let low = points.map(\.value).min(), let high = points.map(\.value).max() else {
            return nil
        }
        let time = LinearScale(0, Double(max(length, 1)))
        // A nearly constant series must look constant.
        let least = abs(drift.median ?? high) * 0.1
        let middle = (low + high) / 2
        let scale = LinearScale(min(low, middle - least / 2), max(high, middle + least / 2, low + 1e-9))
        var plot = Plot(name: name, height: 44, style: "spark")
        let places = points.map { time.fraction(of: Double($0.startMilliseconds) / 2 + Double($0.endMilliseconds) / 2) }
        let line = zip(points, places).map { point, place in
            (x: Plot.x(place), y: plot.height - 4 - scale.fraction(of: point.value) * (plot.height - 8))
        }
        if let end = points.last(where: \.isWarmUp)?.endMilliseconds {
            var warmUp = VectorPath()
            warmUp.rectangle(x: 0, y: 0, width: Plot.x(time.fraction(of: Double(end))), height: plot.height)
            plot.shapes.shape(warmUp, "warm")
        }
        plot.shapes.shape(VectorPath.through(line), drift.verdict == .creeping ? "c2" : "c1")
        plot.readings = Readings(
            fractions: places,
            headings: points.map { "from " + TimeText.elapsed(Double($0.startMilliseconds) / 1_000) },
            lines: [
                .init(name: "", style: "", values: points.map { DriftChange.text($0.value, unit: drift.unit) })
            ]
        )
        return plot
    }
}

extension LatencyResult {
    fileprivate func figure(_ name: String) -> Double? {
        switch name {
        case "p50": Double(p50Microseconds)
        case "p90": Double(p90Microseconds)
        case "p95": Double(p95Microseconds)
        case "p99": Double(p99Microseconds)
        case "p999", "p99.9": Double(p999Microseconds)
        case "max": Double(maximumMicroseconds)
        default: nil
        }
    }
}
