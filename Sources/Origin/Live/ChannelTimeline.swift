import HLS

/// Timeline that locks the live channel to the wall clock; a pure function of time.
///
/// Segment `n` shows the time from `zero + n * segmentSeconds` up to the next one's start, and exists once that time is over.
/// Nothing is counted at run time, so that all origins with equal settings agree.
struct ChannelTimeline: Sendable, Equatable {
    /// 2026-01-01T00:00:00Z, a whole number of clip rounds since the Unix epoch: keeps media sequences readable.
    static let zeroSeconds: Int64 = 1_767_225_600

    /// 1 to 10.
    let segmentSeconds: Int
    let windowSegments: Int
    var partMicroseconds: Int64?

    /// Media sequence of the newest complete segment; nil before the first one.
    func newestSegment(at now: WallTime) -> UInt64? {
        let elapsed = now.microseconds - Self.zeroSeconds * 1_000_000
        let complete = elapsed / (Int64(segmentSeconds) * 1_000_000)
        return elapsed > 0 && complete > 0 ? UInt64(complete - 1) : nil
    }

    /// Media sequences that are listed with a newest segment.
    func window(newest: UInt64) -> ClosedRange<UInt64> {
        newest - min(newest, UInt64(windowSegments - 1))...newest
    }

    func programDate(of segment: UInt64) -> WallTime {
        let seconds = Self.zeroSeconds &+ Int64(clamping: segment) &* Int64(segmentSeconds)
        return WallTime(microseconds: seconds &* 1_000_000)
    }

    func seconds(of segment: UInt64) -> Range<UInt64> {
        let first = segment &* UInt64(segmentSeconds)
        return first..<first &+ UInt64(segmentSeconds)
    }

    /// Whether a segment can be fetched at a newest segment.
    ///
    /// A segment stays for twice the window after it leaves the playlist: bis-22 6.2.2 requires its own duration and the
    /// longest playlist that listed it.
    func isAvailable(_ segment: UInt64, newest: UInt64) -> Bool {
        segment <= newest && newest - segment < UInt64(windowSegments) * 3
    }
}
