extension FixedWidthInteger {
    /// Lower case, with zeros before.
    package func hexadecimal(digits count: Int) -> String { String(self, radix: 16).leftPadded(to: count) }
}

extension String {
    /// With zeros before.
    package func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: Swift.max(0, length - utf8.count)) + self
    }

    /// A UUID of version 4 in lower case (RFC 9562 section 5.4), from 122 of these bits.
    package init(uuid high: UInt64, _ low: UInt64) {
        let versioned = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let variant = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array((versioned.hexadecimal(digits: 16) + variant.hexadecimal(digits: 16)).utf8)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
        self = groups.joined(separator: "-")
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    package func trimmed(where isBlank: (Character) -> Bool) -> String {
        String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
