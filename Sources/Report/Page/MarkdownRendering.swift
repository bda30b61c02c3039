/// GitHub-flavoured, much folded.
struct MarkdownRendering: Sendable {
    static let reasonLimit = 20

    var level = "##"

    func render(_ page: Page) -> String {
        let verdict = page.verdict
        let line = verdict.needsMeaning ? verdict.line : verdict.word
        let name = page.isNamed ? " " + MarkdownText.plain(page.name) : ""
        let title =
            "\(level) podswarm\(name): \(verdict.sign) \(MarkdownText.plain(line.prefix(1).lowercased() + line.dropFirst()))"
        let facts = page.facts.prefix(Self.reasonLimit + 4).map(MarkdownText.code).joined(separator: " ")
        let hidden = verdict.reasons.count - Self.reasonLimit
        let reasons =
            verdict.reasons.prefix(Self.reasonLimit).map { "- " + Self.text($0) }
            + (hidden > 0 ? ["- and \(TextLayout.counted(hidden, "more reason"))"] : [])
        let head = [title, "", facts, ""] + page.caveats.flatMap { [Self.text($0), ""] }
        let lines = head + reasons + (reasons.isEmpty ? [] : [""]) + page.sections(in: .markdown).flatMap(lines)
        return lines.joined(separator: "\n") + "\n"
    }

    func lines(_ section: Section) -> [String] {
        let lines = self.lines(section.blocks)
        guard !section.isFolded else {
            let title = section.title + (section.summary.map { ": " + $0.text } ?? "")
            return MarkdownText.details(title, lines.isEmpty ? [""] : lines)
        }
        let title = MarkdownText.plain(section.title) + (section.summary.map { ": " + Self.text($0) } ?? "")
        return ["\(level)# \(title)", ""] + lines
    }

    private func lines(_ blocks: [Block?]) -> [String] { blocks.shown(in: .markdown).flatMap(lines) }

    private func lines(_ block: Block) -> [String] {
        switch block {
        case .heading(let title, let summary):
            ["**\(MarkdownText.plain(title))**" + (summary.map { ": " + Self.text($0) } ?? ""), ""]
        case .paragraph(let words, let style):
            style == .legend ? [] : [Self.text(words), ""]
        case .list, .facts, .figures: Self.items(block, "") + [""]
        case .table(let table): lines(table)
        case .share(let bar): [MarkdownText.plain("\(bar.name): \(bar.words)"), ""]
        case .charts, .markup, .typed, .within: []
        case .headline(let big, let blocks): ["**\(Self.text(big))**", ""] + lines(blocks)
        case .entries(let entries):
            entries.shown(in: .markdown).items.flatMap { entry in
                ["**\(Self.text(entry.head))**", ""] + Self.items(entry.blocks, "") + [""]
            } + Self.more(entries, "")
        case .folded(let title, let blocks): MarkdownText.details(title.text, lines(blocks))
        case .beside(let parts, _): parts.flatMap(lines)
        }
    }

    private func lines(_ whole: Table) -> [String] {
        let (table, more) = whole.shown(in: .markdown)
        let textColumns = Set(table.columns.indices.filter { $0 == 0 || table.columns[$0].isText })
        return MarkdownText.table(
            table.columns.map { Self.text($0.title) },
            table.rows.map { $0.cells.map(Self.text) },
            textColumns: textColumns
        ) + (more.map { [MarkdownText.plain($0) + ".", ""] } ?? [])
    }

    private static func items(_ blocks: [Block?], _ indent: String) -> [String] {
        blocks.shown(in: .markdown).flatMap { items($0, indent) }
    }

    private static func items(_ block: Block, _ indent: String) -> [String] {
        switch block {
        case .list(let items, let limits):
            items.prefix(limits.markdown).map { "\(indent)- \(text($0))" }
                + (items.count > limits.markdown ? ["\(indent)- and \(items.count - limits.markdown) more"] : [])
        case .facts(let facts, let limits):
            facts.compactMap(\.self).prefix(limits.markdown).map {
                "\(indent)- \(MarkdownText.plain($0.name)): \(text($0.value))"
            }
        case .figures(let figures):
            figures.compactMap(\.self).map { figure in
                let note = figure.note.isEmpty ? "" : " (\(MarkdownText.plain(figure.note)))"
                return "\(indent)- \(MarkdownText.plain(figure.label)): \(MarkdownText.plain(figure.value))\(note)"
            }
        case .paragraph(let words, _): ["\(indent)- \(text(words))"]
        case .entries(let entries):
            entries.shown(in: .markdown).items.flatMap { entry in
                ["\(indent)- \(text(entry.head))"] + items(entry.blocks, indent + "  ")
            } + more(entries, indent)
        case .folded(let title, let blocks): ["\(indent)- \(text(title))"] + items(blocks, indent + "  ")
        case .heading, .table, .share, .charts, .headline, .beside, .typed, .markup, .within: []
        }
    }

    private static func more(_ entries: Entries, _ indent: String) -> [String] {
        entries.shown(in: .markdown).more.map { ["\(indent)- \($0)"] } ?? []
    }

    static func text(_ words: Words) -> String {
        words.parts.map { part in
            switch part.kind {
            case .plain, .link: MarkdownText.plain(part.text)
            case .strong: "**\(MarkdownText.plain(part.text))**"
            case .code: MarkdownText.code(part.text)
            case .tag: (part.tone.sign.isEmpty ? "" : part.tone.sign + " ") + MarkdownText.plain(part.text)
            case .drawing: ""
            }
        }.joined()
    }
}
