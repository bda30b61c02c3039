package enum WrappedText {
    /// Breaks a paragraph between words into at least one line; a word longer than the width gets its own line.
    ///
    /// `width` is in characters and includes the prefixes `first` (first line) and `then` (other lines). `pieces` splits a word
    /// at places where a line may break.
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
