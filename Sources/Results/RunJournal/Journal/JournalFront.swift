/// Part of a journal writer that never waits; texts that it returns are messages for the user.
struct JournalFront {
    enum Order: Equatable {
        case interval
        /// The interval and then the state, at which a reader can begin.
        case intervalAndCheckpoint
        case checkpoint
        case rotation
    }

    private let capacity: Int
    private let pace: CheckpointPace
    var rotates = false
    /// Since the last checkpoint: its bytes, and those of the intervals.
    private var (checkpointBytes, intervalBytes) = (0, 0)
    /// Whether a checkpoint in a journal without a gap waits for the disk.
    private var isGranted = false
    var result = JournalResult()
    private(set) var hasGap = false
    private var waiting = 0
    /// Intervals to skip before the next attempt.
    private var pause = 0
    /// In a row; the first is reported, and each doubles the next pause.
    private var failures = 0

    init(capacity: Int, pace: CheckpointPace) { (self.capacity, self.pace) = (max(1, capacity), pace) }

    /// `isQuiet` marks a good moment to write more; the interval is lost without an order.
    mutating func admit(isQuiet: Bool) -> (order: Order?, news: String?) {
        guard waiting < capacity else {
            result.intervalsLost += 1
            return (nil, fail("the disk is too slow, \(waiting) intervals wait for it"))
        }
        guard !hasGap || pause == 0 else {
            pause -= 1
            result.intervalsLost += 1
            return (nil, nil)
        }
        waiting += 1
        defer { (rotates, hasGap) = (false, false) }
        if rotates { return (.rotation, nil) }
        if hasGap { return (.checkpoint, nil) }
        guard !isGranted, pace.isDue(intervals: intervalBytes, checkpoint: checkpointBytes, isQuiet: isQuiet) else {
            return (.interval, nil)
        }
        isGranted = true
        return (.intervalAndCheckpoint, nil)
    }

    /// A nil `bytes` is a checkpoint that failed and is retried after as many intervals.
    mutating func wrote(_ kind: JournalRecord.Kind, bytes: Int?) {
        guard kind == .checkpoint else {
            intervalBytes += bytes ?? 0
            return
        }
        (checkpointBytes, intervalBytes, isGranted) = (bytes ?? checkpointBytes, 0, false)
    }

    mutating func kept() -> String? {
        waiting -= 1
        result.intervalsKept += 1
        return recover()
    }

    /// `reason` is nil if only an earlier gap is the cause.
    mutating func lost(_ reason: String?) -> String? {
        waiting -= 1
        result.intervalsLost += 1
        return reason.flatMap { fail($0) }
    }

    /// Only a checkpoint may be written afterwards; one message per failure.
    mutating func fail(_ reason: String) -> String? {
        result.error = result.error ?? reason
        (hasGap, pause) = (true, 1 << min(failures, 5))
        failures += 1
        return failures > 1 ? nil : "The journal cannot be written, the run goes on: \(reason)."
    }

    mutating func closeGap() -> String? {
        hasGap = false
        return recover()
    }

    private mutating func recover() -> String? {
        // An interval queued before the gap proves nothing about it.
        guard !hasGap, failures > 0 else { return nil }
        failures = 0
        return "The journal is written again; a checkpoint makes up for what was missed."
    }
}

/// Frequency of checkpoints, in bytes, not time: the state of a run with many breaks must not be written too often.
package struct CheckpointPace: Sendable {
    /// Least bytes of intervals between checkpoints.
    package var leastBytes: Int
    /// Bytes of intervals for each byte of the previous checkpoint.
    package var perByte: Int

    package static let usual = CheckpointPace(leastBytes: 1 << 20, perByte: 1)

    /// A checkpoint waits for a moment when it disturbs no measurement, until twice as many bytes of intervals came.
    func isDue(intervals: Int, checkpoint: Int, isQuiet: Bool) -> Bool {
        let worth = max(leastBytes, checkpoint.multipliedReportingOverflow(by: perByte).partialValue)
        return intervals / (isQuiet ? 1 : 2) >= worth
    }
}
