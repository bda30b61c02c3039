/// Escapes text for HTML and SVG, scalar by scalar.
///
/// A browser does not see grapheme clusters and reads `<` after U+0600 or `"` before U+0301 as markup.
enum HTMLText {
    /// Replaces HTML syntax, control characters, and bidirectional controls.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { replacement(for: $0) != nil }) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            if let replacement = replacement(for: scalar) {
                safe += replacement
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    private static func replacement(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x26: "&amp;"
        case 0x3c: "&lt;"
        case 0x3e: "&gt;"
        case 0x22: "&quot;"
        case 0x27: "&#39;"
        case 0x09, 0x0a: nil
        case 0x00...0x1f, 0x7f...0x9f: "\u{fffd}"
        case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: "\u{fffd}"
        default: nil
        }
    }
}

/// A fragment of a page whose foreign text is already escaped; renderers insert nothing else unescaped.
struct Markup: Sendable, Equatable {
    let renderText: String

    static let none = Markup(trusted: "")

    init(trusted: String) {
        renderText = trusted
    }
}
