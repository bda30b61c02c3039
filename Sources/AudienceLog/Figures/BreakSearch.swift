/// Finds the times in which many viewers ask for ads at once.
struct BreakSearch {
    /// A second belongs to a break in which so large a part of the audience asks.
    private static let leastOfSecond = 0.005
    /// A break is one for which so large a part of the audience asks.
    private static let leastOfBreak = 0.05
    /// Seconds in which nobody asks, between two breaks.
    private static let quietSeconds = 5
    private static let most = 500
    /// Whoever has just come asks in a break where it does so no farther from those who were there.
    private static let nearMilliseconds = 100

    let asks: AskTimes
    /// Of viewers that had just come: before the programme, or in a break that was there then.
    let asksOnJoining: AskTimes
    /// The audience at each second, and the second of the asks' own clock that the first of them is.
    let viewers: [Int32]
    let firstSecond: Double
    let hasWholeSeconds: Bool
    let weight: Int

    /// The breaks, and how many asked in none: at other times, and on joining.
    func found() -> (breaks: [AudienceFigures.Break], apart: Int, onJoining: Int) {
        var breaks: [AudienceFigures.Break] = []
        var (begin, end, quiet, joined) = (0, 0, Int.max, 0)
        for minute in asks.usedMinutes {
            for second in Int(minute) * 60..<(Int(minute) + 1) * 60 {
                let asked = asks.steps(ofSecond: second).reduce(0) { $0 + Int($1) }
                let isBusy = asked > 0 && Double(asked) >= Self.leastOfSecond * present(at: second * 1000)
                if isBusy {
                    if quiet == .max || second - end > Self.quietSeconds {
                        if quiet != .max { joined += add(begin..<end, to: &breaks) }
                        begin = second
                    }
                    end = second + 1
                    quiet = 0
                }
            }
        }
        if quiet != .max { joined += add(begin..<end, to: &breaks) }
        let apart = asks.total - asks.dropped - (breaks.reduce(0) { $0 + $1.asked } - joined)
        return (breaks, max(0, apart), asksOnJoining.total - asksOnJoining.dropped - joined)
    }

    /// The audience at an instant of the asks' clock: on a line between two seconds.
    private func present(at milliseconds: Int) -> Double {
        let second = Double(milliseconds) / 1000 - firstSecond
        guard second > -1, second < Double(viewers.count) else { return 0 }
        let place = min(max(0, second), Double(viewers.count - 1))
        let (left, right) = (viewers[Int(place)], viewers[min(Int(place) + 1, viewers.count - 1)])
        return (Double(left) + (place - place.rounded(.down)) * Double(right - left)) * Double(weight)
    }

    /// The largest audience between two instants.
    private func mostPresent(from first: Int, to last: Int) -> Int {
        // A stamp of a whole second stands for any instant in it.
        let unseen = hasWholeSeconds ? 500 : 0
        let instants = Array(stride(from: first + unseen, to: last + unseen, by: 1000)) + [last + unseen]
        return Int((instants.map(present).max() ?? 0).rounded())
    }

    /// Adds a break where it is one, and says how many of those who asked in it had just come.
    private func add(_ seconds: Range<Int>, to breaks: inout [AudienceFigures.Break]) -> Int {
        let steps = seconds.flatMap { asks.steps(ofSecond: $0) }
        let asked = steps.reduce(0) { $0 + Int($1) }
        guard let first = Self.step(at: 0.01, of: steps, asked), breaks.count < Self.most else { return 0 }
        let step = Int(AskTimes.stepMilliseconds)
        let firstMilliseconds = seconds.lowerBound * 1000 + first * step
        let last = Self.step(at: 0.99, of: steps, asked) ?? first
        // Some come while it goes on.
        let lastMilliseconds = seconds.lowerBound * 1000 + last * step
        let present = mostPresent(from: firstMilliseconds, to: lastMilliseconds)
        guard Double(asked) >= Self.leastOfBreak * Double(present) else { return 0 }
        let joined = asksOnJoining.count(
            firstMilliseconds - Self.nearMilliseconds..<lastMilliseconds + Self.nearMilliseconds
        )
        var found = AudienceFigures.Break(
            milliseconds: firstMilliseconds - Int(firstSecond * 1000),
            asked: asked + joined,
            present: present
        )
        for share in [0.5, 0.9, 0.99] {
            guard let place = Self.step(at: share, of: steps, asked) else { continue }
            // To the end of what an ask is known to have come in.
            let delay = Double((place - first) * step + (hasWholeSeconds ? 1000 : step))
            found.delays.append(AudienceFigures.Percentile(share: share, value: delay))
        }
        breaks.append(found)
        return joined
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
