/// Makes foreign text safe to print: it cannot control a terminal or pass for more than one line.
package enum TerminalText {
    /// Returns the text with a space in place of each control character (C0 and C1), line end and change of direction.
    ///
    /// Changes of direction (UAX #9, section 2) would reorder the text after them. `keepsLines` keeps line feeds.
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
