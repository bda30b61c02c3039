package import Values

package protocol TimerHandler: AnyObject {
    /// Called on the loop once; `deadline` is the scheduled instant.
    func timerFired(token: UInt64, deadline: Instant)
}

/// Harmless after its timer has fired or was cancelled.
package struct TimerID: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32

    package static let none = TimerID(slot: 0, generation: 0)
}

/// A cancelled entry stays in the heap until its turn comes, or until most of the heap is cancelled.
struct TimerQueue: ~Copyable {
    typealias Due = (deadline: Instant, token: UInt64, handler: any TimerHandler)

    private struct Slot {
        /// Order of the slot's pending timer, 0 for none.
        var generation: UInt32
        /// The slot freed before this one.
        var nextFree: UInt32
        var token: UInt64
        var handler: (any TimerHandler)?
    }

    private static let noSlot = UInt32.max

    private var heap = TimerHeap()
    private var slots = UnsafeMutablePointer<Slot>.allocate(capacity: 64)
    private var slotCount = 0
    private var slotCapacity = 64
    private var firstFree = Self.noSlot
    private var lastOrder: UInt32 = 0
    /// While a round fires: new timers before this instant wait for the next one.
    private var roundEnd = Instant.distantPast
    private var deferred: ContiguousArray<TimerEntry> = []
    private(set) var count = 0

    deinit {
        slots.deinitialize(count: slotCount)
        slots.deallocate()
    }

    /// Cancelled entries included.
    var storedEntries: Int { heap.count + deferred.count }

    mutating func schedule(at deadline: Instant, token: UInt64, handler: any TimerHandler) -> TimerID {
        lastOrder &+= 1
        // 0 identifies no timer.
        if lastOrder == 0 { lastOrder = 1 }
        let slot = takeSlot()
        slots[Int(slot)].generation = lastOrder
        slots[Int(slot)].token = token
        slots[Int(slot)].handler = handler
        let entry = TimerEntry(deadline: deadline, order: lastOrder, slot: slot)
        if deadline < roundEnd { deferred.append(entry) } else { heap.insert(entry) }
        count += 1
        return TimerID(slot: slot, generation: lastOrder)
    }

    @discardableResult
    mutating func cancel(_ id: TimerID) -> Bool {
        let index = Int(id.slot)
        guard id.generation != 0, index < slotCount, slots[index].generation == id.generation else { return false }
        slots[index].handler = nil
        release(id.slot)
        if heap.count > 1024, heap.count > 2 * count {
            let slots = slots
            heap.keep { slots[Int($0.slot)].generation == $0.order }
        }
        return true
    }

    mutating func earliest() -> Instant? {
        while let entry = heap.first {
            if isPending(entry) { return entry.deadline }
            heap.removeFirst()
        }
        return nil
    }

    /// Keeps back new timers for `now` or earlier: one that schedules in the past delays no other, and the round has an end.
    mutating func beginRound(at now: Instant) { roundEnd = now.later(by: 1) }

    mutating func endRound() {
        roundEnd = .distantPast
        guard !deferred.isEmpty else { return }
        for entry in deferred where isPending(entry) { heap.insert(entry) }
        deferred.removeAll(keepingCapacity: true)
    }

    mutating func popDue(at now: Instant) -> Due? {
        while let entry = heap.first, entry.deadline <= now {
            heap.removeFirst()
            let slot = Int(entry.slot)
            guard isPending(entry), let handler = slots[slot].handler.take() else { continue }
            release(entry.slot)
            return (entry.deadline, slots[slot].token, handler)
        }
        return nil
    }

    @inline(__always)
    private func isPending(_ entry: TimerEntry) -> Bool { slots[Int(entry.slot)].generation == entry.order }

    @inline(__always)
    private mutating func takeSlot() -> UInt32 {
        let free = firstFree
        guard free == Self.noSlot else {
            firstFree = slots[Int(free)].nextFree
            return free
        }
        if slotCount == slotCapacity { growSlots() }
        (slots + slotCount).initialize(to: Slot(generation: 0, nextFree: Self.noSlot, token: 0, handler: nil))
        slotCount += 1
        return UInt32(slotCount - 1)
    }

    private mutating func growSlots() {
        let larger = UnsafeMutablePointer<Slot>.allocate(capacity: 2 * slotCapacity)
        larger.moveInitialize(from: slots, count: slotCount)
        slots.deallocate()
        slots = larger
        slotCapacity *= 2
    }

    @inline(__always)
    private mutating func release(_ slot: UInt32) {
        slots[Int(slot)].generation = 0
        slots[Int(slot)].nextFree = firstFree
        firstFree = slot
        count -= 1
    }
}

/// Its 16 bytes let four entries fill a cache line.
struct TimerEntry {
    /// Deadline, order and slot from high to low, so that one comparison without a branch decides.
    private let key: Int128

    /// `order` tells timers of one instant apart, and is the slot's generation.
    @inline(__always)
    init(deadline: Instant, order: UInt32, slot: UInt32) {
        key = Int128(deadline.nanoseconds) << 64 | Int128(order) << 32 | Int128(slot)
    }

    var deadline: Instant { @inline(__always) get { Instant(nanoseconds: Int64(truncatingIfNeeded: key >> 64)) } }
    var order: UInt32 { @inline(__always) get { UInt32(truncatingIfNeeded: key >> 32) } }
    var slot: UInt32 { @inline(__always) get { UInt32(truncatingIfNeeded: key) } }

    @inline(__always)
    func precedes(_ other: TimerEntry) -> Bool { key < other.key }
}

/// A 4-ary heap, the largest part of a timer's cost: swift-collections' min-max heap took two and a half times the
/// instructions.
struct TimerHeap: ~Copyable {
    private(set) var count = 0
    private var capacity = 64
    private var entries = UnsafeMutablePointer<TimerEntry>.allocate(capacity: 64)

    private static let arity = 4

    deinit {
        entries.deallocate()
    }

    var first: TimerEntry? { @inline(__always) get { count > 0 ? entries[0] : nil } }

    mutating func insert(_ entry: TimerEntry) {
        if count == capacity { grow() }
        count += 1
        siftUp(entry, from: count - 1)
    }

    mutating func removeFirst() {
        guard count > 0 else { return }
        count -= 1
        // The hole moves to the bottom and the last entry up from there, because it belongs low down.
        var hole = 0
        while true {
            let child = hole &* Self.arity &+ 1
            guard child &+ Self.arity <= count else {
                hole = moveUpLast(of: child, into: hole)
                break
            }
            let earliest = child &+ Self.earliest(ofRow: entries + child)
            entries[hole] = entries[earliest]
            hole = earliest
        }
        siftUp(entries[count], from: hole)
    }

    mutating func keep(_ condition: (TimerEntry) -> Bool) {
        let all = count
        count = 0
        for position in 0..<all {
            let entry = entries[position]
            if condition(entry) { insert(entry) }
        }
    }

    /// Uses arithmetic: a branch would be predicted wrong every other time.
    @inline(__always)
    private static func earliest(ofRow row: UnsafeMutablePointer<TimerEntry>) -> Int {
        let left = row[1].precedes(row[0]) ? 1 : 0
        let right = row[3].precedes(row[2]) ? 3 : 2
        let isRight = row[right].precedes(row[left]) ? -1 : 0
        return left &+ (isRight & (right &- left))
    }

    /// Returns the hole's new place.
    private func moveUpLast(of child: Int, into hole: Int) -> Int {
        guard child < count else { return hole }
        var earliest = child
        var sibling = child + 1
        while sibling < count {
            if entries[sibling].precedes(entries[earliest]) { earliest = sibling }
            sibling += 1
        }
        entries[hole] = entries[earliest]
        return earliest
    }

    @inline(__always)
    private func siftUp(_ entry: TimerEntry, from start: Int) {
        var hole = start
        while hole > 0 {
            let parent = (hole - 1) / Self.arity
            guard entry.precedes(entries[parent]) else { break }
            entries[hole] = entries[parent]
            hole = parent
        }
        entries[hole] = entry
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<TimerEntry>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}
