internal import HLS

/// JSON text under construction, its members in the order in which they are added.
///
/// Foundation's encoder orders members as it likes; answers of an origin are to be the same bytes each time.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ members: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONText, Element) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for element in elements {
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func member(_ key: String, _ value: (inout JSONText) -> Void) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        value(&self)
        needsComma = true
    }

    /// A member, or nothing where there is no value.
    mutating func member(_ key: String, _ text: String?) {
        if let text {
            member(key) { $0.string(text) }
        }
    }

    /// A member, or nothing where there is no value.
    mutating func member(_ key: String, _ number: Int?) {
        if let number {
            member(key) { $0.number(String(number)) }
        }
    }

    mutating func member(_ key: String, seconds: Duration) {
        member(key) { $0.number(SecondsText.shortest(seconds.wholeMicroseconds)) }
    }

    private mutating func number(_ text: String) {
        separate()
        bytes += text.utf8
        needsComma = true
    }

    mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma {
            bytes.append(UInt8(ascii: ","))
        }
    }
}
