import Glibc
import Values

/// Equal seeds and numbers give equal choices in every run; one word, since each of thousands of viewers has one.
package struct ViewerChance: RandomNumberGenerator, Sendable, Equatable {
    private var numbers: SplitMix64

    package init(seed: UInt64, viewer: Int) {
        numbers = SplitMix64(seed: seed &+ (UInt64(truncatingIfNeeded: viewer) &+ 1) &* 0xD1B5_4A32_D192_ED03)
        _ = numbers.next()
    }

    package mutating func next() -> UInt64 { numbers.next() }

    /// A number in 0 ..< 1.
    package mutating func unit() -> Double { numbers.unit() }

    /// True for this share of the draws.
    package mutating func happens(_ share: Double) -> Bool { unit() < share }

    /// Time to the next event of a memoryless process.
    package mutating func nanoseconds(untilNextOfMean mean: Int64) -> Int64 {
        guard mean > 0 else { return 0 }
        let stretched = -log(1 - unit()) * Double(mean)
        return Int64(min(stretched, 1e18))
    }
}
