/// Instant in UTC with microsecond resolution.
///
/// Arithmetic clamps at about 292,000 years either side of 1970, so that no date of a playlist can trap.
public struct WallTime: Codable, Hashable, Comparable, Sendable {
    /// Since the Unix epoch.
    public var microseconds: Int64

    /// Time after the Unix epoch.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Orders by time.
    public static func < (left: WallTime, right: WallTime) -> Bool { left.microseconds < right.microseconds }

    /// Clamps.
    public static func + (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.addingClamped(duration.wholeMicroseconds))
    }

    /// Clamps.
    public static func - (time: WallTime, duration: Duration) -> WallTime {
        WallTime(microseconds: time.microseconds.subtractingClamped(duration.wholeMicroseconds))
    }

    /// Negative if `earlier` is later.
    public func duration(since earlier: WallTime) -> Duration {
        .microseconds(microseconds.subtractingClamped(earlier.microseconds))
    }

    /// Rounded down.
    public var epochSeconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// ISO 8601 text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = WallTime(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 date and time")
        }
        self = time
    }

    /// ISO 8601 text, readable in a result document.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }

    /// Accepts `Z`, `+hh:mm`, `+hhmm` and `+hh`; a missing zone means UTC (bis-22 section 4.4.4.6).
    ///
    /// Digits past the microsecond are dropped. A leap second becomes the second after it, and 24:00 the next day's midnight.
    public init?(iso8601 bytes: some Collection<UInt8>) {
        let parsed =
            bytes.withContiguousStorageIfAvailable { WallTime.parse(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { WallTime.parse($0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Text by the rules for bytes.
    public init?(iso8601 text: String) { self.init(iso8601: text.utf8) }

    /// Follows the rules of ``init(iso8601:)``, in place.
    public static func parse(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
        parseUsual(bytes) ?? parseWhole(bytes) ?? parseRare(bytes)
    }

    private static let usualLength = 24

    /// Whether a valid date has the form `2026-11-21T20:00:00.000Z`.
    package static func isUsual(_ date: UnsafeRawBufferPointer) -> Bool {
        date.count == usualLength && date[7] == UInt8(ascii: "-") && date[16] == UInt8(ascii: ":")
            && date[23] == UInt8(ascii: "Z")
    }

    /// `2026-11-21T20:00:00.000Z`, the form of nearly every date of a playlist, read eight bytes at a time.
    private static func parseUsual(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
        guard bytes.count == usualLength,
            let days = digits(bytes, 0, marks: 0x2D00_002D_0000_0000),
            let times = digits(bytes, 8, marks: 0x0000_3A00_0054_0000),
            let rest = digits(bytes, 16, marks: 0x5A00_0000_2E00_003A)
        else { return nil }
        let (dayPairs, timePairs, restPairs) = (pairs(days), pairs(times), pairs(rest))
        let (hour, minute, second) = (byte(timePairs, 3), byte(timePairs, 6), byte(restPairs, 1))
        let year = byte(dayPairs, 0) &* 100 &+ byte(dayPairs, 2)
        let date = CalendarDate(year: year, month: byte(dayPairs, 5), day: byte(timePairs, 0))
        guard date.isValid, hour < 24, minute < 60, second <= 60 else { return nil }
        let seconds = date.daysSinceEpoch &* 86_400 &+ hour &* 3_600 &+ minute &* 60 &+ second
        guard representableSeconds.contains(seconds) else { return nil }
        let milliseconds = byte(rest, 4) &* 100 &+ byte(restPairs, 5)
        return WallTime(microseconds: seconds &* 1_000_000 &+ milliseconds &* 1_000)
    }

    /// Digits' values, and 0 for separators; nil if a byte is neither a digit nor the expected mark.
    ///
    /// `marks` holds the separators in their places, the first in the lowest byte, and 0 for digits.
    private static func digits(_ bytes: UnsafeRawBufferPointer, _ offset: Int, marks: UInt64) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let top = ones << 7
        // 1 in the place of each separator.
        let isMark = ((marks & ~top) &+ (top &- ones)) & top
        let zeros = (ones &* 0x30) & ~((isMark >> 7) &* 0xFF)
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ (marks | zeros)
        // Largest value that does not set the top bit: 9 for a digit, 0 for a separator.
        let room = (ones &* 0x76) &+ (isMark >> 7) &* 9
        return (word | (word &+ room)) & top == 0 ? word : nil
    }

    /// Two-digit numbers, in the place of the first digit.
    private static func pairs(_ digits: UInt64) -> UInt64 { digits &* 10 &+ digits >> 8 }

    private static func byte(_ bytes: UInt64, _ place: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: bytes >> (place &* 8) & 0xFF)
    }

    /// Players disagree about the instant of a date without a zone.
    package static func namesZone(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let last = bytes.last else { return false }
        return last | 0x20 == UInt8(ascii: "z")
            || bytes.dropFirst(9).contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    }

    /// True for `2026-03-01T10:00:00Z`; `20260301T100000Z` is of the basic format of ISO 8601.
    package static func isExtended(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > 4 && bytes[4] == UInt8(ascii: "-")
    }

    /// `2026-11-21T20:00:00`, with any fraction and zone.
    private static func parseWhole(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
        guard isExtended(bytes), bytes.count >= 19, bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
        else { return nil }
        var invalid = false
        let (year, month) = (pair(bytes, 0, &invalid) * 100 + pair(bytes, 2, &invalid), pair(bytes, 5, &invalid))
        let date = CalendarDate(year: year, month: month, day: pair(bytes, 8, &invalid))
        let clock = (pair(bytes, 11, &invalid), pair(bytes, 14, &invalid), pair(bytes, 17, &invalid))
        return invalid || !date.isValid ? nil : time(bytes, 19, on: date.daysSinceEpoch, clock)
    }

    /// Years 0 to 9999 in UTC, so that each parsed instant can be written again.
    private static let representableSeconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    private static func pair(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ invalid: inout Bool) -> Int64 {
        let tens = bytes[index] &- UInt8(ascii: "0")
        let units = bytes[index + 1] &- UInt8(ascii: "0")
        invalid = invalid || tens > 9 || units > 9
        return Int64(tens) &* 10 &+ Int64(units)
    }

    /// Microseconds; moves `index` past the fraction; nil if malformed.
    private static func fraction(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") else {
            return 0
        }
        index += 1
        let start = index
        let microseconds = DecimalFraction.millionths(bytes, &index, end: bytes.count)
        return index > start ? microseconds : nil
    }

    private static let longestRare = 64

    /// Rare forms of ISO 8601: the basic format, days of the year, week dates, and times to the hour or minute.
    private static func parseRare(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
        guard bytes.count <= longestRare, let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "t") }),
            let day = DatePart(bytes[..<mark]).daysSinceEpoch
        else { return nil }
        let clock = bytes[(mark + 1)...].prefix { $0 == UInt8(ascii: ":") || $0 &- UInt8(ascii: "0") <= 9 }
        let part = DatePart(clock)
        // Seconds of the last unit that is given, of which a fraction may follow.
        let unit: Int64
        switch part.shape {
        case "99": unit = 3_600
        case "99:99" where isExtended(bytes): unit = 60
        case "99:99:99" where isExtended(bytes): unit = 1
        case "9999" where !isExtended(bytes): unit = 60
        case "999999" where !isExtended(bytes): unit = 1
        default: return nil
        }
        let time = (part.number(0..<2), part.number(2..<4), part.number(4..<6))
        return Self.time(bytes, clock.endIndex, on: day, time, unit: unit)
    }

    /// A fraction of the `unit`, in seconds, and the zone follow at `index`; nil if these or the time of day are invalid.
    private static func time(
        _ bytes: UnsafeRawBufferPointer,
        _ index: Int,
        on day: Int64,
        _ clock: (hour: Int64, minute: Int64, second: Int64),
        unit: Int64 = 1
    ) -> WallTime? {
        var index = index
        guard clock.hour <= 24, clock.minute < 60, clock.second <= 60,
            let fraction = fraction(bytes, &index), let offset = zoneOffsetSeconds(bytes, index),
            clock.hour < 24 || clock.minute == 0 && clock.second == 0 && fraction == 0
        else { return nil }
        let seconds = day * 86_400 + clock.hour * 3_600 + clock.minute * 60 + clock.second - offset
        let time = WallTime(microseconds: seconds * 1_000_000 + fraction * unit)
        return representableSeconds.contains(time.epochSeconds) ? time : nil
    }

    /// East of UTC; the zone fills the rest of the text; nil if malformed.
    private static func zoneOffsetSeconds(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int64? {
        let left = bytes.count - index
        guard left > 0 else { return 0 }
        let sign = bytes[index]
        if sign | 0x20 == UInt8(ascii: "z") { return left == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), left == 3 || left == 5 || left == 6 else {
            return nil
        }
        var invalid = false
        let hours = pair(bytes, index + 1, &invalid)
        var minutes: Int64 = 0
        if left == 5 {
            minutes = pair(bytes, index + 3, &invalid)
        } else if left == 6 {
            invalid = invalid || bytes[index + 3] != UInt8(ascii: ":")
            minutes = pair(bytes, index + 4, &invalid)
        }
        guard !invalid, hours < 24, minutes < 60 else { return nil }
        let offset = hours * 3_600 + minutes * 60
        return sign == UInt8(ascii: "-") ? -offset : offset
    }

    /// UTC with milliseconds, or with microseconds if they are not zero.
    public var iso8601: String {
        let seconds = epochSeconds
        let fraction = microseconds &- seconds &* 1_000_000
        let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let secondOfDay = seconds - day * 86_400
        let date = CalendarDate(daysSinceEpoch: day)
        let year = date.year
        var text = (0...9_999).contains(year) ? "" : (year < 0 ? "-" : "+")
        text += Self.padded(abs(year), 4) + "-" + Self.padded(date.month, 2) + "-" + Self.padded(date.day, 2)
        text += "T" + Self.padded(secondOfDay / 3_600, 2) + ":" + Self.padded(secondOfDay / 60 % 60, 2)
        text += ":" + Self.padded(secondOfDay % 60, 2) + "."
        text += fraction % 1_000 == 0 ? Self.padded(fraction / 1_000, 3) : Self.padded(fraction, 6)
        return text + "Z"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String { String(value).leftPadded(to: width) }
}

/// A date or a time of day by its shape, with `9` in place of each digit.
private struct DatePart {
    let shape: String
    private let digits: [Int64]

    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        let isDigit = { (byte: UInt8) in byte &- UInt8(ascii: "0") <= 9 }
        shape = String(decoding: bytes.map { isDigit($0) ? UInt8(ascii: "9") : $0 }, as: UTF8.self)
        digits = bytes.filter(isDigit).map { Int64($0 &- UInt8(ascii: "0")) }
    }

    func number(_ range: Range<Int>) -> Int64 {
        range.upperBound <= digits.count ? digits[range].reduce(0) { $0 * 10 + $1 } : 0
    }

    /// Since 1970, of a calendar date, a day of the year or a week date.
    var daysSinceEpoch: Int64? {
        let year = number(0..<4)
        let january = { (day: Int64) in CalendarDate(year: year, month: 1, day: day).daysSinceEpoch }
        switch shape {
        case "9999-99-99", "99999999":
            let date = CalendarDate(year: year, month: number(4..<6), day: number(6..<8))
            return date.isValid ? date.daysSinceEpoch : nil
        case "9999-999", "9999999":
            let days = january(number(4..<7))
            return CalendarDate(daysSinceEpoch: days).year == year ? days : nil
        case "9999-W99-9", "9999W999":
            // The first week is that of 4 January; 1970 began on a Thursday.
            let weekday = number(6..<7)
            let monday = january(4) - ((january(4) + 3) % 7 + 7) % 7 + (number(4..<6) - 1) * 7
            guard (1...7).contains(weekday), CalendarDate(daysSinceEpoch: monday + 3).year == year else { return nil }
            return monday + weekday - 1
        default: return nil
        }
    }
}

/// Conversion counts in eras of 400 years that begin on 1 March, so that leap days fall at the end of a year.
package struct CalendarDate: Equatable {
    package var year: Int64
    package var month: Int64
    package var day: Int64

    private static let daysPerEra: Int64 = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let epochOffset: Int64 = 719_468

    package init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

    package init(daysSinceEpoch days: Int64) {
        let shifted = days + Self.epochOffset
        let era = (shifted >= 0 ? shifted : shifted - (Self.daysPerEra - 1)) / Self.daysPerEra
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// For a valid date with a year from 0 to 9999.
    package var daysSinceEpoch: Int64 {
        // Counts from one era before the year 0: unsigned divisions are cheaper, and a playlist has dozens of dates.
        let isBeforeMarch = month <= 2
        let years = UInt32(truncatingIfNeeded: isBeforeMarch ? year &+ 399 : year &+ 400)
        let months = UInt32(truncatingIfNeeded: isBeforeMarch ? month &+ 9 : month &- 3)
        let centuries = years / 100
        let days = years &* 365 &+ years / 4 &- centuries &+ centuries / 4 &+ (months &* 153 &+ 2) / 5
        return Int64(days) &+ day &- 1 &- Self.daysPerEra &- Self.epochOffset
    }

    package var isValid: Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        guard day > 28 else { return true }
        switch month {
        case 2:
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return day <= (isLeap ? 29 : 28)
        case 4, 6, 9, 11:
            return day <= 30
        default:
            return day <= 31
        }
    }
}

/// Digits after a decimal point.
public enum DecimalFraction {
    /// Moves `index` past the digits; those after the sixth are ignored.
    @inlinable
    public static func millionths(_ bytes: UnsafeRawBufferPointer, _ index: inout Int, end: Int) -> Int64 {
        let start = index
        var value: Int64 = 0
        let counted = Swift.min(end, start &+ 6)
        while index < counted, case let digit = bytes[index] &- UInt8(ascii: "0"), digit <= 9 {
            value = value &* 10 &+ Int64(digit)
            index &+= 1
        }
        if index == counted { while index < end, bytes[index] &- UInt8(ascii: "0") <= 9 { index &+= 1 } }
        // One division by ten for each digit would cost more than the rest.
        switch index &- start {
        case 0: return 0
        case 1: return value &* 100_000
        case 2: return value &* 10_000
        case 3: return value &* 1_000
        case 4: return value &* 100
        case 5: return value &* 10
        default: return value
        }
    }
}
