/// An instant in UTC with microsecond resolution.
///
/// Arithmetic clamps at the ends of the representable range (about 292,000 years either side of 1970),
/// so no date found in a playlist can trap.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch.
    public var microseconds: Int64

    /// The instant so many microseconds after the Unix epoch.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Whether the left one comes before the right one.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant so much later.
    public static func + (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.addingClamped(duration.wholeMicroseconds))
    }

    /// The instant so much earlier.
    public static func - (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.subtractingClamped(duration.wholeMicroseconds))
    }

    /// The time that passed from `earlier` to this instant; negative when `earlier` is later.
    public func duration(since earlier: WallTime) -> Duration {
        .microseconds(microseconds.subtractingClamped(earlier.microseconds))
    }

    /// Whole seconds since the Unix epoch, rounded down.
    public var epochSeconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension WallTime: Codable {
    /// Reads the ISO 8601 text that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = WallTime(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 date and time")
        }
        self = time
    }

    /// Writes the instant as ISO 8601 text, the form people read in a result document.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}
