package import Comparison
import Results
import Values

package struct RunListText: Sendable {
    private let list: RunList
    private let label: String
    private let most: Int
    private let width: Int
    private let style: TextStyle

    /// `label` names the label that distinguishes releases; the number of runs beyond `most` is printed; lines are cut at
    /// `width`.
    package init(of list: RunList, label: String, most: Int, width: Int, colour: Bool) {
        (self.list, self.label, self.most, self.width) = (list, label, most, width)
        style = TextStyle(colour: colour)
    }

    package func render() -> String {
        let rows = list.rows.prefix(most)
        var lines: [String] = []
        if rows.isEmpty {
            lines.append("No run.")
        } else {
            let head = ["started (UTC)", "profile", "verdict", "on time", "findings", label, "file"]
            let cells = [head] + rows.map(cells)
            let columns = TextColumns.widths(cells)
            for (number, cell) in cells.enumerated() {
                let texts = cell.enumerated().map { column, text in
                    let isNumber = column == 3 || column == 4
                    return column == cell.count - 1
                        ? text : text.padded(to: columns[column], flush: isNumber ? .right : .left)
                }
                lines.append(line(texts, ink: number == 0 ? .dim : Self.ink(rows[rows.startIndex + number - 1])))
            }
        }
        let more = list.rows.count - rows.count
        if more > 0 { lines.append("and \(TextLayout.counted(more, "older run")); --last shows more") }
        if !list.leftOut.isEmpty {
            let files = TextLayout.counted(list.leftOut.count, "file")
            lines.append("\(files) ending in .json cannot be listed; --json says why")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Only the verdict is coloured, so the rest can be cut.
    private func line(_ texts: [String], ink: TextStyle.Ink?) -> String {
        let fitting = TextLayout.cut(texts.joined(separator: "  "), to: width)
        let before = texts[..<2].joined(separator: "  ").count + 2
        guard let ink, fitting.count > before + texts[2].count else { return fitting }
        guard ink != .dim else { return style.inked(fitting, .dim) }
        let start = fitting.index(fitting.startIndex, offsetBy: before)
        let end = fitting.index(start, offsetBy: texts[2].count)
        return fitting[..<start] + style.inked(String(fitting[start..<end]), ink) + fitting[end...]
    }

    private func cells(_ row: RunRow) -> [String] {
        let verdict = ([row.outcomeTitle.lowercased()] + row.marks).joined(separator: ", ")
        let findings = row.findings == 0 ? "" : TextLayout.grouped(row.findings)
        return [row.startText, row.profile, verdict, row.onTimeText, findings, row.labels[label] ?? "", row.path]
            .map(TextLayout.printable)
    }

    private static func ink(_ row: RunRow) -> TextStyle.Ink? {
        switch row.tone {
        case .good: .green
        case .bad: .red
        case .warn: .yellow
        case .plain, .quiet: nil
        }
    }
}
