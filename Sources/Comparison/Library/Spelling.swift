/// A string compared by its UTF-8 bytes, as file systems and JavaScript do.
///
/// To a `String` an é equals an e followed by an accent (Unicode's canonical equivalence). Two files would be one, and a page's
/// script would not find a text in the other spelling.
package struct Spelling: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: Spelling, right: Spelling) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package static func < (left: Spelling, right: Spelling) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
