import Wording

/// Columns of text: the first to the left, the others to the right, the last ones left out where they do not fit.
struct TextTable {
    var header: [String]
    var rows: [[String]] = []
    /// Further columns to the left.
    var flushLeft: Set<Int> = []

    /// Renders within a width, indentation included: the header's line, then one line for each row.
    func lines(width: Int, indent: String = "  ") -> [String] {
        let all = ([header] + rows).map { $0.map(TextLayout.printable) }
        let columns = TextColumns.widths(all)
        var shown = columns.count
        while shown > 2, total(columns.prefix(shown), indent) > width { shown -= 1 }
        return all.map { row in
            let cells = row.prefix(shown).enumerated().map { column, cell in
                cell.padded(to: columns[column], flush: column == 0 || flushLeft.contains(column) ? .left : .right)
            }
            let line = indent + cells.joined(separator: "  ")
            return TextLayout.cut(String(line.reversed().drop { $0 == " " }.reversed()), to: width)
        }
    }

    private func total(_ columns: ArraySlice<Int>, _ indent: String) -> Int {
        indent.count + columns.reduce(0, +) + 2 * max(0, columns.count - 1)
    }
}
