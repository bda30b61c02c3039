/// Reads each byte once, except for a string with escapes, whose beginning is read twice.
struct JSONReader {
    private let text: UnsafeRawBufferPointer
    private(set) var position = 0

    /// `text` must have passed `JSONLimits.excess`.
    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// Accepts surrounding white space and a byte order mark.
    mutating func document() throws(JSONError) -> JSONValue {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try value()
        skipSpace()
        guard position == text.count else { throw .notJSON }
        return value
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        if take(UInt8(ascii: "\"")) { return try string().map { .string($0) } ?? .null }
        if take(UInt8(ascii: "{")) { return .object(try object()) }
        if take(UInt8(ascii: "[")) { return .array(try array()) }
        switch next {
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let letters = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard text[position...].starts(with: letters) else { throw .notJSON }
        position += letters.count
        return value
    }

    private mutating func array() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw .notJSON }
        }
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        var members: [JSONObject.Member] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return JSONObject(members) }
        while true {
            skipSpace()
            guard take(UInt8(ascii: "\"")) else { throw .notJSON }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw .notJSON }
            let value = try value()
            // A name that is not valid Unicode cannot be looked up.
            if let name { members.append(JSONObject.Member(name: name, value: value)) }
            skipSpace()
            if take(UInt8(ascii: "}")) { return JSONObject(members) }
            guard take(UInt8(ascii: ",")) else { throw .notJSON }
        }
    }

    /// Digits that a `Double` represents exactly.
    private static let exactDigits = 15

    private mutating func number() throws(JSONError) -> Double {
        let start = position
        let isNegative = take(UInt8(ascii: "-"))
        let first = position
        guard let whole = digits(), whole.count == 1 || text[first] != UInt8(ascii: "0") else { throw .notJSON }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            guard digits() != nil else { throw .notJSON }
            isWhole = false
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() != nil else { throw .notJSON }
            isWhole = false
        }
        if isWhole, whole.count <= Self.exactDigits {
            let magnitude = Double(whole.value)
            return isNegative ? -magnitude : magnitude
        }
        let written = String(decoding: UnsafeRawBufferPointer(rebasing: text[start..<position]), as: UTF8.self)
        guard let number = Double(written) else { throw .notJSON }
        return number
    }

    /// Value of the first 18 digits; nil if there are none.
    private mutating func digits() -> (count: Int, value: Int64)? {
        var (count, value) = (0, Int64(0))
        while let byte = next, byte &- 0x30 < 10 {
            if count < 18 { value = value * 10 + Int64(byte &- 0x30) }
            count += 1
            position += 1
        }
        return count > 0 ? (count, value) : nil
    }

    /// nil if the bytes are not an acceptable string.
    private mutating func string() throws(JSONError) -> String? {
        let start = position
        var bits: UInt8 = 0
        while let byte = next {
            bits |= byte
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                let bytes = UnsafeRawBufferPointer(rebasing: text[start..<position - 1])
                // Fast path for ASCII, such as nearly all member names.
                return bits < 0x80 ? String(decoding: bytes, as: UTF8.self) : Self.unicode(bytes)
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw .notJSON
            default: position += 1
            }
        }
        throw .notJSON
    }

    private static func unicode(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), isStreamSafe(text) else { return nil }
        return text
    }

    /// Stream-Safe Text Format (UAX #15 section 13): at most 30 combining marks in a row.
    ///
    /// Hashing or comparing a `String` takes time quadratic in the marks in a row: 160,000 take 6 s.
    private static func isStreamSafe(_ text: String) -> Bool {
        // A mark takes at least two bytes.
        guard text.utf8.count > 2 * mostMarks else { return true }
        var marks = 0
        for scalar in text.unicodeScalars {
            guard scalar.value >= firstMark, scalar.properties.canonicalCombiningClass != .notReordered else {
                marks = 0
                continue
            }
            marks += 1
            guard marks <= mostMarks else { return false }
        }
        return true
    }

    private static let mostMarks = 30
    private static let firstMark: UInt32 = 0x300

    private mutating func escapedString(from start: Int) throws(JSONError) -> String? {
        var bytes = Array(text[start..<position])
        var isUnicode = true
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return isUnicode ? bytes.withUnsafeBytes(Self.unicode) : nil
            case UInt8(ascii: "\\"): isUnicode = try escape(into: &bytes) && isUnicode
            case 0..<0x20: throw .notJSON
            default: bytes.append(byte)
            }
        }
        throw .notJSON
    }

    /// False for half of a surrogate pair.
    private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) -> Bool {
        guard let letter = next else { throw .notJSON }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): return try unicodeEscape(into: &bytes)
        default: throw .notJSON
        }
        return true
    }

    private mutating func unicodeEscape(into bytes: inout [UInt8]) throws(JSONError) -> Bool {
        var code = UInt32(try fourDigits())
        if 0xD800..<0xDC00 ~= code {
            guard position + 1 < text.count, text[position] == UInt8(ascii: "\\"),
                text[position + 1] == UInt8(ascii: "u")
            else { return false }
            let before = position
            position += 2
            let low = UInt32(try fourDigits())
            guard 0xDC00..<0xE000 ~= low else {
                position = before
                return false
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { return false }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return true
    }

    private mutating func fourDigits() throws(JSONError) -> UInt16 {
        guard position + 4 <= text.count else { throw .notJSON }
        var code: UInt16 = 0
        for byte in text[position..<position + 4] {
            guard let digit = byte.hexDigitValue else { throw .notJSON }
            code = code << 4 | UInt16(digit)
        }
        position += 4
        return code
    }
}
