import CLinux

/// When a run gives free memory of its heap back to the kernel: about once a window.
///
/// Each burst leaves some behind, and what is held for good then comes to lie among it: without this the resident memory
/// of a run would rise for as long as bursts break their record, and tell nothing of leaks.
package struct HeapMemory: Sendable {
    /// More often would be dearer than what it gives.
    private static let leastPeriodMicroseconds: Int64 = 10_000_000
    /// Periods without a quiet moment, after which any will do.
    private static let patience: Int64 = 3

    private let periodMicroseconds: Int64
    /// The period in which memory was given back last.
    private var period: Int64 = 0

    /// - Parameter windowMilliseconds: Length of a window.
    package init(windowMilliseconds: Int64) {
        let length = windowMilliseconds.multipliedReportingOverflow(by: 1_000)
        periodMicroseconds = length.overflow ? .max : max(Self.leastPeriodMicroseconds, length.partialValue)
    }

    /// Whether it is time, which it then is not again for a period.
    ///
    /// - Parameters:
    ///   - endMicroseconds: End of the interval, from the start of the run.
    ///   - isQuiet: Whether no break goes on and none is near: allocations may wait for a millisecond or two.
    /// - Returns: At most once a period, and at least once in three.
    package mutating func isDue(endMicroseconds: Int64, isQuiet: Bool) -> Bool {
        // Intervals end some milliseconds before or after their full second.
        let current = (endMicroseconds &+ 500_000) / periodMicroseconds
        let passed = current &- period
        guard passed >= (isQuiet ? 1 : Self.patience) else { return false }
        period = current
        return true
    }

    /// Gives it back to the kernel.
    package static func giveBack() {
        podswarm_give_back_free_memory()
    }
}
