/// Marks a result that was made from the journal of a run that did not end by itself.
package struct RecoveredMark: Equatable, Codable, Sendable {
    /// Whole intervals that the result holds.
    package var intervals: Int
    /// Bytes of the journal after its last whole record.
    package var droppedBytes: Int64
    /// How the journal ends.
    package var reason: String

    package init(intervals: Int, droppedBytes: Int64, reason: String) {
        self.intervals = intervals
        self.droppedBytes = droppedBytes
        self.reason = reason
    }
}
