import Time

/// Deadlines at few different distances from their start: one queue for each distance.
///
/// Nearly all requests share the configuration's; what personas add is a handful.
struct DeadlineQueues {
    private var queues: ContiguousArray<DeadlineQueue>
    /// The queue that a slot's time runs in, by slot.
    private var queueIndices: ContiguousArray<UInt8> = []

    /// Makes ready for deadlines that are usually this many nanoseconds after their start.
    init(timeout: Int64) {
        queues = [DeadlineQueue(timeout: timeout)]
    }

    /// The usual distance, in nanoseconds.
    var timeout: Int64 { queues[0].timeout }

    /// The earliest deadline, nil when there is none.
    var earliest: Instant? {
        queues.count == 1 ? queues[0].earliest : queues.lazy.compactMap(\.earliest).min()
    }

    /// Starts a slot's time at `now`, anew if it runs already; `now` never goes back from call to call.
    mutating func start(_ slot: Int32, at now: Instant, timeout: Int64) {
        remove(slot)
        while queueIndices.count <= Int(slot) { queueIndices.append(0) }
        let index = index(of: timeout)
        queueIndices[Int(slot)] = UInt8(clamping: index)
        queues[index].start(slot, at: now)
    }

    /// The queue of a distance; of more distances than fit, the last ones share theirs.
    private mutating func index(of timeout: Int64) -> Int {
        if let known = queues.firstIndex(where: { $0.timeout == timeout }) { return known }
        guard queues.count <= Int(UInt8.max) else { return queues.count - 1 }
        queues.append(DeadlineQueue(timeout: timeout))
        return queues.count - 1
    }

    /// As `DeadlineQueue.postpone`.
    mutating func postpone(by nanoseconds: Int64, until end: Instant) {
        for index in queues.indices { queues[index].postpone(by: nanoseconds, until: end) }
    }

    /// Ends a slot's time; does nothing if it does not run.
    mutating func remove(_ slot: Int32) {
        guard Int(slot) < queueIndices.count else { return }
        queues[Int(queueIndices[Int(slot)])].remove(slot)
    }

    /// Removes and returns a slot whose time has run out, nil if none has.
    mutating func popExpired(at now: Instant) -> Int32? {
        for index in queues.indices {
            if let slot = queues[index].popExpired(at: now) { return slot }
        }
        return nil
    }
}
