import Chance
import Glibc

/// Times in which a server answers: most take two milliseconds, a few ten times that.
///
/// A logarithmic normal distribution, from a table that is quicker than to compute each of its values.
struct ServiceTimes: Sendable {
    private static let size = 4_096
    private static let medianNanoseconds = 2_000_000.0
    /// Of the logarithm: one in a thousand takes more than eight times the median then.
    private static let deviation = 0.68

    private let nanoseconds: [Int64]

    init() {
        var chance = SplitMix64(seed: 1)
        nanoseconds = (0..<Self.size).map { _ in
            // Box and Muller's way to a normal distribution.
            let normal = (-2 * log(1 - chance.unit())).squareRoot() * cos(2 * .pi * chance.unit())
            return Int64(Self.medianNanoseconds * exp(normal * Self.deviation))
        }
    }

    /// The time of one answer, in nanoseconds.
    func next(_ chance: inout SplitMix64) -> Int64 {
        let bits = chance.next()
        // What the table leaves out between its values.
        return nanoseconds[Int(bits % UInt64(Self.size))] + Int64(bits >> 48) % 20_000
    }
}
