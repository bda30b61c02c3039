import Glibc
package import Testing

/// How the cost of work grows with its size.
///
/// Told from processor time of the own thread at one size and at four times that: who else computes meanwhile hardly counts,
/// and no bound has to know how fast a machine is.
package enum LinearTime {
    /// What four times the size may cost: it is four where the time is linear, and sixteen where it is the square.
    private static let bound = 8.0

    /// Shortest measurement that tells growth from noise, in nanoseconds.
    private static let measurable = 20e6

    /// Expects the cost to grow no faster than the size; where it seems to, the measurement is repeated twice.
    ///
    /// It is measured at the smallest sizes that can be told apart.
    ///
    /// - Parameters:
    ///   - size: The largest size.
    ///   - sourceLocation: The place a failure is told of.
    ///   - make: Makes the work of a size, which is not measured.
    ///   - work: What is measured.
    /// - Returns: What the work of the largest size came to that was measured.
    /// - Throws: What making or the work throws.
    @discardableResult
    package static func expect<Input, Outcome>(
        of size: Int,
        sourceLocation: SourceLocation = #_sourceLocation,
        make: (Int) throws -> Input,
        work: (Input) throws -> Outcome
    ) rethrows -> Outcome {
        var count = max(1, size / 256)
        var small = try make(count)
        while count <= size / 8, try measured({ try work(small) }).1 < measurable {
            count *= 2
            small = try make(count)
        }
        let large = try make(count * 4)
        var growths: [Double] = []
        while true {
            let (_, least) = try measured { try work(small) }
            let (outcome, most) = try measured { try work(large) }
            growths.append(most / max(least, 1))
            if growths.count == 3 || growths.contains(where: { $0 <= bound }) {
                #expect(
                    growths.contains { $0 <= bound },
                    "four times the size costs \(growths) times as much",
                    sourceLocation: sourceLocation
                )
                return outcome
            }
        }
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
