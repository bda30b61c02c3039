/// Common properties of the renditions of one pod: its length and the positions of its discontinuities.
///
/// The number of segments is not included: bis-22 section 6.2.4 asks for matching timestamps and discontinuity sequence
/// numbers. Positions are represented by their mean and root mean square, which fit into a fingerprint: renditions whose
/// positions all match always compare equal, and others almost never do.
package struct PodShape: Equatable, Sendable {
    /// Allowed difference in duration and in a discontinuity's position: audio and video segments never end at quite the same
    /// moment, and lengths are rounded.
    package static let toleranceMilliseconds = 500

    private static let unitMilliseconds = 10
    private static let bits: UInt64 = 19
    private static let mask: UInt64 = (1 << bits) - 1

    /// In units of ten milliseconds.
    private let duration: Int
    private let discontinuities: Int
    private let mean: Int
    private let rootMeanSquare: Int

    /// Creates a shape from the sum of segment durations, at most 87 minutes, and the offsets of at most 127 discontinuities
    /// between segments.
    ///
    /// Larger numbers are clamped.
    package init(durationMilliseconds: Int, discontinuitiesAt places: [Int]) {
        let places = places.map(Double.init)
        let count = Double(max(places.count, 1))
        duration = Self.held(Double(durationMilliseconds))
        discontinuities = min(places.count, Int(UInt64.max >> (3 * Self.bits)))
        mean = Self.held(places.reduce(0, +) / count)
        rootMeanSquare = Self.held((places.reduce(0) { $0 + $1 * $1 } / count).squareRoot())
    }

    package init(fingerprint: UInt64) {
        duration = Int(fingerprint & Self.mask)
        mean = Int(fingerprint >> Self.bits & Self.mask)
        rootMeanSquare = Int(fingerprint >> (2 * Self.bits) & Self.mask)
        discontinuities = Int(fingerprint >> (3 * Self.bits))
    }

    /// The shape in 64 bits, so that a ledger of pods stores it like the hash of a body.
    package var fingerprint: UInt64 {
        UInt64(duration) | UInt64(mean) << Self.bits | UInt64(rootMeanSquare) << (2 * Self.bits)
            | UInt64(discontinuities) << (3 * Self.bits)
    }

    /// Whether a player that switches between the renditions keeps its position.
    package func matches(_ other: PodShape) -> Bool {
        discontinuities == other.discontinuities && Self.areNear(duration, other.duration)
            && Self.areNear(mean, other.mean) && Self.areNear(rootMeanSquare, other.rootMeanSquare)
    }

    private static func areNear(_ left: Int, _ right: Int) -> Bool {
        abs(left - right) * unitMilliseconds <= toleranceMilliseconds
    }

    private static func held(_ milliseconds: Double) -> Int {
        Int(min(max(milliseconds / Double(unitMilliseconds), 0), Double(mask)))
    }
}
