import Values

/// A report as terminal text: lines no wider than the width, without colour codes.
package struct TextRendering: Sendable {
    package static let narrowest = 40

    let width: Int
    let colour: Bool

    /// `width` is raised to at least 40 columns.
    package init(width: Int = 100, colour: Bool = false) {
        (self.width, self.colour) = (max(Self.narrowest, width), colour)
    }

    func render(_ page: Page, verdict: String? = nil) -> String {
        let title = ["podswarm " + page.version, page.name] + page.facts
        let head = TextLayout.wrapped(title.joined(separator: " · "), width: width)
        let opening = [verdict ?? line(page.verdict)] + lines([.list(page.verdict.reasons)])
        return text([head + page.caveats.flatMap { wrapped($0) }, opening] + page.sections(in: .text).flatMap(parts))
    }

    package func text(_ parts: [[String]]) -> String {
        parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    func line(_ verdict: Verdict) -> String {
        let words = verdict.line
        let word = verdict.word.uppercased() + words.dropFirst(verdict.word.count)
        return line(word, exit: verdict.exitCode, verdict.tone)
    }

    func line(_ word: String, exit: Int?, _ tone: Tone) -> String {
        let status = exit.map { " (exit \($0))" } ?? ""
        return wrapped(Words(word + status, tone)).joined(separator: "\n")
    }

    package func parts(_ section: Section) -> [[String]] {
        guard section.isShown(in: .text) else { return [] }
        let all = [Block.heading(section.title, section.summary)] + section.blocks.shown(in: .text)
        let starts = all.indices.filter { if case .heading = all[$0] { true } else { false } }
        let ends = starts.dropFirst() + [all.count]
        let parts = zip(starts, ends).map { Array(all[$0..<$1]) }
        // A heading without content is dropped.
        return parts.filter { if case .heading(_, nil) = $0[0] { $0.count > 1 } else { true } }.map { lines($0) }
    }

    func lines(_ blocks: [Block?], indent: Int = 2) -> [String] {
        blocks.shown(in: .text).flatMap { lines($0, indent) }
    }

    private func lines(_ block: Block, _ indent: Int) -> [String] {
        switch block {
        case .heading(let title, let summary): heading(title, summary)
        case .paragraph(let words, _): wrapped(words, indent)
        case .list(let items, let limits):
            items.prefix(limits.text).flatMap { wrapped("- \($0)", indent) }
                + (items.count > limits.text ? wrapped("and \(String(items.count - limits.text)) more", indent) : [])
        case .figures(let figures): figures.compactMap(\.self).flatMap { wrapped(Words($0.line), indent) }
        case .facts(let facts, let limits):
            facts.compactMap(\.self).prefix(limits.text).flatMap { wrapped("\($0.name): \($0.value)", indent) }
        case .table(let table): lines(table, indent)
        case .share(let bar): wrapped(Words("\(bar.name): \(bar.words)"), indent)
        case .charts, .markup, .within: []
        case .headline(let big, let blocks): wrapped(big, indent) + lines(blocks, indent: indent)
        case .entries(let entries): lines(entries, indent)
        case .folded(let title, let blocks): wrapped(title, indent) + lines(blocks, indent: indent + 2)
        case .beside(let parts, _): parts.flatMap { lines($0, indent: indent) }
        case .typed(let draw): draw(width)
        }
    }

    private func heading(_ title: String, _ summary: Words?) -> [String] {
        let shown = TextLayout.cut(TextLayout.printable(title), to: width)
        let title = colour ? Ink.bold.on(shown) : shown
        guard let summary else { return [title] }
        let text = TextLayout.printable(summary.text)
        guard shown.count + 2 + text.count <= width else { return [title] + wrapped(summary, 2) }
        return [title + "  " + inked(text, summary.tone)]
    }

    private func lines(_ whole: Table, _ indent: Int) -> [String] {
        let (table, hidden) = whole.shown(in: .text)
        let (rows, more) = (table.rows, hidden.map { wrapped(Words($0), indent) } ?? [])
        guard !table.isProse else {
            return rows.flatMap { row in
                let rest = zip(table.columns, row.cells).dropFirst(2).filter { !$1.text.isEmpty }
                    .map { "\($0.title.text.lowercased()): \($1.text)" }.joined(separator: "; ")
                let cells = row.cells.prefix(2).map { $0 }.joined(separator: ": ")
                return wrapped(cells + Words(rest.isEmpty ? "" : " (\(rest))"), indent)
            } + more
        }
        let cells = [table.columns.map(\.title.text)] + rows.map { $0.cells.map(\.text) }
        let lines = lines(cells, table.columns.map(\.isText), indent: String(repeating: " ", count: indent))
        let inks =
            [Tone.plain] + rows.map { row in row.cells.first { $0.parts.contains { $0.kind == .tag } }?.tone ?? .plain }
        return zip(lines, inks).flatMap { lines, ink in lines.map { inked($0, ink == .good ? .plain : ink) } } + more
    }

    /// The header first; columns that do not fit follow below their row, as `title value`.
    private func lines(_ cells: [[String]], _ areText: [Bool], indent: String) -> [[String]] {
        let all = cells.map { $0.map(TextLayout.printable) }
        let columns = TextColumns.widths(all)
        let total = { (shown: Int) in indent.count + columns.prefix(shown).reduce(0, +) + 2 * max(0, shown - 1) }
        var shown = columns.count
        while shown > 1, total(shown) > width { shown -= 1 }
        return all.enumerated().map { index, row in
            let cells = row.prefix(shown).enumerated().map { column, cell in
                cell.padded(to: columns[column], flush: column == 0 || areText[column] ? .left : .right)
            }
            let line = indent + cells.joined(separator: "  ")
            let rest = index == 0 ? [] : zip(all[0], row).dropFirst(shown).filter { !$1.isEmpty && $1 != "–" }
            let below = rest.map { "\($0) \($1)" }.joined(separator: ", ")
            let wrapped = TextLayout.wrapped(below, width: width, indent: indent + "  ", breaksWords: true)
            return [TextLayout.cut(String(line.reversed().drop { $0 == " " }.reversed()), to: width)]
                + (below.isEmpty ? [] : wrapped)
        }
    }

    private func lines(_ entries: Entries, _ indent: Int) -> [String] {
        let (shown, more) = entries.shown(in: .text)
        return shown.flatMap { wrapped($0.head, indent) + lines($0.blocks, indent: indent + 2) }
            + (more.map { wrapped(Words($0), indent) } ?? [])
    }

    package func wrapped(_ words: Words, _ indent: Int = 0) -> [String] {
        let hanging = indent > 0 ? "  " : ""
        let lines = TextLayout.wrapped(
            words.text,
            width: width,
            indent: String(repeating: " ", count: indent),
            hanging: hanging,
            breaksWords: words.parts.contains { $0.kind == .code }
        )
        return lines.map { inked($0, words.tone) }
    }

    private func inked(_ text: String, _ tone: Tone) -> String { colour ? tone.look.ink?.on(text) ?? text : text }
}
