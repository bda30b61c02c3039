import Synchronization

/// Memory limit for arriving bodies, shared by all transports of a process; kept answers count, too; safe from any thread.
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
