extension Substring {
    /// The text between the bytes of one value, with the empty pieces.
    ///
    /// Addresses are bytes (RFC 3986 section 2), and a `/` before a combining mark is a `/`; cutting them by Characters costs
    /// ten times as much.
    ///
    /// - Parameter separator: An ASCII character.
    /// - Returns: At least one piece.
    package func pieces(between separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(truncatingIfNeeded: separator.value), omittingEmptySubsequences: false)
            .map(Substring.init)
    }
}
