package struct JournalResult: Equatable, Codable, Sendable {
    /// Nil if the file was removed after the result was written.
    package var path: String?
    /// Intervals on the disk before the end of the next one, or soon after.
    package var intervalsKept: Int
    /// Intervals not on the disk by themselves; a later checkpoint contains them nevertheless.
    package var intervalsLost: Int
    /// Over all files.
    package var bytes: Int64
    /// CPU time of the writing thread.
    package var cpuMicroseconds: Int64
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
