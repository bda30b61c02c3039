import Glibc
import Values

/// Valid only until the next line is read.
typealias LineBytes = UnsafeRawBufferPointer

extension LineBytes {
    static var nothing: LineBytes { LineBytes(start: nil, count: 0) }

    /// `nothing` for an invalid or empty range.
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> LineBytes {
        guard let baseAddress, start >= 0, start < end, end <= count else { return .nothing }
        return LineBytes(start: baseAddress + start, count: end - start)
    }

    @inline(__always)
    func part(from start: Int) -> LineBytes { part(start, count) }

    /// Includes empty parts.
    @inline(__always)
    func parts(between separator: UInt8) -> LineParts { LineParts(self, separator) }

    @inline(__always)
    func place(of byte: UInt8, from start: Int = 0) -> Int? {
        guard let baseAddress, start >= 0, start < count,
            let found = memchr(baseAddress + start, Int32(byte), count - start)
        else { return nil }
        return baseAddress.distance(to: UnsafeRawPointer(found))
    }

    func place(of text: StaticString, from start: Int = 0) -> Int? {
        var start = start
        while let next = place(of: text.utf8Start.pointee, from: start) {
            if matches(text, at: next) { return next }
            start = next + 1
        }
        return nil
    }

    /// Skips quotes after a backslash.
    @inline(__always)
    func closingQuote(from start: Int) -> Int? {
        var place = start
        while let quote = self.place(of: UInt8(ascii: "\""), from: place) {
            var slashes = 0
            while quote - slashes > start, self[quote - slashes - 1] == UInt8(ascii: "\\") { slashes += 1 }
            if slashes.isMultiple(of: 2) { return quote }
            place = quote + 1
        }
        return nil
    }

    func contains(_ text: StaticString) -> Bool { place(of: text) != nil }

    @inline(__always)
    func begins(with text: StaticString) -> Bool { matches(text, at: 0) }

    @inline(__always)
    func ends(with text: StaticString) -> Bool { matches(text, at: count - text.utf8CodeUnitCount) }

    @inline(__always)
    func isEqual(to text: StaticString) -> Bool { count == text.utf8CodeUnitCount && begins(with: text) }

    @inline(__always)
    func isEqual(to other: [UInt8]) -> Bool {
        guard count == other.count, let baseAddress else { return isEmpty && other.isEmpty }
        return memcmp(baseAddress, other, count) == 0
    }

    @inline(__always)
    func matches(_ text: StaticString, at place: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard let baseAddress, place >= 0, place + length <= count else { return false }
        return memcmp(baseAddress + place, text.utf8Start, length) == 0
    }

    /// Ignores case.
    func isName(_ lower: [UInt8]) -> Bool {
        count == lower.count && indices.allSatisfy { self[$0].lowercasedASCII == lower[$0] }
    }

    var trimmed: LineBytes {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D { end -= 1 }
        return part(start, end)
    }

    /// Logs write `-` for no value.
    var isAbsent: Bool { isEmpty || count == 1 && self[0] == UInt8(ascii: "-") }

    /// At most 18 digits; nil for any other text.
    var wholeNumber: Int64? {
        guard (1...18).contains(count) else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int64(byte &- 0x30)
        }
        return number
    }
}

struct LineParts: Sequence, IteratorProtocol {
    private let text: LineBytes
    private let separator: UInt8
    private var start = 0

    init(_ text: LineBytes, _ separator: UInt8) { (self.text, self.separator) = (text, separator) }

    @inline(__always)
    mutating func next() -> LineBytes? {
        guard start <= text.count else { return nil }
        let end = text.place(of: separator, from: start) ?? text.count
        defer { start = end + 1 }
        return text.part(start, end)
    }
}

/// Milliseconds since the Unix epoch.
enum LogStamp {
    /// 2000 to 2099.
    private static let years: Range<Int64> = 946_684_800_000..<4_102_444_800_000

    /// Seconds of the epoch with or without a fraction; its milliseconds, microseconds or nanoseconds, by the number of digits;
    /// ISO 8601; HTTP dates; the form of the common log format.
    static func milliseconds(_ text: LineBytes) -> Int64? {
        guard text.count >= 10 else { return nil }
        // `Mon, 23 Nov 2026 20:04:23 GMT` (RFC 9110 section 5.6.7).
        guard text[0].isDigit else { return text.matches(", ", at: 3) ? dayFirst(text.part(from: 5)) : nil }
        if text[2] == UInt8(ascii: "/") { return dayFirst(text) }
        if let stamp = epoch(text) { return stamp }
        // `%Z` of strftime.
        let isNamed = text.ends(with: "UTC") || text.ends(with: "GMT")
        let bare = isNamed ? text.part(0, text.count - 3).trimmed : text
        guard bare.count > 10, bare[10] == UInt8(ascii: " ") else { return sensible(WallTime.parse(bare)) }
        return milliseconds(date: bare.part(0, 10), time: bare.part(from: 11))
    }

    /// UTC.
    static func milliseconds(date: LineBytes, time: LineBytes) -> Int64? {
        iso8601(date.part(0, 4), date.part(5, 7), date.part(8, date.count), time, .nothing)
    }

    /// `23/Nov/2026:20:04:23 +0100`, or with spaces between its parts and `GMT` at its end.
    private static func dayFirst(_ text: LineBytes) -> Int64? {
        guard text.count >= 24, text[2] == text[6], text[20] == UInt8(ascii: " "),
            let month = month(text.part(3, 6))
        else { return nil }
        let zone = text.part(from: 21)
        guard zone.count == 5 || zone.isEqual(to: "GMT") else { return nil }
        return iso8601(text.part(7, 11), month, text.part(0, 2), text.part(12, 20), zone.count == 5 ? zone : .nothing)
    }

    /// Two digits, from an English abbreviation.
    private static func month(_ name: LineBytes) -> LineBytes? {
        let names: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
        let numbers: StaticString = "010203040506070809101112"
        guard let start = name.baseAddress,
            let month = (0..<12).first(where: { memcmp(names.utf8Start + $0 * 3, start, 3) == 0 })
        else { return nil }
        return LineBytes(start: numbers.utf8Start + month * 2, count: 2)
    }

    private static func iso8601(
        _ year: LineBytes,
        _ month: LineBytes,
        _ day: LineBytes,
        _ time: LineBytes,
        _ zone: LineBytes
    ) -> Int64? {
        guard year.count == 4, month.count == 2, day.count == 2, time.count <= 24, zone.count <= 5 else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(40)
        text += year
        text.append(UInt8(ascii: "-"))
        text += month
        text.append(UInt8(ascii: "-"))
        text += day
        text.append(UInt8(ascii: "T"))
        text += time
        text += zone
        return text.withUnsafeBytes { sensible(WallTime.parse($0)) }
    }

    private static func epoch(_ text: LineBytes) -> Int64? {
        let point = text.place(of: UInt8(ascii: ".")) ?? text.count
        let whole = text.part(0, point)
        switch whole.count {
        case ...10:
            let fraction = point == text.count ? 0 : thousandths(text.part(from: point + 1))
            guard let seconds = whole.wholeNumber, let fraction else { return nil }
            return sensible(seconds * 1000 + fraction)
        case 13, 16, 19:
            guard whole.count == 13 || whole.part(from: 13).wholeNumber != nil else { return nil }
            return whole.part(0, 13).wholeNumber.flatMap { sensible($0) }
        default: return nil
        }
    }

    private static func thousandths(_ digits: LineBytes) -> Int64? {
        guard digits.wholeNumber != nil, let first = digits.part(0, min(3, digits.count)).wholeNumber else {
            return nil
        }
        return [0, 100, 10, 1][min(3, digits.count)] * first
    }

    private static func sensible(_ time: WallTime?) -> Int64? { time.flatMap { sensible($0.microseconds / 1000) } }

    private static func sensible(_ milliseconds: Int64) -> Int64? {
        years.contains(milliseconds) ? milliseconds : nil
    }
}
