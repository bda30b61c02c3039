struct ShardedWindow: Equatable, Codable, Sendable {
    var window: OpenWindow
    var isComplete: Bool
}

extension WindowLog {
    /// Adds the windows of another process with the same start; no intervals may be added afterwards.
    ///
    /// Windows are matched by their place on the grid, in the longer of the two lengths.
    mutating func addInParallel(_ other: WindowLog) {
        let length = max(lengthMilliseconds, other.lengthMilliseconds)
        var sum = regrouped(length)
        let added = other.regrouped(length)
        for place in sum.keys where added[place] == nil { sum[place]?.isComplete = false }
        for (place, theirs) in added {
            guard let own = sum[place] else {
                sum[place] = ShardedWindow(window: theirs.window, isComplete: false)
                continue
            }
            var joined = own
            joined.window.addInParallel(theirs.window)
            joined.isComplete = own.isComplete && theirs.isComplete
            sum[place] = joined
        }
        lengthMilliseconds = length
        ofShards = Self.sorted(sum)
        while let windows = ofShards, windows.count > Self.limit, lengthMilliseconds < Self.longest {
            lengthMilliseconds = min(lengthMilliseconds &* 2, Self.longest)
            ofShards = Self.sorted(regrouped(lengthMilliseconds))
        }
    }

    /// Place on the grid; the warm-up has its own grid, which comes first.
    private struct Place: Hashable, Comparable {
        var isMeasured: Bool
        var index: Int64

        static func < (lhs: Place, rhs: Place) -> Bool {
            lhs.isMeasured == rhs.isMeasured ? lhs.index < rhs.index : rhs.isMeasured
        }
    }

    private static func sorted(_ windows: [Place: ShardedWindow]) -> [ShardedWindow] {
        windows.sorted { $0.key < $1.key }.map(\.value)
    }

    private var each: [ShardedWindow] {
        if let ofShards { return ofShards }
        // A journal with an unreadable window was rejected before.
        var each = closed.compactMap { try? OpenWindow(reopening: $0) }
            .map { ShardedWindow(window: $0, isComplete: true) }
        if let open {
            each.append(ShardedWindow(window: open, isComplete: open.endMilliseconds >= end(of: open)))
        }
        return each
    }

    private func place(_ window: OpenWindow) -> Place {
        Place(isMeasured: !window.isWarmUp, index: index(of: window))
    }

    /// Joins windows that share a window of that length.
    private func regrouped(_ length: Int64) -> [Place: ShardedWindow] {
        var grid = self
        grid.lengthMilliseconds = length
        var grouped: [Place: ShardedWindow] = [:]
        for next in each {
            let place = grid.place(next.window)
            guard var joined = grouped[place] else {
                grouped[place] = next
                continue
            }
            joined.window.append(next.window)
            joined.isComplete = next.isComplete && joined.isComplete
            grouped[place] = joined
        }
        guard length > lengthMilliseconds else { return grouped }
        return grouped.mapValues { sharded in
            var sharded = sharded
            let isWhole = sharded.window.endMilliseconds &+ Self.usualInterval / 2 >= grid.end(of: sharded.window)
            sharded.isComplete = sharded.isComplete && isWhole
            return sharded
        }
    }

    /// Closes gaps between consecutive windows.
    static func results(_ windows: [ShardedWindow]) -> [WindowResult] {
        var end: Int64?
        return windows.map { sharded in
            var window = sharded.window
            if let end { window.begin(at: end) }
            end = window.endMilliseconds
            return window.result(isComplete: sharded.isComplete)
        }
    }
}
