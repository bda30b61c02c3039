/// Instant in UTC with microsecond resolution.
///
/// Arithmetic clamps at about 292,000 years either side of 1970, so that no date of a playlist can trap.
public struct WallTime: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch.
    public var microseconds: Int64

    /// Creates the instant `microseconds` after the Unix epoch.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Orders instants by time.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Adds a duration; clamps.
    public static func + (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.addingClamped(duration.wholeMicroseconds))
    }

    /// Subtracts a duration; clamps.
    public static func - (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.subtractingClamped(duration.wholeMicroseconds))
    }

    /// Time from `earlier` to this instant; negative if `earlier` is later.
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
    /// Decodes ISO 8601 text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = WallTime(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 date and time")
        }
        self = time
    }

    /// Encodes ISO 8601 text, readable in a result document.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}
