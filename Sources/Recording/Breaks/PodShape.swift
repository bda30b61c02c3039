/// What the renditions of one pod have in common: how long it is, and where in it a discontinuity lies.
///
/// Not into how many segments it is cut: bis-22 section 6.2.4 asks for matching timestamps and discontinuity sequence
/// numbers. Places are known by their mean and their root mean square, which fit into a fingerprint: no rendition is told
/// apart whose places all match, and of those that do not, hardly any is taken for one.
package struct PodShape: Equatable, Sendable {
    /// How far renditions may differ in duration, and in where a discontinuity lies: audio and video segments never end at
    /// quite the same moment, and lengths are rounded.
    package static let toleranceMilliseconds = 500

    private static let unitMilliseconds = 10
    private static let bits: UInt64 = 19
    private static let mask: UInt64 = (1 << bits) - 1

    /// In units of ten milliseconds.
    private let duration: Int
    private let discontinuities: Int
    private let mean: Int
    private let rootMeanSquare: Int

    /// Numbers past what fits are held at their limits.
    ///
    /// - Parameters:
    ///   - durationMilliseconds: Sum of the segments' durations, at most 87 minutes.
    ///   - places: For each discontinuity between segments, at most 127, how far from the beginning it lies.
    package init(durationMilliseconds: Int, discontinuitiesAt places: [Int]) {
        let places = places.map(Double.init)
        let count = Double(max(places.count, 1))
        duration = Self.held(Double(durationMilliseconds))
        discontinuities = min(places.count, Int(UInt64.max >> (3 * Self.bits)))
        mean = Self.held(places.reduce(0, +) / count)
        rootMeanSquare = Self.held((places.reduce(0) { $0 + $1 * $1 } / count).squareRoot())
    }

    /// The shape that ``fingerprint`` was made from.
    package init(fingerprint: UInt64) {
        duration = Int(fingerprint & Self.mask)
        mean = Int(fingerprint >> Self.bits & Self.mask)
        rootMeanSquare = Int(fingerprint >> (2 * Self.bits) & Self.mask)
        discontinuities = Int(fingerprint >> (3 * Self.bits))
    }

    /// All of it in 64 bits, so that a ledger of pods keeps it as it keeps the hash of a body.
    package var fingerprint: UInt64 {
        UInt64(duration) | UInt64(mean) << Self.bits | UInt64(rootMeanSquare) << (2 * Self.bits)
            | UInt64(discontinuities) << (3 * Self.bits)
    }

    /// Whether a player that switches from one to the other stays at its place.
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
