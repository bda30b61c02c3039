import Values

/// Columns of text: the first left-aligned, the others right-aligned; the last ones are dropped if they do not fit.
struct TextTable {
    var header: [String]
    var rows: [[String]] = []
    var flushLeft: Set<Int> = []

    /// The header's line, then one line for each row, within a width that includes the indentation.
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
