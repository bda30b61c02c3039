/// Paragraphs put to a width.
package enum WrappedText {
    /// Breaks a paragraph between words; a word that is longer than the width stands alone.
    ///
    /// - Parameters:
    ///   - text: The paragraph.
    ///   - width: Columns, with what stands before a line.
    ///   - first: Before the first line.
    ///   - then: Before every other line.
    ///   - pieces: Takes a word apart where it may go on in the next line.
    /// - Returns: Lines without line feeds; never empty.
    package static func lines(
        _ text: String,
        width: Int,
        first: String = "",
        then: String = "",
        pieces: (Substring) -> [Substring] = { [$0] }
    ) -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: " ") {
            for (index, piece) in pieces(word).enumerated() {
                if !isEmpty, index > 0 || line.count + 1 + piece.count > width {
                    lines.append(line)
                    line = then
                    isEmpty = true
                }
                line += (isEmpty ? "" : " ") + piece
                isEmpty = false
            }
        }
        return lines + [line]
    }
}
