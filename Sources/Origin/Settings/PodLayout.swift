struct PodLayout: Sendable, Hashable {
    /// For pods and ads: no query may make the origin write endlessly.
    static let maximumSeconds = 3_600

    struct Ad: Sendable, Hashable {
        let microseconds: Int64
        /// Lengths in microseconds.
        let segments: [Int64]
    }

    let ads: [Ad]
    let segmentSeconds: Int

    /// Full ads, then a shorter one if needed.
    init(podMicroseconds: Int64, adMicroseconds: Int64, segmentSeconds: Int) {
        self.segmentSeconds = segmentSeconds
        ads = Self.pieces(of: podMicroseconds, each: adMicroseconds).map { length in
            let segment = Int64(segmentSeconds) * 1_000_000
            return Ad(microseconds: length, segments: Self.pieces(of: length, each: segment))
        }
    }

    /// Not below any rounded EXTINF (bis-22 4.4.3.1).
    var targetDurationSeconds: Int {
        let longest = ads.flatMap(\.segments).max() ?? 1_000_000
        return max(1, Int((longest + 500_000) / 1_000_000))
    }

    private static func pieces(of whole: Int64, each: Int64) -> [Int64] {
        guard whole > 0, each > 0 else { return [] }
        var pieces = [Int64](repeating: each, count: Int(whole / each))
        if whole % each > 0 { pieces.append(whole % each) }
        return pieces
    }
}
