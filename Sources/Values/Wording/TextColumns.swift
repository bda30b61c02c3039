package enum TextColumns {
    /// Rows may lack cells at the end.
    package static func widths(_ rows: [[String]]) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        return (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    }

    /// The first column is flush left; a short last cell leaves spaces at the end of its line.
    package static func lines(_ rows: [[String]], othersFlush side: TextSide) -> [String] {
        let widths = widths(rows)
        return rows.map { row in
            zip(row, widths).enumerated()
                .map { column, cell in cell.0.padded(to: cell.1, flush: column == 0 ? .left : side) }
                .joined(separator: "  ")
        }
    }
}

package enum TextSide: Sendable {
    case left, right
}

extension String {
    /// `width` is in characters; longer text is returned unchanged.
    package func padded(to width: Int, flush side: TextSide = .left) -> String {
        let padding = String(repeating: " ", count: Swift.max(0, width - count))
        return side == .left ? self + padding : padding + self
    }
}

package enum WrappedText {
    /// At least one line; a word longer than `width` gets its own.
    ///
    /// `width` is in characters and includes the prefixes. `pieces` splits a word at places where a line may break.
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
