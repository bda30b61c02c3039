import HeapModule

/// Told on the loop that a timer is due.
package protocol TimerHandler: AnyObject {
    /// Called once per scheduled timer, on the loop; `token` is what it was scheduled with.
    ///
    /// `deadline` is the instant asked for, in `MonotonicClock` nanoseconds: the real one is later.
    func timerFired(token: UInt64, deadline: Int64)
}

/// Names one scheduled timer; stays harmless after it has fired or was cancelled.
package struct TimerID: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    /// A name that no timer ever has; generations begin at 1.
    package static let none = TimerID(slot: 0, generation: 0)
}

/// Deadlines in order, each cancellable in constant time.
///
/// A cancelled entry stays in the heap until it is met or until cancelled entries are the greater part of it.
struct TimerQueue {
    struct Due {
        let deadline: Int64
        let token: UInt64
        let handler: any TimerHandler
    }

    private struct Entry: Comparable {
        let deadline: Int64
        /// Timers of one instant fire in the order they were scheduled.
        let order: UInt64
        let id: TimerID

        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.order) < (right.deadline, right.order)
        }

        static func == (left: Entry, right: Entry) -> Bool {
            left.order == right.order
        }
    }

    private struct Slot {
        var generation: UInt32 = 1
        var token: UInt64 = 0
        var handler: (any TimerHandler)?
    }

    private var heap: Heap<Entry> = []
    private var slots: ContiguousArray<Slot> = []
    private var freeSlots: ContiguousArray<UInt32> = []
    private var nextOrder: UInt64 = 0
    /// Timers that will still fire.
    private(set) var count = 0

    /// Entries in the heap, cancelled ones included.
    var storedEntries: Int { heap.count }

    mutating func schedule(at deadline: Int64, token: UInt64, handler: any TimerHandler) -> TimerID {
        let index: UInt32
        if let free = freeSlots.popLast() {
            index = free
        } else {
            index = UInt32(truncatingIfNeeded: slots.count)
            slots.append(Slot())
        }
        slots[Int(index)].token = token
        slots[Int(index)].handler = handler
        let id = TimerID(slot: index, generation: slots[Int(index)].generation)
        heap.insert(Entry(deadline: deadline, order: nextOrder, id: id))
        nextOrder &+= 1
        count += 1
        return id
    }

    /// Returns false if the timer has already fired or was cancelled.
    @discardableResult
    mutating func cancel(_ id: TimerID) -> Bool {
        guard isPending(id) else { return false }
        release(id)
        if heap.count > 1024, heap.count > 2 * count {
            let kept = heap.unordered.filter(isPending)
            heap = Heap(kept)
        }
        return true
    }

    /// The earliest deadline still to come, nil if there is none.
    mutating func earliest() -> Int64? {
        while let entry = heap.min {
            if isPending(entry.id) { return entry.deadline }
            heap.removeMin()
        }
        return nil
    }

    /// Removes and returns the earliest timer if it is due at `now`.
    mutating func popDue(at now: Int64) -> Due? {
        guard let deadline = earliest(), deadline <= now else { return nil }
        let id = heap.removeMin().id
        guard let handler = slots[Int(id.slot)].handler else { return nil }
        let due = Due(deadline: deadline, token: slots[Int(id.slot)].token, handler: handler)
        release(id)
        return due
    }

    mutating func removeAll() {
        self = TimerQueue()
    }

    private func isPending(_ entry: Entry) -> Bool {
        isPending(entry.id)
    }

    private func isPending(_ id: TimerID) -> Bool {
        let index = Int(id.slot)
        return index < slots.count && slots[index].generation == id.generation && slots[index].handler != nil
    }

    private mutating func release(_ id: TimerID) {
        let index = Int(id.slot)
        slots[index].handler = nil
        slots[index].generation &+= 1
        if slots[index].generation == 0 { slots[index].generation = 1 }
        freeSlots.append(id.slot)
        count -= 1
    }
}
