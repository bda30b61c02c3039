import Values

/// A report as terminal text: lines no wider than the width, without colour codes.
package struct TextRendering: Sendable {
    package static let narrowest = 40

    let width: Int
    let style: TextStyle

    /// `width` is raised to at least 40 columns.
    package init(width: Int = 100, colour: Bool = false) {
        self.width = max(Self.narrowest, width)
        style = TextStyle(colour: colour)
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
        case .figures(let figures):
            figures.compactMap(\.self).flatMap {
                wrapped(Words("\($0.label): \($0.value)" + ($0.note.isEmpty ? "" : " (\($0.note))")), indent)
            }
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
        guard let summary else { return [style.inked(shown, .bold)] }
        let text = TextLayout.printable(summary.text)
        guard shown.count + 2 + text.count <= width else { return [style.inked(shown, .bold)] + wrapped(summary, 2) }
        return [style.inked(shown, .bold) + "  " + inked(text, summary.tone)]
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
        let text = TextTable(
            header: table.columns.map(\.title.text),
            rows: rows.map { $0.cells.map(\.text) },
            flushLeft: Set(table.columns.indices.filter { table.columns[$0].isText })
        )
        let lines = text.lines(width: width, indent: String(repeating: " ", count: indent))
        let inks =
            [Tone.plain]
            + rows.map { row in row.cells.first { $0.parts.contains { $0.kind == .tag } }?.tone ?? .plain }
        return zip(lines, inks).flatMap { lines, ink in lines.map { inked($0, ink == .good ? .plain : ink) } } + more
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

    private func inked(_ text: String, _ tone: Tone) -> String {
        switch tone {
        case .plain: text
        case .good: style.inked(text, .green)
        case .warn: style.inked(text, .yellow)
        case .bad: style.inked(text, .red)
        case .quiet: style.inked(text, .dim)
        }
    }
}
