import Glibc

/// Bytes of a log, held by the block that they came in for as long as their line is looked at.
typealias LineBytes = UnsafeRawBufferPointer

extension LineBytes {
    static var nothing: LineBytes { LineBytes(start: nil, count: 0) }

    /// The bytes from one place to before another; nothing where there are none.
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> LineBytes {
        guard let baseAddress, start >= 0, start < end, end <= count else { return .nothing }
        return LineBytes(start: baseAddress + start, count: end - start)
    }

    @inline(__always)
    func part(from start: Int) -> LineBytes { part(start, count) }

    /// Where a byte stands first, at a place or behind it.
    @inline(__always)
    func place(of byte: UInt8, from start: Int = 0) -> Int? {
        guard let baseAddress, start >= 0, start < count,
            let found = memchr(baseAddress + start, Int32(byte), count - start)
        else { return nil }
        return baseAddress.distance(to: UnsafeRawPointer(found))
    }

    /// Where a text stands first, at a place or behind it.
    func place(of text: StaticString, from start: Int = 0) -> Int? {
        let length = text.utf8CodeUnitCount
        guard let baseAddress, length > 0 else { return nil }
        let first = text.utf8Start.pointee
        var place = start
        while let next = self.place(of: first, from: place), next + length <= count {
            if memcmp(baseAddress + next, text.utf8Start, length) == 0 { return next }
            place = next + 1
        }
        return nil
    }

    func contains(_ text: StaticString) -> Bool { place(of: text) != nil }

    @inline(__always)
    func isEqual(to text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && begins(with: text)
    }

    @inline(__always)
    func isEqual(to other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        guard let baseAddress else { return true }
        return other.withUnsafeBytes { $0.baseAddress.map { memcmp(baseAddress, $0, count) == 0 } ?? true }
    }

    @inline(__always)
    func begins(with text: StaticString) -> Bool { matches(text, at: 0) }

    @inline(__always)
    func ends(with text: StaticString) -> Bool { matches(text, at: count - text.utf8CodeUnitCount) }

    @inline(__always)
    func matches(_ text: StaticString, at place: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard let baseAddress, place >= 0, place + length <= count else { return false }
        return memcmp(baseAddress + place, text.utf8Start, length) == 0
    }

    /// Whether it is a name that is given in lower case, whatever its own case.
    func isName(_ lower: [UInt8]) -> Bool {
        guard count == lower.count else { return false }
        for place in 0..<count where Self.lower(self[place]) != lower[place] { return false }
        return true
    }

    /// The text without spaces and tabs around it.
    var trimmed: LineBytes {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D { end -= 1 }
        return part(start, end)
    }

    /// What logs write where a field has no value.
    var isAbsent: Bool { isEmpty || count == 1 && self[0] == UInt8(ascii: "-") }

    /// The number that all of it writes in at most 18 digits.
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
