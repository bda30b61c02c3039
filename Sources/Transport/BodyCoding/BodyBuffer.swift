import Synchronization

package struct BodyBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    package private(set) var count = 0
    private var taken = 0

    package static let initialCapacity = 4096

    package init() {
        memory = .allocate(byteCount: Self.initialCapacity, alignment: 16)
    }

    package var capacity: Int { memory.count }

    /// Valid until the next change of the buffer.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let needed = count + bytes.count
        if needed > memory.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity(for: needed), alignment: 16)
            larger.copyMemory(from: self.bytes)
            memory.deallocate()
            memory = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count = needed
    }

    /// Appends bytes if the budget has room for them; false where it has none, and then nothing is appended.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, within budget: BodyBudget) -> Bool {
        let capacity = capacity(for: count + bytes.count)
        if capacity > memory.count, capacity > BodyBudget.freeBytes {
            guard budget.take(capacity - taken) else { return false }
            taken = capacity
        }
        append(bytes)
        return true
    }

    /// Gives bytes back to the budget once the body has been read.
    package mutating func settle(with budget: BodyBudget) {
        guard taken > 0 else { return }
        budget.giveBack(taken)
        taken = 0
    }

    private func capacity(for needed: Int) -> Int {
        needed <= memory.count ? memory.count : max(needed, 2 * memory.count)
    }

    package mutating func removeAll() { count = 0 }

    package func deallocate() { memory.deallocate() }
}

/// Memory for bodies that arrive, shared by all transports of a process.
///
/// Safe to use from any thread; a body below ``freeBytes`` takes nothing, so that ordinary answers cost no counting.
package final class BodyBudget: Sendable {
    /// Memory of a body that does not count.
    package static let freeBytes = 64 << 10

    private let limit: Int
    private let taken = Atomic<Int>(0)

    package init(bytes: Int) {
        limit = bytes
    }

    /// Takes bytes; false where fewer are left, and then none are taken.
    package func take(_ bytes: Int) -> Bool {
        if taken.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit { return true }
        giveBack(bytes)
        return false
    }

    /// Takes bytes, whether or not they are left.
    package func hold(_ bytes: Int) { taken.wrappingAdd(bytes, ordering: .relaxed) }

    package func giveBack(_ bytes: Int) { taken.wrappingSubtract(bytes, ordering: .relaxed) }
}
