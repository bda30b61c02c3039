/// A text that is the same as another only where each byte is, as names of files are, and texts to JavaScript.
///
/// To a `String` an é is the same as an e with an accent behind it (Unicode's canonical equivalence), so that two files
/// would be one, and a page's script would look for a text that stands there in the other spelling.
package struct Spelling: Hashable, Comparable, Sendable {
    /// As it is spelled.
    package let text: String

    /// Takes a text as it is.
    package init(_ text: String) { self.text = text }

    package static func == (left: Spelling, right: Spelling) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// By their bytes.
    package static func < (left: Spelling, right: Spelling) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
