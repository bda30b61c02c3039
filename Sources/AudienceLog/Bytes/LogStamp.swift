import Time

/// Reads the instants that logs write, in milliseconds since the Unix epoch.
enum LogStamp {
    /// The years 2000 to 2099: a stamp outside of them is a mistake.
    private static let sensible: Range<Int64> = 946_684_800_000..<4_102_444_800_000

    /// Reads an instant in any of the forms that logs have.
    ///
    /// Seconds of the epoch with or without a fraction, its milliseconds, microseconds or nanoseconds by their number of
    /// digits, ISO 8601, the form of HTTP dates, and that of the common log format.
    ///
    /// - Parameter text: The field's value.
    /// - Returns: Nil where it is none of these.
    static func milliseconds(_ text: LineBytes) -> Int64? {
        guard text.count >= 10 else { return nil }
        if LineBytes.isDigit(text[0]) {
            if text[2] == UInt8(ascii: "/") {
                var clock = CommonLogClock()
                return clock.milliseconds(text)
            }
            return epoch(text) ?? iso8601(text)
        }
        return httpDate(text)
    }

    /// Milliseconds of a day and a time of day that stand in two fields, in UTC.
    static func milliseconds(date: LineBytes, time: LineBytes) -> Int64? {
        guard date.count == 10, date[4] == UInt8(ascii: "-"), date[7] == UInt8(ascii: "-"),
            let year = date.part(0, 4).wholeNumber, let month = date.part(5, 7).wholeNumber,
            let day = date.part(8, 10).wholeNumber, let ofDay = timeOfDay(time)
        else { return nil }
        return milliseconds(CalendarDate(year: year, month: month, day: day), ofDay)
    }

    static func milliseconds(_ date: CalendarDate, _ ofDay: Int64) -> Int64? {
        guard date.isValid, (1970...2099).contains(date.year) else { return nil }
        return checked(date.daysSinceEpoch * 86_400_000 + ofDay)
    }

    /// `20:04:23`, perhaps with a fraction.
    static func timeOfDay(_ text: LineBytes) -> Int64? {
        guard text.count >= 8, text[2] == UInt8(ascii: ":"), text[5] == UInt8(ascii: ":"),
            let hour = text.part(0, 2).wholeNumber, let minute = text.part(3, 5).wholeNumber,
            let second = text.part(6, 8).wholeNumber, hour < 24, minute < 60, second <= 60
        else { return nil }
        let whole = ((hour * 60 + minute) * 60 + second) * 1000
        guard text.count > 8 else { return whole }
        guard text[8] == UInt8(ascii: "."), let fraction = thousandths(text.part(from: 9)) else { return nil }
        return whole + fraction
    }

    static func checked(_ milliseconds: Int64) -> Int64? { sensible.contains(milliseconds) ? milliseconds : nil }

    private static func epoch(_ text: LineBytes) -> Int64? {
        let point = text.place(of: UInt8(ascii: "."))
        let whole = text.part(0, point ?? text.count)
        guard whole.count <= 18, let number = whole.wholeNumber else {
            guard point == nil, text.count == 19, let number = text.part(0, 13).wholeNumber,
                text.part(13, 19).wholeNumber != nil
            else { return nil }
            return checked(number)
        }
        switch whole.count {
        case 13: return checked(number)
        case 16: return checked(number / 1000)
        default:
            guard whole.count <= 10 else { return nil }
            guard let point else { return checked(number * 1000) }
            guard let fraction = thousandths(text.part(from: point + 1)) else { return nil }
            return checked(number * 1000 + fraction)
        }
    }

    /// The first three digits of a fraction, as thousandths.
    private static func thousandths(_ digits: LineBytes) -> Int64? {
        guard (1...18).contains(digits.count), digits.wholeNumber != nil,
            let first = digits.part(0, min(3, digits.count)).wholeNumber
        else { return nil }
        return [0, 100, 10, 1][min(3, digits.count)] * first
    }

    private static func iso8601(_ text: LineBytes) -> Int64? {
        // What `%Z` of strftime writes.
        let isNamed = text.ends(with: "UTC") || text.ends(with: "GMT")
        let bare = isNamed ? text.part(0, text.count - 3).trimmed : text
        if let time = WallTime.parse(bare) { return checked(floorDivided(time.microseconds, 1000)) }
        guard bare.count >= 19, bare[10] == UInt8(ascii: " ") else { return nil }
        return milliseconds(date: bare.part(0, 10), time: bare.part(from: 11))
    }

    /// `Mon, 23 Nov 2026 20:04:23 GMT` (RFC 9110 section 5.6.7).
    private static func httpDate(_ text: LineBytes) -> Int64? {
        guard text.count == 29, text.ends(with: " GMT"), text[3] == UInt8(ascii: ","),
            let day = text.part(5, 7).wholeNumber, let month = month(text.part(8, 11)),
            let year = text.part(12, 16).wholeNumber, let ofDay = timeOfDay(text.part(17, 25))
        else { return nil }
        return milliseconds(CalendarDate(year: year, month: month, day: day), ofDay)
    }

    /// The number of a month by its English abbreviation.
    static func month(_ name: LineBytes) -> Int64? {
        let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        let all = LineBytes(start: names.utf8Start, count: names.utf8CodeUnitCount)
        guard name.count == 3 else { return nil }
        return (0..<12).first { all.part($0 * 3, $0 * 3 + 3).elementsEqual(name) }.map { Int64($0 + 1) }
    }

    static func floorDivided(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// Reads `23/Nov/2026:20:04:23 +0100`; the day is the same for many lines, and its reckoning is kept.
struct CommonLogClock {
    private var dayText: (UInt64, UInt64) = (0, 0)
    private var dayMilliseconds: Int64 = 0

    mutating func milliseconds(_ text: LineBytes) -> Int64? {
        guard text.count == 26, text[11] == UInt8(ascii: ":"), let ofDay = LogStamp.timeOfDay(text.part(12, 20)),
            let zone = Self.zone(text.part(21, 26))
        else { return nil }
        // Eleven bytes in two words that overlap.
        let key = (
            text.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
            text.loadUnaligned(fromByteOffset: 3, as: UInt64.self)
        )
        if key != dayText {
            guard let day = Self.day(text.part(0, 11)) else { return nil }
            dayText = key
            dayMilliseconds = day
        }
        return LogStamp.checked(dayMilliseconds + ofDay - zone)
    }

    private static func day(_ text: LineBytes) -> Int64? {
        guard text[2] == UInt8(ascii: "/"), text[6] == UInt8(ascii: "/"), let day = text.part(0, 2).wholeNumber,
            let month = LogStamp.month(text.part(3, 6)), let year = text.part(7, 11).wholeNumber
        else { return nil }
        return LogStamp.milliseconds(CalendarDate(year: year, month: month, day: day), 0)
    }

    /// Milliseconds east of UTC.
    private static func zone(_ text: LineBytes) -> Int64? {
        guard let hours = text.part(1, 3).wholeNumber, let minutes = text.part(3, 5).wholeNumber, minutes < 60 else {
            return nil
        }
        let offset = (hours * 60 + minutes) * 60_000
        switch text[0] {
        case UInt8(ascii: "+"): return offset
        case UInt8(ascii: "-"): return -offset
        default: return nil
        }
    }
}
