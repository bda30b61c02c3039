import Glibc

/// Bytes of a log, valid only until the next line is read.
typealias LineBytes = UnsafeRawBufferPointer

extension LineBytes {
    static var nothing: LineBytes { LineBytes(start: nil, count: 0) }

    /// Bytes in `start..<end`; `nothing` for an invalid or empty range.
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> LineBytes {
        guard let baseAddress, start >= 0, start < end, end <= count else { return .nothing }
        return LineBytes(start: baseAddress + start, count: end - start)
    }

    @inline(__always)
    func part(from start: Int) -> LineBytes { part(start, count) }

    /// Parts between separators, including empty ones.
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
        let length = text.utf8CodeUnitCount
        // Every text searched for has at least two bytes.
        let second = text.utf8Start[1]
        var start = start
        while let next = place(of: text.utf8Start.pointee, from: start) {
            if count - next >= length, self[next + 1] == second, matches(text, at: next) { return next }
            start = next + 1
        }
        return nil
    }

    /// Offset of the quote that ends a string; a quote after a backslash belongs to the string.
    @inline(__always)
    func closingQuote(from start: Int) -> Int? {
        var place = start
        while let quote = self.place(of: UInt8(ascii: "\""), from: place) {
            if quote == start || self[quote - 1] != UInt8(ascii: "\\") { return quote }
            var slashes = 1
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

    /// Whether the bytes equal a name, given in lower case, regardless of case.
    func isName(_ lower: [UInt8]) -> Bool {
        count == lower.count && indices.allSatisfy { Self.lower(self[$0]) == lower[$0] }
    }

    var trimmed: LineBytes {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D { end -= 1 }
        return part(start, end)
    }

    /// Whether a field is empty or `-`, which logs write for no value.
    var isAbsent: Bool { isEmpty || count == 1 && self[0] == UInt8(ascii: "-") }

    /// Decimal number of at most 18 digits; nil for any other text.
    var wholeNumber: Int64? {
        guard (1...18).contains(count) else { return nil }
        var number: Int64 = 0
        for byte in self {
            guard Self.isDigit(byte) else { return nil }
            number = number * 10 + Int64(byte &- 0x30)
        }
        return number
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

struct LineParts: Sequence, IteratorProtocol {
    private let text: LineBytes
    private let separator: UInt8
    private var start = 0

    init(_ text: LineBytes, _ separator: UInt8) {
        self.text = text
        self.separator = separator
    }

    @inline(__always)
    mutating func next() -> LineBytes? {
        guard start <= text.count else { return nil }
        let end = text.place(of: separator, from: start) ?? text.count
        defer { start = end + 1 }
        return text.part(start, end)
    }
}
