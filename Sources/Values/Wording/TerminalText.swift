/// Makes foreign text safe to print: it cannot control a terminal or pass for more than one line.
package enum TerminalText {
    /// Puts a space in place of each control character (C0 and C1), line end and change of direction (UAX #9, section 2).
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

/// Untrusted text in YAML.
package enum YAMLScalar {
    /// Double-quoted, for any characters (YAML 1.2.2 section 7.3.1).
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case " "..."~": result.unicodeScalars.append(scalar)
            default: result += "\\U" + scalar.value.hexadecimal(digits: 8)
            }
        }
        return result + "\""
    }

    /// Printable, one line, at most 80 characters.
    package static func comment(_ text: String) -> String {
        let line = String(text.prefix(80).map { $0.isNewline ? " " : $0 })
        let shown = TerminalText.printable(line)
        return text.count > 80 ? shown + "…" : shown
    }
}
