import Values

/// One timer's place in the order of firing: 16 bytes, so that four of them fill a cache line.
struct TimerEntry {
    /// Deadline, order of scheduling and slot from high to low, so that one comparison without a branch decides.
    private let key: Int128

    /// `order` is a 32-bit counter that tells timers of one instant apart, and the generation of the slot.
    @inline(__always)
    init(deadline: Instant, order: UInt32, slot: UInt32) {
        key = Int128(deadline.nanoseconds) << 64 | Int128(order) << 32 | Int128(slot)
    }

    var deadline: Instant {
        @inline(__always) get { Instant(nanoseconds: Int64(truncatingIfNeeded: key >> 64)) }
    }
    var order: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: key >> 32) }
    }
    var slot: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: key) }
    }

    @inline(__always)
    func precedes(_ other: TimerEntry) -> Bool {
        key < other.key
    }
}

/// A 4-ary heap of timers, the earliest first.
///
/// Written by hand, because it is the largest part of a timer's cost: swift-collections has a min-max heap, which took two and
/// a half times the instructions.
struct TimerHeap: ~Copyable {
    private(set) var count = 0
    private var capacity = 64
    private var entries = UnsafeMutablePointer<TimerEntry>.allocate(capacity: 64)

    private static let arity = 4

    deinit {
        entries.deallocate()
    }

    var first: TimerEntry? {
        @inline(__always) get { count > 0 ? entries[0] : nil }
    }

    mutating func insert(_ entry: TimerEntry) {
        if count == capacity { grow() }
        count += 1
        siftUp(entry, from: count - 1)
    }

    mutating func removeFirst() {
        guard count > 0 else { return }
        count -= 1
        // The hole moves to the bottom, and the last entry moves up from there, for it belongs low down.
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
        // Insertion never overtakes the reading position.
        for position in 0..<all {
            let entry = entries[position]
            if condition(entry) { insert(entry) }
        }
    }

    /// The index of the earliest of four entries: by arithmetic, because a branch would be predicted wrong every other time.
    @inline(__always)
    private static func earliest(ofRow row: UnsafeMutablePointer<TimerEntry>) -> Int {
        let left = row[1].precedes(row[0]) ? 1 : 0
        let right = row[3].precedes(row[2]) ? 3 : 2
        let isRight = row[right].precedes(row[left]) ? -1 : 0
        return left &+ (isRight & (right &- left))
    }

    /// Fills the hole from a last, incomplete row of children and returns the new place of the hole.
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
