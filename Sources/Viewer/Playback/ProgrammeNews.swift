import Values

struct ProgrammeNews: OptionSet, Sendable {
    let rawValue: UInt8
    /// The playhead moved off its course: a stall has ended, or playback has begun.
    static let playheadShifted = ProgrammeNews(rawValue: 1)
    static let versionChanged = ProgrammeNews(rawValue: 2)
    static let bufferAdvanced = ProgrammeNews(rawValue: 4)
}

/// A load that brought a playlist.
struct FinishedLoad {
    let plannedAt: Instant
    let isNews: Bool
    let asked: ReloadLoop.Asked
    /// Seconds that the answer spent in caches (RFC 9111 section 5.1); -1 if unstated.
    let age: Int32
}
