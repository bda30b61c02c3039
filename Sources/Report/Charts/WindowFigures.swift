import Comparison
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
            DriftSeries.value(of: series, in: window).map {
                Point(
                    startMilliseconds: window.startMilliseconds,
                    endMilliseconds: window.endMilliseconds,
                    isWarmUp: window.isWarmUp,
                    value: $0
                )
            }
        }
    }

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
                .init("", points.map { DriftChange.text($0.value, unit: drift.unit) })
            ]
        )
        return plot
    }
}
