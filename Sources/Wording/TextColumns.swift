/// Text in columns.
package enum TextColumns {
    /// The width of each column, which is that of its longest cell; a row may lack cells at its end.
    package static func widths(_ rows: [[String]]) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        return (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    }

    /// One line for each row, two spaces between its cells; the first column is flush left.
    ///
    /// - Parameters:
    ///   - rows: Cells of one line each.
    ///   - side: Where the other columns are flush.
    /// - Returns: Lines, those that end with a short cell with spaces at their end.
    package static func lines(_ rows: [[String]], othersFlush side: TextSide) -> [String] {
        let widths = widths(rows)
        return rows.map { row in
            zip(row, widths).enumerated()
                .map { column, cell in cell.0.padded(to: cell.1, flush: column == 0 ? .left : side) }
                .joined(separator: "  ")
        }
    }
}

/// Where a text stands in a space that is wider.
package enum TextSide: Sendable {
    case left
    case right
}

extension String {
    /// The text with spaces up to a width in characters; a longer one stays as it is.
    package func padded(to width: Int, flush side: TextSide = .left) -> String {
        let padding = String(repeating: " ", count: Swift.max(0, width - count))
        return side == .left ? self + padding : padding + self
    }
}
