import Synchronization

/// Bytes in memory that grows, and is allocated with the first of them.
package struct BodyBuffer {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    package private(set) var count = 0
    private var taken = 0

    package static let initialCapacity = 4096

    package init() {}

    package var capacity: Int { memory.count }

    /// Valid until the buffer's next change.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        extend(by: bytes.count)?.copyMemory(from: start, byteCount: bytes.count)
    }

    /// The caller writes the added bytes at the returned place.
    @inline(__always)
    mutating func extend(by length: Int) -> UnsafeMutableRawPointer? {
        let end = count
        if end + length > memory.count { grow(to: end + length) }
        count = end + length
        return memory.baseAddress.map { $0 + end }
    }

    private mutating func grow(to needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity(for: needed), alignment: 16)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }

    /// False where the budget has no room; then nothing is appended.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, within budget: BodyBudget) -> Bool {
        let capacity = capacity(for: count + bytes.count)
        if capacity > taken {
            guard budget.take(capacity - taken) else { return false }
            taken = capacity
        }
        append(bytes)
        return true
    }

    /// Counts memory even where the budget has no room.
    mutating func append(_ bytes: UnsafeRawBufferPointer, beyond budget: BodyBudget) {
        let capacity = capacity(for: count + bytes.count)
        if capacity > taken {
            budget.hold(capacity - taken)
            taken = capacity
        }
        append(bytes)
    }

    /// Gives bytes back to the budget once the body has been read.
    package mutating func settle(with budget: BodyBudget) {
        guard taken > 0 else { return }
        budget.giveBack(taken)
        taken = 0
    }

    private func capacity(for needed: Int) -> Int {
        needed <= memory.count ? memory.count : max(needed, 2 * memory.count, Self.initialCapacity)
    }

    package mutating func removeAll() { count = 0 }

    package func deallocate() { memory.deallocate() }
}

/// Memory limit for arriving bodies, shared by all transports of a process; safe from any thread.
package final class BodyBudget: Sendable {
    private let limit: Int
    private let taken = Atomic<Int>(0)

    package init(bytes: Int) { limit = bytes }

    /// False where fewer bytes are left; then none are taken.
    package func take(_ bytes: Int) -> Bool {
        if taken.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit { return true }
        giveBack(bytes)
        return false
    }

    /// Takes bytes even beyond the limit.
    package func hold(_ bytes: Int) { taken.wrappingAdd(bytes, ordering: .relaxed) }

    package func giveBack(_ bytes: Int) { taken.wrappingSubtract(bytes, ordering: .relaxed) }
}
