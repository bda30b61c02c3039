import Results

/// Normal growth of a generator's memory over a run, because it keeps figures for the result: not a leak.
///
/// The number of figures grows with the run, within bounds. In a night that exceeds the least relevant change. Sizes were
/// measured with 2,000 viewers and rounded up.
enum KeptFigures {
    /// One loop's figures of one break, without its sets of viewers.
    static let bytesPerBreak = 15.0 * 1_024
    static let viewerSetsPerBreak = 6.0
    /// A set has a bit for every viewer ever created, and grows by doubling.
    static let bitsPerViewer = 2.0
    static let bytesPerWindow = 28.0 * 1_024
    /// While the series has a step for each second.
    static let bytesPerSecond = 160.0
    /// Buckets that the distributions of the whole run add after the first window.
    static let bytesOfSums = 1.0 * 1_048_576

    /// Bytes kept over the judged windows; never negative.
    ///
    /// `windows` are all of a run, oldest first; those not judged count with their viewers only. Each of the `loops` keeps its
    /// own figures. Zero for results of versions that did not count the breaks of a window.
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
    var isJudged: Bool { isComplete && !isWarmUp }
}
