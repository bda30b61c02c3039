/// Part of a journal writer that never waits: decides what to queue and counts what became of each interval.
struct JournalFront {
    enum Order: Equatable {
        case interval
        /// The interval and then the state, at which a reader can begin.
        case intervalAndCheckpoint
        case checkpoint
        case rotation
        case none
    }

    let capacity: Int
    var rotates = false
    /// Urgency of a checkpoint in a journal without a gap.
    private var wish = CheckpointPace.Wish.none
    /// Whether such a checkpoint is being written.
    private var isGranted = false
    private(set) var result = JournalResult()
    private(set) var hasGap = false
    private var waiting = 0
    /// Intervals to skip before the next attempt.
    private var pause = 0
    private var nextPause = 1
    /// Whether a failure was reported and lasts.
    private var isFailing = false

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Decides what to write for an interval, and returns a message for the user.
    ///
    /// `isQuiet` marks a good moment to write more than the interval.
    mutating func admit(isQuiet: Bool) -> (order: Order, news: String?) {
        guard waiting < capacity else {
            result.intervalsLost += 1
            return (.none, fail("the disk is too slow, \(waiting) intervals wait for it"))
        }
        guard !hasGap || pause == 0 else {
            pause -= 1
            result.intervalsLost += 1
            return (.none, nil)
        }
        waiting += 1
        defer { (rotates, hasGap) = (false, false) }
        if rotates { return (.rotation, nil) }
        if hasGap { return (.checkpoint, nil) }
        guard !isGranted, wish == .now || wish == .whenQuiet && isQuiet else { return (.interval, nil) }
        isGranted = true
        return (.intervalAndCheckpoint, nil)
    }

    /// Records that the checkpoint is on the disk or failed, with the urgency of the next one.
    mutating func granted(wish: CheckpointPace.Wish) { (isGranted, self.wish) = (false, wish) }

    mutating func spent(cpuMicroseconds: Int64) {
        result.cpuMicroseconds += cpuMicroseconds
    }

    /// Records that the interval is on the disk; returns a message for the user.
    mutating func kept(wish: CheckpointPace.Wish) -> String? {
        self.wish = wish
        waiting -= 1
        result.intervalsKept += 1
        return recover()
    }

    /// Records that the interval is not on the disk, because of `reason` or, if nil, only of an earlier gap; returns a message
    /// for the user.
    mutating func lost(_ reason: String?) -> String? {
        waiting -= 1
        result.intervalsLost += 1
        return reason.flatMap { fail($0) }
    }

    /// Records a failure, after which only a checkpoint may be written; returns a message for the user, once per failure.
    mutating func fail(_ reason: String) -> String? {
        result.error = result.error ?? reason
        hasGap = true
        pause = nextPause
        nextPause = min(nextPause * 2, 32)
        defer { isFailing = true }
        return isFailing ? nil : "The journal cannot be written, the run goes on: \(reason)."
    }

    /// Records that everything so far is on the disk, without an interval; returns a message for the user.
    mutating func closeGap() -> String? {
        hasGap = false
        return recover()
    }

    private mutating func recover() -> String? {
        // An interval queued before the gap proves nothing about it.
        guard !hasGap else { return nil }
        nextPause = 1
        defer { isFailing = false }
        return isFailing ? "The journal is written again; a checkpoint makes up for what was missed." : nil
    }
}

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
