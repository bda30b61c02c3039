/// What became of a run's journal.
package struct JournalResult: Equatable, Codable, Sendable {
    /// The file, where it was kept; nil where it was removed after the result was written.
    package var path: String?
    /// Intervals that were on the disk before the next one was over, or soon after.
    package var intervalsKept: Int
    /// Intervals that were not; a checkpoint that could be written later holds them all the same.
    package var intervalsLost: Int
    /// Written in all, over all files.
    package var bytes: Int64
    /// Processor time of the thread that wrote.
    package var cpuMicroseconds: Int64
    /// The first thing that went wrong.
    package var error: String?

    package init(
        path: String? = nil,
        intervalsKept: Int = 0,
        intervalsLost: Int = 0,
        bytes: Int64 = 0,
        cpuMicroseconds: Int64 = 0,
        error: String? = nil
    ) {
        self.path = path
        self.intervalsKept = intervalsKept
        self.intervalsLost = intervalsLost
        self.bytes = bytes
        self.cpuMicroseconds = cpuMicroseconds
        self.error = error
    }
}
