import JSON
import Recording
import RunResult

/// A run in windows, within a fixed size.
///
/// Windows begin and end with intervals, at the interval nearest to each whole multiple of the length; the warm-up's
/// have a grid of their own, so that none lies in both parts. Past the limit, neighbours are joined and the length
/// doubles: no count is lost by that.
struct WindowLog: Equatable, Codable, Sendable {
    static let limit = 288
    static let longest: Int64 = 1 << 40
    static let usualInterval: Int64 = 1_000

    private let warmUpMilliseconds: Int64
    var lengthMilliseconds: Int64
    private(set) var closed: [WindowResult] = []
    private(set) var open: OpenWindow?
    /// Of several processes at once; nil as long as they are one's, to which intervals may be added.
    var ofShards: [ShardedWindow]?

    init(lengthMilliseconds: Int64, warmUpMilliseconds: Int64) {
        self.lengthMilliseconds = min(max(1, lengthMilliseconds), Self.longest)
        self.warmUpMilliseconds = min(max(0, warmUpMilliseconds), Self.longest)
    }

    /// Whether most of an interval lies in the warm-up.
    func isOfWarmUp(_ interval: RunInterval) -> Bool { Self.middle(of: interval) < warmUpMilliseconds }

    private static func middle(of interval: RunInterval) -> Int64 {
        let middle = (interval.startMicroseconds / 2_000) &+ (interval.endMicroseconds / 2_000)
        return min(max(0, middle), longest)
    }

    /// Takes in the next interval.
    ///
    /// - Parameters:
    ///   - interval: The interval.
    ///   - unlistedBreaks: By how much the sums over breaks past the limit rose in it: nobody keeps when those began.
    mutating func add(_ interval: RunInterval, unlistedBreaks: BreakSums) {
        let middle = Self.middle(of: interval)
        let isWarmUp = middle < warmUpMilliseconds
        if let window = open, window.isWarmUp != isWarmUp || middle >= end(of: window) { close(window) }
        // Closing may have joined windows and opened the last of them again.
        if open == nil {
            let start = closed.last?.endMilliseconds ?? max(0, interval.startMicroseconds / 1_000)
            open = OpenWindow(startMilliseconds: start, placeMilliseconds: middle, isWarmUp: isWarmUp)
        }
        open?.add(interval, unlistedBreaks: unlistedBreaks)
    }

    private mutating func close(_ window: OpenWindow) {
        open = nil
        closed.append(window.result(isComplete: true))
        if closed.count >= Self.limit { join() }
    }

    /// Where the grid ends a window.
    func end(of window: OpenWindow) -> Int64 {
        let end =
            anchor(window.isWarmUp) &+ (index(of: window.placeMilliseconds, window.isWarmUp) &+ 1) &* lengthMilliseconds
        return window.isWarmUp ? min(end, warmUpMilliseconds) : end
    }

    private func anchor(_ isWarmUp: Bool) -> Int64 { isWarmUp ? 0 : warmUpMilliseconds }

    func index(of instant: Int64, _ isWarmUp: Bool) -> Int64 {
        min(max(0, instant &- anchor(isWarmUp)), Self.longest) / lengthMilliseconds
    }

    private mutating func join() {
        lengthMilliseconds = min(lengthMilliseconds &* 2, Self.longest)
        var joined: [OpenWindow] = []
        for window in closed {
            if let last = joined.last, last.isWarmUp == window.isWarmUp, hasSameIndex(last, window),
                (try? joined[joined.count - 1].add(window)) != nil
            {
                continue
            }
            if let reopened = try? OpenWindow(reopening: window) { joined.append(reopened) }
        }
        // The last may have room left.
        if let last = joined.last, !last.isWarmUp, last.endMilliseconds &+ Self.usualInterval / 2 < end(of: last) {
            open = joined.removeLast()
        }
        closed = joined.map { $0.result(isComplete: true) }
    }

    private func hasSameIndex(_ window: OpenWindow, _ next: WindowResult) -> Bool {
        index(of: window.placeMilliseconds, window.isWarmUp) == index(of: next.middleMilliseconds, next.isWarmUp)
    }

    /// All windows, with what became of the breaks that began in each.
    ///
    /// - Parameters:
    ///   - breaks: Of all loops, in any order; one key may come several times.
    ///   - wallStartMicroseconds: The start of the run.
    /// - Returns: Oldest first.
    func results(breaks: some Sequence<BreakRecord>, wallStartMicroseconds: Int64) -> [WindowResult] {
        var windows = ofShards.map(Self.results) ?? closed
        if ofShards == nil, let open { windows.append(open.result(isComplete: open.endMilliseconds >= end(of: open))) }
        guard !windows.isEmpty else { return [] }
        let starts = windows.map(\.startMilliseconds)
        var keys = [Set<String>](repeating: [], count: windows.count)
        // What stands for all breaks past the limit was counted when it rose.
        for record in breaks where !record.isOverflow {
            let offset = record.startMicroseconds.subtractingReportingOverflow(wallStartMicroseconds).partialValue
            let index = max(0, starts.partitioningIndex(above: offset / 1_000) - 1)
            // One that is announced only, or began before the run, is due in the nearest and began in none.
            if offset >= 0, offset / 1_000 < windows[index].endMilliseconds { keys[index].insert(record.key) }
            windows[index].due &+= record.due
            windows[index].onTime &+= record.onTime
            windows[index].late &+= record.late
            windows[index].failed &+= record.failed
        }
        for (index, keys) in keys.enumerated() { windows[index].breaks = keys.count }
        return windows
    }
}

extension [Int64] {
    /// The index of the first element above a value, in ascending order.
    fileprivate func partitioningIndex(above value: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > value { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension WindowLog: CheckedWhenRead {
    var problem: String? {
        let isSound =
            closed.count < Self.limit && (1...Self.longest).contains(lengthMilliseconds)
            && (0...Self.longest).contains(warmUpMilliseconds)
            && closed.allSatisfy { (try? OpenWindow(reopening: $0)) != nil }
        return isSound ? nil : "no windows"
    }
}
