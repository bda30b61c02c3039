import Glibc

/// A viewer's own source of chance: the same seed and number give the same choices in every run.
///
/// SplitMix64, whose state is one word, so that thousands of viewers can each own one.
package struct ViewerChance: RandomNumberGenerator, Sendable, Equatable {
    private var state: UInt64

    package init(seed: UInt64, viewer: Int) {
        self.state = seed &+ (UInt64(truncatingIfNeeded: viewer) &+ 1) &* 0xD1B5_4A32_D192_ED03
        _ = self.next()
    }

    package mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in 0 ..< 1.
    package mutating func unit() -> Double {
        Double(self.next() >> 11) * 0x1p-53
    }

    /// True for this share of the draws.
    package mutating func happens(_ share: Double) -> Bool {
        self.unit() < share
    }

    /// Nanoseconds until the next event of a process without memory whose events are this far apart on average.
    package mutating func nanoseconds(untilNextOfMean mean: Int64) -> Int64 {
        guard mean > 0 else { return 0 }
        let stretched = -log(1 - self.unit()) * Double(mean)
        return Int64(min(stretched, 1e18))
    }
}
