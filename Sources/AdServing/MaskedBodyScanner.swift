import Glibc

/// One pass over a body that hashes the runs of bytes between stream ids.
struct MaskedBodyScanner {
    private let body: UnsafeRawBufferPointer
    private let own: [UInt8]
    private var hash = RunHash()
    private var foreign: String?

    init(body: UnsafeRawBufferPointer, own: StreamID) {
        self.body = body
        self.own = Array(own.rawValue.utf8)
    }

    mutating func scan() -> (hash: UInt64, foreign: String?) {
        let first = own.first ?? 0
        let canStartEncoded = !own.isEmpty && !PercentEncoding.isUnreserved(first)
        var runStart = 0
        var index = 0
        while index < body.count {
            let byte = body[index]
            var masked: Range<Int>?
            if byte == UInt8(ascii: "s") {
                masked = markedID(at: index)
            }
            if masked == nil, byte == first || (canStartEncoded && byte == UInt8(ascii: "%")), !own.isEmpty {
                masked = ownEnd(from: index).map { index..<$0 }
            }
            guard let masked else {
                index += 1
                continue
            }
            hash.add(UnsafeRawBufferPointer(rebasing: body[runStart..<masked.lowerBound]))
            runStart = masked.upperBound
            index = masked.upperBound
        }
        hash.add(UnsafeRawBufferPointer(rebasing: body[runStart..<body.count]))
        return (hash.value, foreign)
    }

    private static let parameter: StaticString = "stream_id="

    /// Whether the parameter stands anywhere in the body.
    var hasParameter: Bool {
        guard let base = body.baseAddress else { return false }
        var position = 0
        // Few bytes of a playlist are underscores.
        while let found = memchr(base + position, Int32(UInt8(ascii: "_")), body.count - position) {
            let place = UnsafeRawPointer(found) - base
            if place >= 6, starts(with: Self.parameter, at: place - 6) {
                return true
            }
            position = place + 1
        }
        return false
    }

    /// The end of the viewer's own id, if a spelling of it begins here.
    private func ownEnd(from start: Int) -> Int? {
        var index = start
        for expected in own {
            guard index < body.count else {
                return nil
            }
            if body[index] == expected {
                index += 1
            } else if body[index] == UInt8(ascii: "%"), let (byte, end) = escape(at: index), byte == expected {
                index = end
            } else {
                return nil
            }
        }
        return index
    }

    /// The byte an escape stands for, also where the percent sign is itself encoded, and where the escape ends.
    private func escape(at start: Int) -> (byte: UInt8, end: Int)? {
        var index = start + 1
        while index + 1 < body.count, body[index] == UInt8(ascii: "2"), body[index + 1] == UInt8(ascii: "5"),
            index + 3 < body.count
        {
            index += 2
        }
        guard index + 1 < body.count,
            let high = PercentEncoding.hexDigit(body[index]), let low = PercentEncoding.hexDigit(body[index + 1])
        else {
            return nil
        }
        return (high << 4 | low, index + 2)
    }

    /// The id to be masked after a marker whose `s` is at `index`.
    ///
    /// Notes an id that is not the viewer's own.
    private mutating func markedID(at index: Int) -> Range<Int>? {
        let isParameter = starts(with: Self.parameter, at: index) && (index == 0 || !isNameByte(body[index - 1]))
        let isPathPiece = !isParameter && starts(with: "stream/", at: index) && index > 0 && body[index - 1] == slash
        guard isParameter || isPathPiece else {
            return nil
        }
        let start = index + (isParameter ? 10 : 7)
        var end = start
        while end < body.count, !isDelimiter(body[end]) {
            end += 1
        }
        guard end > start else {
            return nil
        }
        guard ownEnd(from: start) != end else {
            return start..<end
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: body[start..<end]), as: UTF8.self)
        let id = Array(PercentEncoding.decode(text).utf8)
        guard isParameter ? !isPlaceholder(id) : hasOwnShape(id) else {
            return nil
        }
        foreign = foreign ?? String(decoding: id, as: UTF8.self)
        return start..<end
    }

    /// Whether the text is a variable that the client is to replace, `{$name}` (bis-22 section 4.3), or a template's.
    private func isPlaceholder(_ id: [UInt8]) -> Bool {
        id.first == UInt8(ascii: "{") || id.first == UInt8(ascii: "[")
    }

    /// Whether the text has the own id's length and punctuation, so that an ordinary path piece is not taken for an id.
    private func hasOwnShape(_ id: [UInt8]) -> Bool {
        id.count == own.count && zip(id, own).allSatisfy { isAlphanumeric($0) == isAlphanumeric($1) }
            && zip(id, own).allSatisfy { isAlphanumeric($0) || $0 == $1 }
    }

    private func starts(with text: StaticString, at index: Int) -> Bool {
        guard body.count - index >= text.utf8CodeUnitCount else {
            return false
        }
        for offset in 0..<text.utf8CodeUnitCount where body[index + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    private var slash: UInt8 { UInt8(ascii: "/") }

    private func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            false
        }
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Whether an id ends before this byte: anything that a URL or a quoted string puts after a value.
    private func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "#"), UInt8(ascii: "?"),
            UInt8(ascii: "/"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "<"), UInt8(ascii: ">"), 0x5C:
            true
        default:
            false
        }
    }
}
