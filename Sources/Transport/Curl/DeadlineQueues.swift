import Values

/// Deadlines at few different distances from their start: one queue for each distance.
///
/// Nearly all requests share the configuration's timeout; personas add a handful.
struct DeadlineQueues {
    private var queues: ContiguousArray<DeadlineQueue>
    /// Index into `queues`, by slot.
    private var queueIndices: ContiguousArray<UInt8> = []

    init(timeout: Int64) {
        queues = [DeadlineQueue(timeout: timeout)]
    }

    /// The usual distance, in nanoseconds.
    var timeout: Int64 { queues[0].timeout }

    var earliest: Instant? {
        queues.count == 1 ? queues[0].earliest : queues.lazy.compactMap(\.earliest).min()
    }

    mutating func start(_ slot: Int32, at now: Instant, timeout: Int64) {
        remove(slot)
        while queueIndices.count <= Int(slot) { queueIndices.append(0) }
        let index = index(of: timeout)
        queueIndices[Int(slot)] = UInt8(clamping: index)
        queues[index].start(slot, at: now)
    }

    /// The queue of a distance; distances beyond the 256th share the last queue.
    private mutating func index(of timeout: Int64) -> Int {
        if let known = queues.firstIndex(where: { $0.timeout == timeout }) { return known }
        guard queues.count <= Int(UInt8.max) else { return queues.count - 1 }
        queues.append(DeadlineQueue(timeout: timeout))
        return queues.count - 1
    }

    mutating func postpone(by nanoseconds: Int64, until end: Instant) {
        for index in queues.indices { queues[index].postpone(by: nanoseconds, until: end) }
    }

    mutating func remove(_ slot: Int32) {
        guard Int(slot) < queueIndices.count else { return }
        queues[Int(queueIndices[Int(slot)])].remove(slot)
    }

    mutating func popExpired(at now: Instant) -> Int32? {
        for index in queues.indices {
            if let slot = queues[index].popExpired(at: now) { return slot }
        }
        return nil
    }
}
