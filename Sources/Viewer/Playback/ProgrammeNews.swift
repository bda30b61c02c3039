import Time

/// What happened to the programme, for the breaks.
struct ProgrammeNews: OptionSet, Sendable {
    let rawValue: UInt8
    /// The playhead is not where it would have been: a stall has ended, or playback has begun.
    static let playheadShifted = ProgrammeNews(rawValue: 1)
    /// A version of the live playlist brings something new.
    static let versionChanged = ProgrammeNews(rawValue: 2)
    /// The end of what is buffered has moved.
    static let bufferAdvanced = ProgrammeNews(rawValue: 4)
}

/// A load of a playlist that brought one, and when.
struct FinishedLoad {
    /// When it was due.
    let plannedAt: Instant
    let isNews: Bool
    let asked: ReloadLoop.Asked
    /// Of the answer in caches, in seconds (RFC 9111 section 5.1); -1 where it does not say.
    let age: Int32
}
