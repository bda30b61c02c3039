/// GitHub-flavoured, much folded.
struct MarkdownRendering: Sendable {
    static let factLimit = 24

    var level = "##"

    func render(_ page: Page) -> String {
        let verdict = page.verdict
        let line = verdict.needsMeaning ? verdict.line : verdict.word
        let name = page.isNamed ? " " + MarkdownText.plain(page.name) : ""
        let title =
            "\(level) podswarm\(name): \(verdict.sign) \(MarkdownText.plain(line.prefix(1).lowercased() + line.dropFirst()))"
        let facts = page.facts.prefix(Self.factLimit).map(MarkdownText.code).joined(separator: " ")
        let reasons = verdict.reasons.map { "- " + Self.text($0) }
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
        case .paragraph(let words, let style): style == .legend ? [] : [Self.text(words), ""]
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
        // Other columns than the first are numbers, on the right, unless they are text.
        let rule = table.columns.enumerated().map { $0 == 0 || $1.isText ? "---" : "---:" }
        let rows = [table.columns.map { Self.text($0.title) }, rule] + table.rows.map { $0.cells.map(Self.text) }
        return rows.map { "| " + $0.joined(separator: " | ") + " |" } + [""]
            + (more.map { [MarkdownText.plain($0) + ".", ""] } ?? [])
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
        case .figures(let figures): figures.compactMap(\.self).map { "\(indent)- \(MarkdownText.plain($0.line))" }
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
            case .tag: (part.tone.look.sign.isEmpty ? "" : part.tone.look.sign + " ") + MarkdownText.plain(part.text)
            case .drawing: ""
            }
        }.joined()
    }
}

/// Foreign text cannot break out.
enum MarkdownText {
    /// Characters; the result has the rest.
    static let pieceLimit = 300

    /// Text that cannot become emphasis, a link, a mention, a table cell or HTML.
    ///
    /// Numeric character references work inside table cells and HTML alike, unlike backslashes (GFM 6.2: "cannot be used in
    /// place of symbols indicating structure").
    static func plain(_ text: String) -> String {
        let scalars = Array(TextLayout.cut(TextLayout.printable(text), to: pieceLimit).unicodeScalars)
        var escaped = ""
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case _ where hasMeaning(index, in: scalars): escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let structural = Set("\\`*{}[]|~#@$!^".unicodeScalars)

    private static func hasMeaning(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = index > 0 ? scalars[index - 1] : " "
        let after = index + 1 < scalars.count ? scalars[index + 1] : " "
        switch scalars[index] {
        // An underscore within a word is not emphasis (GFM 6.4).
        case "_": return !(isWord(before) && isWord(after))
        // Autolinks begin with "www." or have a scheme (GFM 6.9).
        case ".": return before == "w" || before == "W"
        case ":": return after != " " && !("0"..."9").contains(after)
        case let other: return structural.contains(other)
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    }

    /// GitHub ignores mentions, issues and links in it.
    static func code(_ text: String) -> String { text.isEmpty ? "" : "<code>\(plain(text))</code>" }

    static func details(_ title: String, _ lines: [String]) -> [String] {
        guard !lines.isEmpty else { return [] }
        return ["<details><summary>\(plain(title))</summary>", ""] + lines + ["</details>", ""]
    }
}
