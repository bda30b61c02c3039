/// Text of others made fit to be printed: it must not steer a terminal, nor pass for more than one line.
package enum TerminalText {
    /// The text with a space in place of each control character, line end and change of direction.
    ///
    /// Control characters are those of C0 and C1; changes of direction (UAX #9, section 2) would reorder what follows.
    ///
    /// - Parameters:
    ///   - text: Anything.
    ///   - keepsLines: Whether line feeds stay.
    /// - Returns: As many characters as there were Unicode scalars.
    package static func printable(_ text: String, keepsLines: Bool = false) -> String {
        func isReplaced(_ scalar: Unicode.Scalar) -> Bool { steers(scalar) && !(keepsLines && scalar == "\n") }
        guard text.unicodeScalars.contains(where: isReplaced) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isReplaced($0) ? " " : $0 }))
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200E}", "\u{200F}",
            "\u{61C}":
            true
        default: scalar.properties.generalCategory == .control
        }
    }
}
