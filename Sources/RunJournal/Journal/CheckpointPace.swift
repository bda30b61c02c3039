/// How often a journal repeats the state that its intervals make, so that whoever reads it need not fold all of them.
///
/// By bytes and not by time: the state of a run with many breaks is large, and must not be written more often than it is
/// worth.
package struct CheckpointPace: Sendable {
    /// How much a checkpoint is wanted.
    enum Wish: Sendable {
        case none
        /// As soon as it disturbs nothing.
        case whenQuiet
        case now
    }

    /// Bytes of intervals behind one checkpoint that the next one is worth, at least.
    package var leastBytes: Int
    /// The same for each byte of the checkpoint before.
    package var perByte: Int

    package init(leastBytes: Int, perByte: Int) {
        self.leastBytes = leastBytes
        self.perByte = perByte
    }

    package static let usual = CheckpointPace(leastBytes: 1 << 20, perByte: 1)
    package static let never = CheckpointPace(leastBytes: .max, perByte: 1)

    /// How much the next one is wanted.
    ///
    /// - Parameters:
    ///   - intervals: Bytes of intervals since the last one.
    ///   - checkpoint: Bytes of that one.
    /// - Returns: No quiet moment is waited for once twice as much has come as it is worth.
    func wish(intervals: Int, checkpoint: Int) -> Wish {
        let worth = max(leastBytes, checkpoint.multipliedReportingOverflow(by: perByte).partialValue)
        guard intervals >= worth else { return .none }
        return intervals / 2 >= worth ? .now : .whenQuiet
    }
}
