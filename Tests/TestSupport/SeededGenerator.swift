import Foundation
import Values

/// The same numbers for the same seed on every machine, so that a failing test can be repeated from its seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    package init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    package mutating func next() -> UInt64 { numbers.next() }
}

/// How often a test draws at random: PODSWARM_DRAWS times as often as usual, for the night.
package enum Draws {
    package static func of(_ usual: Int) -> Int {
        usual * (Int(ProcessInfo.processInfo.environment["PODSWARM_DRAWS"] ?? "") ?? 1)
    }
}
