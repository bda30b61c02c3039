/// An instant in UTC with microsecond resolution.
///
/// Arithmetic clamps at the ends of the representable range (about 292,000 years either side of 1970),
/// so no date found in a playlist can trap.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: WallTime, right: WallTime) -> Bool {
        left.microseconds < right.microseconds
    }

    package static func + (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.addingClamped(duration.wholeMicroseconds))
    }

    package static func - (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.subtractingClamped(duration.wholeMicroseconds))
    }

    /// The time that passed from `earlier` to this instant; negative when `earlier` is later.
    package func duration(since earlier: WallTime) -> Duration {
        .microseconds(microseconds.subtractingClamped(earlier.microseconds))
    }

    /// Whole seconds since the Unix epoch, rounded down.
    package var epochSeconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension WallTime: Codable {
    /// Reads the ISO 8601 text that ``encode(to:)`` writes.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = WallTime(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 date and time")
        }
        self = time
    }

    /// Writes the instant as ISO 8601 text, the form people read in a result document.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}

extension Duration {
    /// Microseconds of this duration, rounded towards zero and clamped to what 64 bits hold.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else {
            return seconds < 0 ? .min : .max
        }
        return scaled.addingClamped(attoseconds / 1_000_000_000_000)
    }
}

extension FixedWidthInteger {
    /// The sum, or the nearest representable value.
    func addingClamped(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else {
            return sum
        }
        return other < 0 ? .min : .max
    }

    /// The difference, or the nearest representable value.
    func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else {
            return difference
        }
        return other < 0 ? .max : .min
    }
}
