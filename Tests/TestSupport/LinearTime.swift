import Glibc
package import Testing

/// How the cost of work grows with its size.
///
/// Told from processor time of the own thread for many small pieces of work and for one that is as large as all of them: who else
/// computes meanwhile hardly counts, and no bound has to know how fast a machine is.
package enum LinearTime {
    private static let pieces = 64

    /// Cost that the large one may have, as a multiple of all pieces.
    ///
    /// Quadratic time costs 64; fresh memory alone costs up to 10.
    private static let bound = 24.0

    /// Shortest piece of which many tell growth from noise, in nanoseconds.
    private static let measurable = 2e6

    /// Expects the cost of `work` to grow no faster than the size, and returns its outcome for the largest one.
    ///
    /// One look is enough: half of the pieces come before the large one and half after it, so that whatever slows the machine
    /// down slows both. It is measured at the smallest sizes that can be told apart.
    @discardableResult
    package static func expect<Input, Outcome>(
        of size: Int,
        sourceLocation: SourceLocation = #_sourceLocation,
        make: (Int) throws -> Input,
        work: (Input) throws -> Outcome
    ) rethrows -> Outcome {
        var count = max(1, size / 2_048)
        var small = try make(count)
        while count * 2 * pieces <= size, try measured({ try work(small) }).1 < measurable {
            count *= 2
            small = try make(count)
        }
        let large = try make(count * pieces)
        var all = 0.0
        for _ in 0..<pieces / 2 { all += try measured { try work(small) }.1 }
        let (outcome, whole) = try measured { try work(large) }
        for _ in 0..<pieces / 2 { all += try measured { try work(small) }.1 }
        let growth = whole / max(all, 1)
        #expect(growth <= bound, "as much in one costs \(growth) times as much", sourceLocation: sourceLocation)
        return outcome
    }

    /// The outcome, and nanoseconds that the thread computed for it.
    private static func measured<Outcome>(_ work: () throws -> Outcome) rethrows -> (Outcome, Double) {
        let start = threadNanoseconds()
        let outcome = try work()
        return (outcome, Double(threadNanoseconds() - start))
    }

    private static func threadNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
