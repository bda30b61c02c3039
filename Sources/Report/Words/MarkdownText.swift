/// Foreign text cannot break out.
enum MarkdownText {
    /// Characters; the result has the rest.
    static let pieceLimit = 300

    /// Text that cannot become emphasis, a link, a mention, a table cell or HTML.
    ///
    /// Numeric character references work inside table cells and HTML alike, unlike backslashes (GFM 6.2: "cannot be used in
    /// place of symbols indicating structure").
    static func plain(_ text: String) -> String {
        let scalars = Array(TextLayout.cut(TextLayout.printable(text), to: pieceLimit).unicodeScalars)
        var escaped = ""
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case _ where hasMeaning(index, in: scalars): escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let structural = Set("\\`*{}[]|~#@$!^".unicodeScalars)

    private static func hasMeaning(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = index > 0 ? scalars[index - 1] : " "
        let after = index + 1 < scalars.count ? scalars[index + 1] : " "
        switch scalars[index] {
        // An underscore within a word is not emphasis (GFM 6.4).
        case "_": return !(isWord(before) && isWord(after))
        // Autolinks begin with "www." or have a scheme (GFM 6.9).
        case ".": return before == "w" || before == "W"
        case ":": return after != " " && !("0"..."9").contains(after)
        case let other: return structural.contains(other)
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    /// GitHub ignores mentions, issues and links in it.
    static func code(_ text: String) -> String { text.isEmpty ? "" : "<code>\(plain(text))</code>" }

    /// Columns other than `textColumns` are right-aligned.
    static func table(_ header: [String], _ rows: [[String]], textColumns: Set<Int> = [0]) -> [String] {
        let rule = header.indices.map { textColumns.contains($0) ? "---" : "---:" }
        let lines = [header, rule] + rows.map { Array(($0 + header.map { _ in "" }).prefix(header.count)) }
        return lines.map { "| " + $0.joined(separator: " | ") + " |" } + [""]
    }

    static func details(_ title: String, _ lines: [String]) -> [String] {
        guard !lines.isEmpty else { return [] }
        return ["<details><summary>\(plain(title))</summary>", ""] + lines + ["</details>", ""]
    }
}
