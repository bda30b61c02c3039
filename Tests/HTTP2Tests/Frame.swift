/// Bytes that follow each other on a connection.
struct Wire: Sendable {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The same again and again, by number from 0.
    init(_ count: UInt32, _ part: (UInt32) -> Wire) { bytes = (0..<count).flatMap { part($0).bytes } }

    static func + (first: Wire, second: Wire) -> Wire { Wire(first.bytes + second.bytes) }
}

/// Frames of HTTP/2 by hand (RFC 9113 section 4.1), right or wrong.
enum Frame {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let endStream: UInt8 = 0x1
    static let acknowledged: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let prioritised: UInt8 = 0x20

    static func of(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> Wire {
        let length = UInt32(payload.count)
        let head = [length >> 16, length >> 8, length].map { UInt8(truncatingIfNeeded: $0) } + [type, flags]
        return Wire(head + number(stream) + payload)
    }

    static func of(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> Wire {
        of(kind.rawValue, flags: flags, stream: stream, payload)
    }

    static func number(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
    }

    static let settings = of(.settings)

    static func settings(_ entries: [(id: UInt16, value: UInt32)]) -> Wire {
        of(.settings, entries.flatMap { [UInt8($0.id >> 8), UInt8($0.id & 255)] + number($0.value) })
    }

    static func head(
        _ fields: [(String, String)],
        stream: UInt32 = 1,
        ends: Bool = false
    ) -> Wire {
        of(.headers, flags: endHeaders | (ends ? endStream : 0), stream: stream, Field.block(fields))
    }

    static func data(_ text: String, stream: UInt32 = 1, ends: Bool = true) -> Wire {
        of(.data, flags: ends ? endStream : 0, stream: stream, Array(text.utf8))
    }

    static func reset(_ code: UInt32, stream: UInt32 = 1) -> Wire { of(.reset, stream: stream, number(code)) }

    static func goAway(last: UInt32, _ code: UInt32 = 0, _ text: String = "") -> Wire {
        of(.goAway, number(last) + number(code) + Array(text.utf8))
    }

    static func window(_ increment: UInt32, stream: UInt32 = 0) -> Wire {
        of(.windowUpdate, stream: stream, number(increment))
    }
}

/// Header fields in HPACK (RFC 7541 section 6.2.2): literal, not indexed, without Huffman coding.
enum Field {
    static func block(_ fields: [(String, String)]) -> [UInt8] { fields.flatMap { literal($0.0, $0.1) } }

    static func literal(_ name: String, _ value: String) -> [UInt8] {
        [0] + string(Array(name.utf8)) + string(Array(value.utf8))
    }

    /// The same, kept in the table that both sides have.
    static func kept(_ name: String, _ value: String) -> [UInt8] {
        [0x40] + string(Array(name.utf8)) + string(Array(value.utf8))
    }

    static func string(_ bytes: [UInt8]) -> [UInt8] { integer(bytes.count, prefix: 7) + bytes }

    /// RFC 7541 section 5.1.
    static func integer(_ value: Int, prefix: Int, mark: UInt8 = 0) -> [UInt8] {
        let most = (1 << prefix) - 1
        guard value >= most else { return [mark | UInt8(value)] }
        var bytes = [mark | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// `:status: 200` in one byte, of the static table.
    static let ok: [UInt8] = [0x88]
}
