/// Finds times at which many viewers ask for ads at once.
struct BreakSearch {
    /// Share of the audience in a second of a break.
    private static let leastOfSecond = 0.005
    /// Share of the audience in a break.
    private static let leastOfBreak = 0.05
    /// Separate two breaks.
    private static let quietSeconds = 5
    private static let most = 500
    /// A viewer that has just joined counts for a break if it asks this near to the break's other requests.
    private static let nearMilliseconds = 100

    let asks: AskTimes
    /// Pre-rolls, or ads of a break under way.
    let asksOnJoining: AskTimes
    /// Begins at `firstSecond` by the clock of `asks`.
    let viewers: [Int32]
    let firstSecond: Double
    let hasWholeSeconds: Bool
    let weight: Int

    /// `apart` and `onJoining` are requests outside of breaks.
    func found() -> (breaks: [AudienceFigures.Break], apart: Int, onJoining: Int) {
        let (steps, joining) = (asks.steps, asksOnJoining.steps)
        var seconds: [Int: Int] = [:]
        for (step, count) in steps { seconds[step.flooredQuotient(by: AskTimes.stepsPerSecond), default: 0] += count }
        var runs: [Range<Int>] = []
        for (second, asked) in seconds.sorted(by: { $0.key < $1.key })
        where Double(asked) >= Self.leastOfSecond * present(at: second * 1000) {
            if let last = runs.last, second - last.upperBound <= Self.quietSeconds {
                runs[runs.count - 1] = last.lowerBound..<second + 1
            } else {
                runs.append(second..<second + 1)
            }
        }
        var (breaks, joined): ([AudienceFigures.Break], Int) = ([], 0)
        for run in runs {
            let range = run.lowerBound * AskTimes.stepsPerSecond..<run.upperBound * AskTimes.stepsPerSecond
            guard let (found, late) = asked(in: steps.filter { range.contains($0.step) }, joining) else { continue }
            breaks.append(found)
            joined += late
            if breaks.count == Self.most { break }
        }
        let apart = asks.total - asks.dropped - (breaks.reduce(0) { $0 + $1.asked } - joined)
        return (breaks, max(0, apart), asksOnJoining.total - asksOnJoining.dropped - joined)
    }

    /// `joined` are viewers that had just joined; nil for too few requests.
    private func asked(
        in steps: [(step: Int, count: Int)],
        _ joining: [(step: Int, count: Int)]
    ) -> (AudienceFigures.Break, joined: Int)? {
        let counts = steps.map(\.count)
        func milliseconds(reaching share: Double) -> Int? {
            counts.place(reaching: share).map { steps[$0].step * AskTimes.stepMilliseconds }
        }
        guard let first = milliseconds(reaching: 0.01), let last = milliseconds(reaching: 0.99) else { return nil }
        // Viewers may join during the break.
        let present = mostPresent(from: first, to: last)
        let asked = counts.reduce(0, +)
        guard Double(asked) >= Self.leastOfBreak * Double(present) else { return nil }
        let near = first - Self.nearMilliseconds..<last + Self.nearMilliseconds
        let joined = joining.reduce(0) { near.contains($1.step * AskTimes.stepMilliseconds) ? $0 + $1.count : $0 }
        // A request is known only to its step or second: count to the end of that.
        let unseen = hasWholeSeconds ? 1000 : AskTimes.stepMilliseconds
        let delays = AudienceFigures.Percentile.all(of: [0.5, 0.9, 0.99]) { share in
            milliseconds(reaching: share).map { Double($0 - first + unseen) }
        }
        let found = AudienceFigures.Break(
            atMilliseconds: first - Int(firstSecond * 1000),
            asked: asked + joined,
            present: present,
            share: present > 0 ? Double(asked + joined) / Double(present) : nil,
            delayMilliseconds: delays
        )
        return (found, joined)
    }

    /// Interpolated between seconds, on the clock of `asks`.
    private func present(at milliseconds: Int) -> Double {
        let second = Double(milliseconds) / 1000 - firstSecond
        guard second > -1, second < Double(viewers.count) else { return 0 }
        let place = min(max(0, second), Double(viewers.count - 1))
        let (left, right) = (viewers[Int(place)], viewers[min(Int(place) + 1, viewers.count - 1)])
        return (Double(left) + (place - place.rounded(.down)) * Double(right - left)) * Double(weight)
    }

    private func mostPresent(from first: Int, to last: Int) -> Int {
        // The middle of the second that a stamp of a whole second stands for.
        let unseen = hasWholeSeconds ? 500 : 0
        let instants = Array(stride(from: first + unseen, to: last + unseen, by: 1000)) + [last + unseen]
        return Int((instants.map(present).max() ?? 0).rounded())
    }
}

/// Once per viewer and break, in steps of ten milliseconds.
struct AskTimes {
    static let stepMilliseconds = 10
    static let stepsPerSecond = 100
    private static let mostSteps = 2_400_000

    /// Steps count from the tally's zero.
    private var counts: [Int32: Int] = [:]
    private(set) var total = 0
    /// Beyond `mostSteps`.
    private(set) var dropped = 0

    mutating func add(_ milliseconds: Int32, weight: Int) {
        total += weight
        let step = milliseconds.flooredQuotient(by: Int32(Self.stepMilliseconds))
        guard counts[step] != nil || counts.count < Self.mostSteps else {
            dropped += weight
            return
        }
        counts[step, default: 0] += weight
    }

    var steps: [(step: Int, count: Int)] { counts.map { (Int($0), $1) }.sorted { $0.step < $1.step } }
}

extension BinaryInteger {
    func flooredQuotient(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Collection<Int> {
    /// Place where the running sum reaches a share of the total; nil if the total is 0.
    func place(reaching share: Double) -> Index? {
        let total = reduce(0, +)
        guard total > 0 else { return nil }
        var left = Swift.max(1, (share * Double(total)).rounded(.up))
        return indices.first { index in
            left -= Double(self[index])
            return left <= 0
        }
    }
}
