/// SplitMix64: the same numbers for the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// Durations in microseconds of every magnitude that a distribution holds, and at the seams of its buckets.
    mutating func durations(_ count: ClosedRange<Int> = 1...500) -> [Int64] {
        let ceilings: [Int64] = [1, 255, 256, 2_047, 2_048, 90_000, 5_000_000, 3_600_000_000]
        return (0..<Int.random(in: count, using: &self)).map { _ in
            Int64.random(in: 0...(ceilings.randomElement(using: &self) ?? 1), using: &self)
        }
    }
}
