extension Substring {
    /// Splits at an ASCII character and keeps empty pieces; returns at least one.
    ///
    /// Splits bytes: addresses are bytes (RFC 3986 section 2), and a `/` before a combining mark is a `/`; splitting by
    /// Characters takes ten times as long.
    package func pieces(between separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(truncatingIfNeeded: separator.value), omittingEmptySubsequences: false)
            .map(Substring.init)
    }
}
