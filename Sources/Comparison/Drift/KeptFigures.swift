import RunResult

/// How much a generator's memory grows over a run because it keeps figures for the result, which is no leak.
///
/// Every figure is kept until the result is written. There are more of them the longer the run lasts, within bounds. In
/// a night that comes to more than the change that is looked for. Sizes are those measured with 2,000 viewers, rounded
/// up.
enum KeptFigures {
    /// One loop's figures of one break, without its sets of viewers.
    static let bytesPerBreak = 15.0 * 1_024
    /// Sets of viewers in one loop's figures of one break.
    static let viewerSetsPerBreak = 6.0
    /// A set has one for every viewer there ever was, and grows by doubling.
    static let bitsPerViewer = 2.0
    static let bytesPerWindow = 28.0 * 1_024
    /// As long as the series has a step for each second.
    static let bytesPerSecond = 160.0
    /// Buckets that the distributions of the whole measured part meet after its first window.
    static let bytesOfSums = 1.0 * 1_048_576

    /// Bytes that came to be kept over the windows that are judged.
    ///
    /// - Parameters:
    ///   - windows: All of a run, oldest first. Windows that are not judged count with their viewers only.
    ///   - loops: Event loops; each keeps its own figures.
    /// - Returns: Never negative; zero for results of versions that did not count the breaks of a window.
    static func growth(over windows: [WindowResult], loops: Int) -> Double {
        let judged = windows.filter(\.isJudged)
        guard let first = judged.first, let last = judged.last, judged.allSatisfy({ $0.breaks != nil }) else {
            return 0
        }
        let start = Double(first.startMilliseconds) / 1_000
        let seconds = min(Double(last.endMilliseconds) / 1_000, Double(TimeSeries.standardLimit)) - start
        var bytes = bytesOfSums + max(0, seconds) * bytesPerSecond
        var viewers = 0.0
        for window in windows {
            viewers += Double(window.viewers["joined"] ?? 0)
            guard window.isJudged else { continue }
            let perBreak = (bytesPerBreak + viewerSetsPerBreak * bitsPerViewer * viewers / 8) * Double(max(0, loops))
            bytes += Double(max(0, window.breaks ?? 0)) * perBreak + bytesPerWindow
        }
        return bytes
    }
}

extension WindowResult {
    /// Whether drift is looked for in this window.
    var isJudged: Bool { isComplete && !isWarmUp }
}
