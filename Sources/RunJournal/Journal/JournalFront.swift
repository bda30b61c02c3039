import RunResult

/// The side of a journal writer that never waits: what may be queued, and what became of every interval.
struct JournalFront {
    /// What is to be written for an interval.
    enum Order: Equatable {
        case interval
        /// The interval, and behind it the state, so that whoever reads need not begin before.
        case intervalAndCheckpoint
        case checkpoint
        case rotation
        /// Nothing: it is lost.
        case none
    }

    let capacity: Int
    var rotates = false
    /// How much a checkpoint is wanted, though nothing is missing.
    private var wish = CheckpointPace.Wish.none
    /// Whether one is on its way that was wished for.
    private var isGranted = false
    private(set) var result = JournalResult()
    private(set) var hasGap = false
    private var waiting = 0
    /// Intervals to let pass before the next attempt.
    private var pause = 0
    private var nextPause = 1
    /// Whether a failure was told that has not ended since.
    private var isFailing = false

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Decides about one interval.
    ///
    /// - Parameter isQuiet: Whether this is a good moment to write more than the interval.
    /// - Returns: What to write for it, and what to tell a person.
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

    /// Takes note that the checkpoint that was wished for is on the disk, or cannot be.
    ///
    /// - Parameter wish: How much the next one is wanted.
    mutating func granted(wish: CheckpointPace.Wish) { (isGranted, self.wish) = (false, wish) }

    /// Takes note of processor time that writing took.
    mutating func spent(cpuMicroseconds: Int64) {
        result.cpuMicroseconds += cpuMicroseconds
    }

    /// Takes note that the interval is on the disk.
    ///
    /// - Parameter wish: How much a checkpoint is wanted now.
    /// - Returns: What to tell a person.
    mutating func kept(wish: CheckpointPace.Wish) -> String? {
        self.wish = wish
        waiting -= 1
        result.intervalsKept += 1
        return recover()
    }

    /// Takes note that the interval is not on the disk.
    ///
    /// - Parameter reason: Why; nil where it only comes after one that is not.
    /// - Returns: What to tell a person.
    mutating func lost(_ reason: String?) -> String? {
        waiting -= 1
        result.intervalsLost += 1
        return reason.flatMap { fail($0) }
    }

    /// Takes note of a failure; from now on only a checkpoint helps.
    ///
    /// - Returns: What to tell a person: each failure is told once as long as it lasts.
    mutating func fail(_ reason: String) -> String? {
        result.error = result.error ?? reason
        hasGap = true
        pause = nextPause
        nextPause = min(nextPause * 2, 32)
        defer { isFailing = true }
        return isFailing ? nil : "The journal cannot be written, the run goes on: \(reason)."
    }

    /// Takes note that everything up to now is on the disk, though no interval asked for it.
    ///
    /// - Returns: What to tell a person.
    mutating func closeGap() -> String? {
        hasGap = false
        return recover()
    }

    private mutating func recover() -> String? {
        // An interval that was queued before the gap arose says nothing about it.
        guard !hasGap else { return nil }
        nextPause = 1
        defer { isFailing = false }
        return isFailing ? "The journal is written again; a checkpoint makes up for what was missed." : nil
    }
}
