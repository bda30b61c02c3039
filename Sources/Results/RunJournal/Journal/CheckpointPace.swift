/// Frequency of checkpoints in a journal, which save a reader from folding all intervals.
///
/// Measured in bytes, not time: the state of a run with many breaks is large and must not be written too often.
package struct CheckpointPace: Sendable {
    enum Wish: Sendable {
        case none
        /// At the next moment when it disturbs no measurement.
        case whenQuiet
        case now
    }

    /// Least number of bytes of intervals between checkpoints.
    package var leastBytes: Int
    /// Bytes of intervals for each byte of the previous checkpoint.
    package var perByte: Int

    package static let usual = CheckpointPace(leastBytes: 1 << 20, perByte: 1)
    package static let never = CheckpointPace(leastBytes: .max, perByte: 1)

    /// Urgency of the next checkpoint, by bytes of intervals since the last one and bytes of that one.
    ///
    /// `now` once there are twice as many bytes of intervals as needed: then it no longer waits for a quiet moment.
    func wish(intervals: Int, checkpoint: Int) -> Wish {
        let worth = max(leastBytes, checkpoint.multipliedReportingOverflow(by: perByte).partialValue)
        guard intervals >= worth else { return .none }
        return intervals / 2 >= worth ? .now : .whenQuiet
    }
}
