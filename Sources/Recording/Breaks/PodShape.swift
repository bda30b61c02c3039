/// What the renditions of one pod have in common: how long it is, in how many segments and ads.
package struct PodShape: Equatable, Sendable {
    /// How far renditions may differ in duration: audio and video segments never end at quite the same moment.
    package static let toleranceMilliseconds = 500

    package let durationMilliseconds: Int
    package let segments: Int
    package let discontinuities: Int

    /// Numbers past what fits are held at their limits.
    ///
    /// - Parameters:
    ///   - durationMilliseconds: Sum of the segments' durations, at most 49 days.
    ///   - segments: How many, at most 65535.
    ///   - discontinuities: Discontinuity tags between segments, at most 65535.
    package init(durationMilliseconds: Int, segments: Int, discontinuities: Int) {
        self.durationMilliseconds = Int(UInt32(clamping: durationMilliseconds))
        self.segments = Int(UInt16(clamping: segments))
        self.discontinuities = Int(UInt16(clamping: discontinuities))
    }

    /// The shape that ``fingerprint`` was made from.
    package init(fingerprint: UInt64) {
        durationMilliseconds = Int(fingerprint >> 32)
        segments = Int(fingerprint >> 16 & 0xFFFF)
        discontinuities = Int(fingerprint & 0xFFFF)
    }

    /// All of it in 64 bits, so that a ledger of pods keeps it as it keeps the hash of a body.
    package var fingerprint: UInt64 {
        UInt64(durationMilliseconds) << 32 | UInt64(segments) << 16 | UInt64(discontinuities)
    }

    /// Whether a player that switches from one to the other stays at its place.
    package func matches(_ other: PodShape) -> Bool {
        segments == other.segments && discontinuities == other.discontinuities
            && abs(durationMilliseconds - other.durationMilliseconds) <= Self.toleranceMilliseconds
    }

    package var description: String {
        "\(durationMilliseconds) ms in \(segments) segments with \(discontinuities) discontinuities"
    }
}
