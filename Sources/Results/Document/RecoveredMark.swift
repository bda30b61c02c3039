/// Mark of a result made from the journal of a run that did not end regularly.
package struct RecoveredMark: Equatable, Codable, Sendable {
    /// Whole intervals in the result.
    package var intervals: Int
    /// Bytes of the journal after its last whole record.
    package var droppedBytes: Int64
    package var reason: String
}
