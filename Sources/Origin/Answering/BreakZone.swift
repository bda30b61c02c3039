import HLS

/// Assigns an instant to the break with the nearest start, by computation and not by counting.
struct BreakZone: Sendable {
    struct Place: Sendable, Equatable {
        let start: WallTime
        /// 1 for the first break that starts after the origin did; earlier ones are below 1.
        let number: Int
        var key: String { start.iso8601 }
    }

    private let intervalMicroseconds: Int64
    private let offsetMicroseconds: Int64
    private let firstIndex: Int64

    /// Nil for a channel without breaks.
    init?(_ configuration: OriginConfiguration, started: WallTime) {
        guard configuration.breakInterval > .zero else { return nil }
        intervalMicroseconds = configuration.breakInterval.wholeMicroseconds
        offsetMicroseconds = configuration.breakOffset.wholeMicroseconds
        let before = started.microseconds - offsetMicroseconds
        firstIndex = Self.floor(before + intervalMicroseconds - 1, by: intervalMicroseconds)
    }

    func place(at now: WallTime) -> Place {
        let shifted = now.microseconds - offsetMicroseconds + intervalMicroseconds / 2
        let index = Self.floor(shifted, by: intervalMicroseconds)
        return Place(
            start: WallTime(microseconds: index * intervalMicroseconds + offsetMicroseconds),
            number: Int(index - firstIndex + 1)
        )
    }

    private static func floor(_ value: Int64, by step: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: step)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
