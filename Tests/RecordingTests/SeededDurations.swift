import TestSupport

extension SeededGenerator {
    /// Durations in microseconds of every magnitude that a distribution holds, and at the seams of its buckets.
    mutating func durations(_ count: ClosedRange<Int> = 1...500) -> [Int64] {
        let ceilings: [Int64] = [1, 255, 256, 2_047, 2_048, 90_000, 5_000_000, 3_600_000_000]
        return (0..<Int.random(in: count, using: &self)).map { _ in
            Int64.random(in: 0...(ceilings.randomElement(using: &self) ?? 1), using: &self)
        }
    }
}
