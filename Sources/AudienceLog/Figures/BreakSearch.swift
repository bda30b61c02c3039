/// Finds the times in which many viewers ask for ads at once.
struct BreakSearch {
    /// A second belongs to a break in which so large a part of the audience asks.
    private static let leastOfSecond = 0.005
    /// A break is one for which so large a part of the audience asks.
    private static let leastOfBreak = 0.05
    /// Seconds in which nobody asks, between two breaks.
    private static let quietSeconds = 5
    private static let most = 500

    let asks: AskTimes
    /// The audience at each second, and the second of the asks' own clock that the first of them is.
    let viewers: [Int32]
    let firstSecond: Double
    let weight: Int

    /// The breaks, and how many asked in none.
    func found() -> (breaks: [AudienceFigures.Break], apart: Int) {
        var breaks: [AudienceFigures.Break] = []
        var (begin, end, quiet) = (0, 0, Int.max)
        for minute in asks.usedMinutes {
            for second in Int(minute) * 60..<(Int(minute) + 1) * 60 {
                let asked = asks.steps(ofSecond: second).reduce(0) { $0 + Int($1) }
                let isBusy = asked > 0 && Double(asked) >= Self.leastOfSecond * Double(present(at: second))
                if isBusy {
                    if quiet == .max || second - end > Self.quietSeconds {
                        if quiet != .max { add(begin..<end, to: &breaks) }
                        begin = second
                    }
                    end = second + 1
                    quiet = 0
                }
            }
        }
        if quiet != .max { add(begin..<end, to: &breaks) }
        return (breaks, max(0, asks.total - asks.dropped - breaks.reduce(0) { $0 + $1.asked }))
    }

    private func present(at second: Int) -> Int {
        let place = Int((Double(second) - firstSecond).rounded())
        return viewers.indices.contains(place) ? Int(viewers[place]) * weight : 0
    }

    private func add(_ seconds: Range<Int>, to breaks: inout [AudienceFigures.Break]) {
        let steps = seconds.flatMap { asks.steps(ofSecond: $0) }
        let asked = steps.reduce(0) { $0 + Int($1) }
        guard let first = Self.step(at: 0.01, of: steps, asked), breaks.count < Self.most else { return }
        let firstMilliseconds = seconds.lowerBound * 1000 + first * Int(AskTimes.stepMilliseconds)
        // Some come while it goes on.
        let present = (firstMilliseconds / 1000...seconds.upperBound + 1).reduce(0) { max($0, self.present(at: $1)) }
        guard Double(asked) >= Self.leastOfBreak * Double(present) else { return }
        var found = AudienceFigures.Break(
            milliseconds: firstMilliseconds - Int(firstSecond * 1000),
            asked: asked,
            present: present
        )
        for share in [0.5, 0.9, 0.99] {
            guard let step = Self.step(at: share, of: steps, asked) else { continue }
            let delay = Double((step - first) * Int(AskTimes.stepMilliseconds))
            found.delays.append(AudienceFigures.Percentile(share: share, value: delay))
        }
        breaks.append(found)
    }

    /// The step by which a share of all has asked.
    private static func step(at share: Double, of steps: [UInt32], _ total: Int) -> Int? {
        guard total > 0 else { return nil }
        var left = max(1, (share * Double(total)).rounded(.up))
        for (step, count) in steps.enumerated() {
            left -= Double(count)
            if left <= 0 { return step }
        }
        return nil
    }
}
