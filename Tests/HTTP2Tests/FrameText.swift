import Foundation

/// Frames of HTTP/2 (RFC 9113 section 4.1), right or wrong, as the files of `Conversations` spell them.
///
///     # Twenty empty frames, then the head of another stream.
///     DATA stream 1 * 20
///     HEADERS stream 3, END_HEADERS
///       field ":status": "200"
///     DATA stream 1, END_STREAM, PADDED
///       hex 03
///       text "x"
///       hex 00 * 3
///
/// A field is a literal without Huffman coding (RFC 7541 section 6.2.2), `number` has four bytes, and `RAW` has no frame around it.
enum FrameText {
    private static let types: [Substring: UInt8] = [
        "DATA": 0, "HEADERS": 1, "PRIORITY": 2, "RST_STREAM": 3, "SETTINGS": 4, "PUSH_PROMISE": 5, "PING": 6,
        "GOAWAY": 7, "WINDOW_UPDATE": 8, "CONTINUATION": 9, "ALTSVC": 10,
    ]
    private static let flags: [Substring: UInt8] = [
        "END_STREAM": 0x1, "ACK": 0x1, "END_HEADERS": 0x4, "PADDED": 0x8, "PRIORITY": 0x20,
    ]

    struct Unreadable: Error {
        let line: Substring
    }

    /// Bytes of all frames of a text; lines that begin with # are comments.
    static func bytes(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }[...]
        while let line = lines.popFirst() {
            let parts = lines.prefix { $0.hasPrefix("  ") }
            lines = lines.dropFirst(parts.count)
            let (head, count) = try repeated(line)
            let frame = try frame(head, parts.flatMap { try payload($0.dropFirst(2)) })
            bytes += [[UInt8]](repeating: frame, count: count).flatMap(\.self)
        }
        return bytes
    }

    /// A text in quotation marks with JSON's escapes, several joined by ` + `, each repeated as often as ` * ` says.
    static func string(_ spelled: Substring) throws -> String {
        try spelled.split(separator: " + ")
            .map { piece in
                let (text, count) = try repeated(piece)
                return String(repeating: try JSONDecoder().decode(String.self, from: Data(text.utf8)), count: count)
            }
            .joined()
    }

    private static func frame(_ head: Substring, _ payload: [UInt8]) throws -> [UInt8] {
        if head == "RAW" { return payload }
        var words = head.split { " ,".contains($0) }[...]
        guard let type = words.popFirst().flatMap({ types[$0] ?? number($0) }) else { throw Unreadable(line: head) }
        var (flags, stream): (UInt8, UInt32) = (0, 0)
        while let word = words.popFirst() {
            if word == "stream", let named: UInt32 = words.popFirst().flatMap(number) {
                stream = named
            } else if let flag = Self.flags[word] ?? number(word) {
                flags |= flag
            } else {
                throw Unreadable(line: head)
            }
        }
        return four(UInt32(payload.count)).dropFirst() + [type, flags] + four(stream) + payload
    }

    private static func payload(_ line: Substring) throws -> [UInt8] {
        let (kind, rest) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.dropFirst())
        switch kind {
        case "text": return Array(try string(rest).utf8)
        case "field":
            let pair = try JSONDecoder().decode([String: String].self, from: Data("{\(rest)}".utf8))
            return pair.flatMap { name, value in [0] + [name, value].flatMap { [UInt8($0.utf8.count)] + $0.utf8 } }
        case "hex":
            let (digits, count) = try repeated(rest)
            let bytes = digits.split(separator: " ").compactMap { UInt8($0, radix: 16) }
            return [[UInt8]](repeating: bytes, count: count).flatMap(\.self)
        case "number":
            guard let value: UInt32 = number(rest) else { throw Unreadable(line: line) }
            return four(value)
        default: throw Unreadable(line: line)
        }
    }

    /// The text before ` * ` and the number after it, 1 without one.
    private static func repeated(_ text: Substring) throws -> (text: Substring, count: Int) {
        guard let star = text.range(of: " * ", options: .backwards) else { return (text, 1) }
        guard let count = Int(text[star.upperBound...]) else { throw Unreadable(line: text) }
        return (text[..<star.lowerBound], count)
    }

    /// A whole number, in hexadecimal digits after `0x`.
    private static func number<Value: FixedWidthInteger>(_ text: Substring) -> Value? {
        text.hasPrefix("0x") ? Value(text.dropFirst(2), radix: 16) : Value(text)
    }

    private static func four(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
