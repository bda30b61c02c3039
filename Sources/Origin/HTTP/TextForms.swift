extension UInt8 {
    /// Whether this is an unreserved character of RFC 3986 2.3, which needs no escape in a path or query.
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension String {
    /// The text with zeros in front until it has a length; longer texts stay as they are.
    func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: Swift.max(0, length - utf8.count)) + self
    }
}
