import Values

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

    /// Sorted milliseconds, once per viewer and break.
    let asks: [Int]
    /// Pre-rolls, or ads of a break under way.
    let asksOnJoining: [Int]
    /// Viewers of each second from `start`.
    let viewers: [Int]
    let start: Int
    let hasWholeSeconds: Bool
    let weight: Int

    /// `apart` and `onJoining` are requests outside of breaks.
    func found() -> (breaks: [AudienceFigures.Break], apart: Int, onJoining: Int) {
        var (breaks, inBreaks, joined): ([AudienceFigures.Break], Int, Int) = ([], 0, 0)
        for run in runs() {
            guard breaks.count < Self.most, let (found, late) = found(in: run) else { continue }
            breaks.append(found)
            inBreaks += run.count
            joined += late
        }
        return (breaks, (asks.count - inBreaks) * weight, (asksOnJoining.count - joined) * weight)
    }

    /// Busy seconds with little quiet between them.
    private func runs() -> [ArraySlice<Int>] {
        var (runs, lastSecond, rest) = ([ArraySlice<Int>](), Int?.none, asks[...])
        while let first = rest.first {
            let second = Int((Double(first) / 1000).rounded(.down))
            let asked = rest[..<rest.partitioningIndex { $0 >= (second + 1) * 1000 }]
            rest = rest[asked.endIndex...]
            guard Double(asked.count * weight) >= Self.leastOfSecond * present(at: second * 1000) else { continue }
            if let last = runs.last, let lastSecond, second - lastSecond - 1 <= Self.quietSeconds {
                runs[runs.count - 1] = asks[last.startIndex..<asked.endIndex]
            } else {
                runs.append(asked)
            }
            lastSecond = second
        }
        return runs
    }

    /// `joined` are viewers that had just joined; nil for too few requests.
    private func found(in run: ArraySlice<Int>) -> (found: AudienceFigures.Break, joined: Int)? {
        guard let first = run.value(reaching: 0.01), let last = run.value(reaching: 0.99) else { return nil }
        // Viewers may join during the break.
        let present = mostPresent(from: first, to: last)
        guard Double(run.count * weight) >= Self.leastOfBreak * Double(present) else { return nil }
        let near = first - Self.nearMilliseconds..<last + Self.nearMilliseconds
        let joined = asksOnJoining.count(where: near.contains)
        // A request is known only to its second: count to the end of that.
        let unseen = hasWholeSeconds ? 1000 : 0
        let asked = (run.count + joined) * weight
        let found = AudienceFigures.Break(
            atMilliseconds: first - start,
            asked: asked,
            present: present,
            share: present > 0 ? Double(asked) / Double(present) : nil,
            delayMilliseconds: run.map { $0 - first + unseen }.percentiles([0.5, 0.9, 0.99])
        )
        return (found, joined)
    }

    /// Interpolated between seconds.
    private func present(at milliseconds: Int) -> Double {
        let second = Double(milliseconds - start) / 1000
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
