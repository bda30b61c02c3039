import Synchronization

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
