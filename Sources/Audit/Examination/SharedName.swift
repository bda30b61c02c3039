enum SharedName {
    /// The last two path components of a playlist; those before may be an edge's or a session's own.
    static func playlist(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").suffix(2).joined(separator: "/")
    }
}

extension UInt64 {
    /// The first eight hexadecimal digits: enough to distinguish two fingerprints in a report.
    var shortHex: String {
        let text = String(self, radix: 16)
        return String((String(repeating: "0", count: 16 - text.count) + text).prefix(8))
    }
}
