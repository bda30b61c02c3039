import Results

/// Counts around a break's start, in steps that fit on an axis.
struct BurstBars {
    /// One step, in milliseconds from the break's start.
    struct Bar {
        var start: Double
        var end: Double
        var count: UInt64
    }

    /// Milliseconds; a whole number of the result's own steps, on the grid of the break's start.
    let step: Double
    /// In the order of time, without empty ones.
    let bars: [Bar]

    /// Joins the result's steps if the axis would have more than `limit`.
    init(_ burst: BurstResult, over milliseconds: Double, atMost limit: Double) {
        let own = Double(max(burst.bucketMilliseconds, 1))
        let step =
            [1, 2, 5, 10, 20, 50, 100, 200, 500].map { $0 * own }.first { milliseconds / $0 <= limit } ?? 1_000 * own
        var bars: [Bar] = []
        for (index, count) in burst.counts.enumerated() where count > 0 {
            let offset = Double(burst.firstBucketMilliseconds ?? 0) + Double(index) * own
            let start = (offset / step).rounded(.down) * step
            if let last = bars.last, last.start == start {
                bars[bars.count - 1].count &+= UInt64(count)
            } else {
                bars.append(Bar(start: start, end: start + step, count: UInt64(count)))
            }
        }
        self.step = step
        self.bars = bars
    }

    var highest: UInt64 { bars.reduce(0) { max($0, $1.count) } }
}

extension VectorPath {
    /// Counts as bars on a ground line, the largest as high as `height`; each above 0 is visible.
    static func bars(_ bars: [BurstBars.Bar], on scale: LinearScale, height: Double) -> VectorPath {
        let most = Double(bars.map(\.count).max() ?? 0)
        return bars.reduce(into: VectorPath()) { path, bar in
            let left = Plot.x(scale.fraction(of: bar.start))
            let width = Plot.x(scale.fraction(of: bar.end)) - left
            let tall = max(1, Double(bar.count) / most * height)
            path.rectangle(x: left, y: height - tall, width: width - min(2, width * 0.12), height: tall)
        }
    }
}

extension BurstResult {
    /// From the first step to the end of the last, in milliseconds from the break's start.
    var span: ClosedRange<Double>? {
        guard let first = firstBucketMilliseconds, !counts.isEmpty else { return nil }
        let length = Double(counts.count) * Double(max(bucketMilliseconds, 1))
        return Double(first)...(Double(first) + length)
    }

    /// Sum of the steps that begin in a half-open range of milliseconds.
    func count(from start: Double, to end: Double) -> UInt64 {
        guard let first = firstBucketMilliseconds else { return 0 }
        return counts.enumerated().reduce(0) { sum, step in
            let offset = Double(first) + Double(step.offset) * Double(bucketMilliseconds)
            return offset >= start && offset < end ? sum &+ UInt64(step.element) : sum
        }
    }

    func count(before end: Double) -> UInt64 {
        earlier &+ count(from: -Double.infinity, to: end)
    }
}
