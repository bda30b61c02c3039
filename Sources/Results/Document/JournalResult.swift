package struct JournalResult: Equatable, Codable, Sendable {
    /// Nil if the file was removed after the result was written.
    package var path: String?
    /// Intervals on the disk before the end of the next one, or soon after.
    package var intervalsKept: Int = 0
    /// Intervals not on the disk by themselves; a later checkpoint contains them nevertheless.
    package var intervalsLost: Int = 0
    /// Over all files.
    package var bytes: Int64 = 0
    /// CPU time of the writing thread.
    package var cpuMicroseconds: Int64 = 0
    package var error: String?
}
