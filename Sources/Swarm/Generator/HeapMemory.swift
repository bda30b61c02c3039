import CLinux

/// Decides when a run gives free memory of its heap back to the kernel: about once a window.
///
/// Each burst leaves some behind, and long-lived allocations then come to lie among it: without this the resident memory of a
/// run would rise for as long as bursts break their record, and show nothing of leaks.
package struct HeapMemory: Sendable {
    /// More often would cost more than it gives.
    private static let leastPeriodMicroseconds: Int64 = 10_000_000
    /// Periods without a quiet moment, after which any will do.
    private static let patience: Int64 = 3

    private let periodMicroseconds: Int64
    private var period: Int64 = 0

    package init(windowMilliseconds: Int64) {
        let length = windowMilliseconds.multipliedReportingOverflow(by: 1_000)
        periodMicroseconds = length.overflow ? .max : max(Self.leastPeriodMicroseconds, length.partialValue)
    }

    /// Whether it is time, at most once a period and at least once in three.
    ///
    /// `endMicroseconds` counts from the start of the run. `isQuiet` means that no break goes on and none is near: allocations
    /// may wait for a millisecond or two.
    package mutating func isDue(endMicroseconds: Int64, isQuiet: Bool) -> Bool {
        // Intervals end some milliseconds before or after their full second.
        let current = (endMicroseconds &+ 500_000) / periodMicroseconds
        let passed = current &- period
        guard passed >= (isQuiet ? 1 : Self.patience) else { return false }
        period = current
        return true
    }

    package static func giveBack() {
        podswarm_give_back_free_memory()
    }
}
