import Synchronization

/// Memory for bodies that arrive, shared by all transports of a process.
///
/// Any thread may take from it; a body below ``freeBytes`` takes nothing, so that ordinary answers cost no counting.
package final class BodyBudget: Sendable {
    /// What a body may have of memory before it counts.
    package static let freeBytes = 64 << 10

    private let limit: Int
    private let taken = Atomic<Int>(0)

    /// - Parameter bytes: All that may be taken at one time.
    package init(bytes: Int) {
        limit = bytes
    }

    /// Takes so many bytes; false where so many are not left, and then none is taken.
    package func take(_ bytes: Int) -> Bool {
        if taken.wrappingAdd(bytes, ordering: .relaxed).newValue <= limit { return true }
        giveBack(bytes)
        return false
    }

    /// Takes so many bytes, whether or not they are left.
    package func hold(_ bytes: Int) { taken.wrappingAdd(bytes, ordering: .relaxed) }

    /// Gives back what was taken.
    package func giveBack(_ bytes: Int) { taken.wrappingSubtract(bytes, ordering: .relaxed) }
}
