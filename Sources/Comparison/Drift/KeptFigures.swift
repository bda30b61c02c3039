internal import Measurement

/// How much a generator's memory grows over a run by what its result will say, which is no leak.
///
/// Every figure of a result is kept until it is written: within bounds, and more of it the longer the run has lasted. In
/// a night that comes to more than the change that is looked for. Sizes are those measured with 2,000 viewers, rounded up.
enum KeptFigures {
    /// One loop's figures of one break, without its sets of viewers.
    static let bytesPerBreak = 12.0 * 1_024
    /// Sets of viewers in one loop's figures of one break; each has a bit for every viewer there ever was.
    static let viewerSetsPerBreak = 6.0
    static let bytesPerWindow = 28.0 * 1_024
    /// As long as the series has a step for each second.
    static let bytesPerSecond = 160.0
    /// Buckets that the distributions of the whole measured part meet after its first window.
    static let bytesOfSums = 1.0 * 1_048_576

    /// Bytes that come to those kept in the first window.
    ///
    /// - Parameters:
    ///   - windows: Oldest first.
    ///   - loops: Event loops, each of which keeps figures of its own.
    /// - Returns: Never negative; zero for results of versions that did not count the breaks of a window.
    static func growth(over windows: [WindowResult], loops: Int) -> Double {
        guard let first = windows.first, let last = windows.last, windows.allSatisfy({ $0.breaks != nil }) else {
            return 0
        }
        let room = Double(TimeSeries.standardLimit) - Double(first.endMilliseconds) / 1_000
        let seconds = Double(last.endMilliseconds) / 1_000 - Double(first.endMilliseconds) / 1_000
        var viewers = Double(max(0, first.activeViewers))
        var bytes = bytesOfSums + min(max(0, seconds), max(0, room)) * bytesPerSecond
        for window in windows.dropFirst() {
            viewers += Double(window.viewers["joined"] ?? 0)
            let perBreak = (bytesPerBreak + viewerSetsPerBreak * viewers / 8) * Double(max(0, loops))
            bytes += Double(max(0, window.breaks ?? 0)) * perBreak + bytesPerWindow
        }
        return bytes
    }
}
