/// Untrusted text in a form that YAML can hold.
package enum YAMLScalar {
    /// Double-quoted scalar, for any characters (YAML 1.2.2 section 7.3.1).
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

    /// Text for a comment: printable, one line, at most 80 characters.
    package static func comment(_ text: String) -> String {
        let line = String(text.prefix(80).map { $0.isNewline ? " " : $0 })
        let shown = TerminalText.printable(line)
        return text.count > 80 ? shown + "…" : shown
    }
}
