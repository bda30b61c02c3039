extension WallTime {
    /// Parses an ISO 8601 date and time of a playlist.
    ///
    /// Accepts `Z`, `+hh:mm`, `+hhmm` and `+hh`; a missing zone means UTC (bis-22 section 4.4.4.6). Up to nine digits of a
    /// second are accepted, those past the microsecond are dropped. A leap second becomes the second after it.
    public init?(iso8601 bytes: some Collection<UInt8>) {
        let parsed =
            bytes.withContiguousStorageIfAvailable { WallTime.parse(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { WallTime.parse($0) }
        guard let parsed else {
            return nil
        }
        self = parsed
    }

    /// Parses text by the rules for bytes.
    public init?(iso8601 text: String) {
        self.init(iso8601: text.utf8)
    }

    /// Parses bytes in place; nil if they are not a date and time.
    public static func parse(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
        parseUsual(bytes) ?? parseAny(bytes)
    }

    /// Parses `2026-11-21T20:00:00.000Z`, the form of nearly every date of a playlist; nil for other forms.
    ///
    /// Reads eight bytes at a time: a live playlist has a date for each segment, and each version of it is read twice.
    private static func parseUsual(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
        guard bytes.count == 24,
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

    /// Returns the values of the digits in eight bytes, with 0 in place of separators; nil if a byte is neither as expected.
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

    /// Combines each digit with the next one into a two-digit number, in the place of the first.
    private static func pairs(_ digits: UInt64) -> UInt64 { digits &* 10 &+ digits >> 8 }

    private static func byte(_ bytes: UInt64, _ place: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: bytes >> (place &* 8) & 0xFF)
    }

    private static func parseAny(_ bytes: UnsafeRawBufferPointer) -> WallTime? {
        guard bytes.count >= 19,
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
        else {
            return nil
        }
        var invalid = false
        let year = pair(bytes, 0, &invalid) * 100 + pair(bytes, 2, &invalid)
        let date = CalendarDate(year: year, month: pair(bytes, 5, &invalid), day: pair(bytes, 8, &invalid))
        let hour = pair(bytes, 11, &invalid)
        let minute = pair(bytes, 14, &invalid)
        let second = pair(bytes, 17, &invalid)
        guard !invalid, date.isValid, hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        var index = 19
        guard let fraction = fraction(bytes, &index), let offset = zoneOffsetSeconds(bytes, index) else {
            return nil
        }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second - offset
        guard representableSeconds.contains(seconds) else {
            return nil
        }
        return WallTime(microseconds: seconds * 1_000_000 + fraction)
    }

    /// Years 0 to 9999 in UTC, so that each parsed instant can be written again.
    private static let representableSeconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Parses two decimal digits; sets `invalid` if one is not a digit.
    private static func pair(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ invalid: inout Bool) -> Int64 {
        let tens = bytes[index] &- UInt8(ascii: "0")
        let units = bytes[index + 1] &- UInt8(ascii: "0")
        invalid = invalid || tens > 9 || units > 9
        return Int64(tens) &* 10 &+ Int64(units)
    }

    /// Microseconds of an optional fraction at `index`, which moves past it; nil if malformed.
    private static func fraction(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ",") else {
            return 0
        }
        index += 1
        let start = index
        let microseconds = DecimalFraction.millionths(bytes, &index, end: bytes.count)
        return (1...9).contains(index - start) ? microseconds : nil
    }

    /// Seconds east of UTC of the zone that fills the rest of the text; nil if malformed.
    private static func zoneOffsetSeconds(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int64? {
        let left = bytes.count - index
        guard left > 0 else {
            return 0
        }
        let sign = bytes[index]
        if sign | 0x20 == UInt8(ascii: "z") {
            return left == 1 ? 0 : nil
        }
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
        guard !invalid, hours < 24, minutes < 60 else {
            return nil
        }
        let offset = hours * 3_600 + minutes * 60
        return sign == UInt8(ascii: "-") ? -offset : offset
    }

    /// ISO 8601 in UTC with milliseconds, or with microseconds if they are not zero.
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

    private static func padded(_ value: Int64, _ width: Int) -> String {
        String(value).leftPadded(to: width)
    }
}
