import Foundation
import Values

struct HTMLRendering: Sendable {
    private(set) var text = ""

    static func content(_ page: Page) -> String {
        let sections = page.sections(in: .page).map { section($0, isSkipTarget: $0.anchor == page.skip.anchor) }
        return ([verdict(page)] + sections).joined(separator: "\n")
    }

    static func verdict(_ page: Page) -> String {
        var html = HTMLRendering()
        let verdict = page.verdict
        html.text += "<section id=\"verdict\" class=\"verdict of-\(verdict.tone.rawValue)\""
        html.text += " aria-labelledby=\"verdict-h\" tabindex=\"-1\">\n"
        html.text += "<h2 id=\"verdict-h\" class=\"outcome \(verdict.tone.rawValue)\">\(escaped(verdict.word))</h2>\n"
        let isSaid = verdict.meaning.isEmpty || verdict.reasons.first?.text == verdict.meaning
        if !isSaid { html.element("p", "meaning", Words(verdict.meaning)) }
        for caveat in page.caveats { html.element("p", "meaning", caveat) }
        html.list(verdict.reasons, "reasons")
        html.write(page.opening)
        return html.text + "</section>"
    }

    static func section(_ section: Section, isSkipTarget: Bool = false) -> String {
        var html = HTMLRendering()
        let focus = isSkipTarget ? " tabindex=\"-1\"" : ""
        html.text += "<section id=\"\(section.anchor)\" aria-labelledby=\"\(section.anchor)-h\"\(focus)>\n"
        html.text += "<h2 id=\"\(section.anchor)-h\">\(escaped(section.title))</h2>\n"
        if let summary = section.summary { html.element("p", "lead", summary) }
        html.write(section.blocks)
        return html.text + "</section>"
    }

    mutating func write(_ blocks: [Block?]) { for block in blocks.shown(in: .page) { write(block) } }

    private mutating func write(_ block: Block) {
        switch block {
        case .heading(let title, let summary):
            text += "<h3>\(Self.escaped(title))</h3>\n"
            if let summary { element("p", "lead", summary) }
        case .paragraph(let words, let style): element("p", style.rawValue, words)
        case .list(let items, _): list(items, "causes")
        case .figures(let facts): write(facts, areLarge: true)
        case .facts(let facts, _): write(facts, areLarge: false)
        case .table(let table): write(table)
        case .share(let bar): write(bar)
        case .charts(let charts, let layout):
            text += "<div class=\"\(layout.rawValue)\">\n"
            for chart in charts.compactMap(\.self) { write(chart) }
            text += "</div>\n"
        case .headline(let big, let blocks):
            text += "<div class=\"punctuality\">\n"
            if !big.text.isEmpty {
                element("p", big.tone == .plain ? "big" : "big \(big.tone.rawValue)", Words(big.text))
            }
            text += "<div>\n"
            write(blocks)
            text += "</div>\n</div>\n"
        case .entries(let entries): write(entries)
        case .folded(let title, let blocks):
            text += "<details class=\"more\"><summary>\(Self.inline(title))</summary>\n"
            write(blocks)
            text += "</details>\n"
        case .beside(let parts, let layout):
            let tag = layout == .cards ? "article" : "div"
            text += "<div class=\"\(layout.rawValue)\">\n"
            for part in parts {
                text += layout == .cards ? "<\(tag) class=\"card\">" : "<\(tag)>"
                write(part)
                text += "</\(tag)>\n"
            }
            text += "</div>\n"
        case .typed, .within: break
        case .markup(let markup): text += markup.renderText + "\n"
        }
    }

    private mutating func element(_ tag: String, _ style: String, _ words: Words) {
        text += "<\(tag) class=\"\(style)\">\(Self.inline(words))</\(tag)>\n"
    }

    private mutating func list(_ items: [Words], _ style: String) {
        guard !items.isEmpty else { return }
        text += "<ul class=\"\(style)\">" + items.map { "<li>\(Self.inline($0))</li>" }.joined() + "</ul>\n"
    }

    private mutating func write(_ facts: [Fact?], areLarge: Bool) {
        text += "<dl class=\"\(areLarge ? "figures" : "list")\">"
        for fact in facts.compactMap(\.self) {
            text += "<div><dt>\(Self.escaped(fact.name))</dt>"
            if areLarge {
                text += "<dd class=\"\(fact.value.tone.rawValue)\">\(Self.escaped(fact.value.text))</dd>"
                text += "<dd class=\"note\">\(Self.escaped(fact.note))</dd></div>"
            } else {
                text += "<dd>\(Self.inline(fact.value))</dd></div>"
            }
        }
        text += "</dl>\n"
    }

    private mutating func write(_ bar: ShareBar) {
        text += bar.markup().renderText + "\n<ul class=\"keys\">"
        for part in bar.parts where part.count > 0 {
            text += "<li><i class=\"\(Self.escaped(part.style))\"></i>\(Self.escaped(part.name))"
            text += " <b>\(TextLayout.grouped(part.count))</b></li>"
        }
        text += "</ul>\n"
    }

    private mutating func write(_ chart: Chart) {
        text += "<figure class=\"\(chart.plots.count > 1 ? "kind two" : "kind")\">"
        text += "<figcaption>\(Self.inline(chart.caption))"
        for key in chart.keys {
            text += " <span class=\"legend\"><i class=\"\(key.style)\"></i>\(Self.escaped(key.name))</span>"
        }
        text += "</figcaption>"
        let plots = chart.plots.map { $0.markup().renderText }.joined()
        text += chart.plots.count > 1 ? "<div class=\"pair\">\(plots)</div>" : plots
        for note in chart.notes { element("p", "sub", note) }
        text += "</figure>\n"
    }

    private mutating func write(_ entries: Entries) {
        let (shown, more) = entries.shown(in: .page)
        for entry in shown {
            text += "<article class=\"entry\"><h3>\(Self.inline(entry.head))</h3>\n"
            write(entry.blocks)
            text += "</article>\n"
        }
        if let more { element("p", "sub", Words(more)) }
    }

    /// Longer tables have their own scroll bar.
    private static let tallRows = 14

    private mutating func write(_ whole: Table) {
        let (table, more) = whole.shown(in: .page)
        let rows = table.rows
        if rows.contains(where: { !$0.details.shown(in: .page).isEmpty }) {
            write(rows, of: table)
        } else {
            let style = Self.classes("wide", rows.count > Self.tallRows ? "tall" : "", table.isProse ? "prose" : "")
            text += "<div\(style) tabindex=\"0\" role=\"region\" aria-label=\"\(Self.escaped(table.name))\">\n"
            text += "<table><thead><tr>"
            for column in table.columns {
                let style = Self.classes(column.isText ? "l" : "", column.style)
                text += "<th scope=\"col\"\(style)>\(Self.inline(column.title))</th>"
            }
            text += "</tr></thead>\n<tbody>"
            for row in rows { write(row, of: table) }
            text += "</tbody></table>\n</div>\n"
        }
        if let more { element("p", "sub", Words(more)) }
    }

    private mutating func write(_ row: Table.Row, of table: Table) {
        text += "<tr>"
        for head in row.cells.prefix(1) { text += "<th scope=\"row\">\(Self.inline(head))</th>" }
        for (column, cell) in zip(table.columns, row.cells).dropFirst() {
            text += "<td\(Self.classes(column.isText ? "" : "n", column.style))>\(Self.inline(cell))</td>"
        }
        text += "</tr>\n"
    }

    /// The script creates a row's details when it is opened.
    private mutating func write(_ rows: [Table.Row], of table: Table) {
        text += "<div class=\"rows\">\n"
        for row in rows {
            text += "<details class=\"brk\"><summary>"
            for (index, cell) in row.cells.prefix(6).enumerated() {
                let title = index == 0 ? "" : Self.inline(table.columns[index].title) + " "
                text +=
                    "<span class=\"\(index == 0 ? "t" : index < 4 ? "n" : "n x2")\">\(title)\(Self.inline(cell))</span>"
            }
            text += "</summary><template>"
            write(zip(table.columns, row.cells).dropFirst(6).map { Fact($0.title.text, $1) }, areLarge: false)
            write(row.details)
            text += "</template></details>\n"
        }
        text += "</div>\n"
    }

    static func escaped(_ text: String) -> String { HTMLText.escaped(text) }

    private static func classes(_ names: String...) -> String {
        let names = names.filter { !$0.isEmpty }.joined(separator: " ")
        return names.isEmpty ? "" : " class=\"\(names)\""
    }

    static func inline(_ words: Words) -> String {
        words.parts.map { part in
            let text = escaped(part.text)
            let style = classes(part.tone.rawValue)
            return switch part.kind {
            case .plain: style.isEmpty ? text : "<span\(style)>\(text)</span>"
            case .strong: "<b\(style)>\(text)</b>"
            case .code: part.text.isEmpty ? "" : "<code>\(text)</code>"
            case .tag: "<span class=\"tag \(part.tone.rawValue)\">\(text)</span>"
            case .link(let address): "<a class=\"source\" href=\"\(escaped(address))\" rel=\"noreferrer\">\(text)</a>"
            case .drawing(let markup): markup.renderText
            }
        }.joined()
    }
}

extension Page {
    /// Needs no network and runs only its own script.
    ///
    /// `own` is the base name of additional styles and scripts; `allowing` has directives of the content security policy, each
    /// ended by `; `.
    func html(own: String? = nil, allowing: String = "", status: Markup = .none) throws -> String {
        let style = try PageFiles.text(of: "style.css") + (own.map { try PageFiles.text(of: "\($0).css") } ?? "")
        let script = try PageFiles.text(of: "script.js") + (own.map { try PageFiles.text(of: "\($0).js") } ?? "")
        // Digests of the page's own style and script keep injected markup inert.
        let policy =
            "default-src 'none'; style-src '\(PageFiles.digest(of: style))'; script-src '\(PageFiles.digest(of: script))';"
            + " \(allowing)base-uri 'none'; form-action 'none'"
        let text = HTMLText.escaped
        let parts = [
            "policy": text(policy), "title": text(title), "style": style, "anchor": skip.anchor,
            "skip": text(skip.title),
            "name": text(name), "facts": facts.map { "<li>\(text($0))</li>" }.joined(), "status": status.renderText,
            "links": links.map { "<li><a href=\"#\($0.anchor)\">\(text($0.title))</a></li>" }.joined(),
            "content": HTMLRendering.content(self), "version": text(version), "script": script,
        ]
        // Each part stands between its name's braces.
        return try PageFiles.text(of: "page.html").split(separator: "{{").map { piece in
            let (name, rest) = (piece.prefix { $0 != "}" }, piece.drop { $0 != "}" }.dropFirst(2))
            return parts[String(name)].map { $0 + rest } ?? String(piece)
        }.joined()
    }
}

/// Installed beside the executable.
private enum PageFiles {
    struct MissingResource: Error, CustomStringConvertible {
        let name: String
        var description: String { "'\(name)' is not installed beside the executable" }
    }

    static func text(of name: String) throws -> String {
        let file = Bundle.module.bundleURL.appending(path: "Templates/\(name)")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { throw MissingResource(name: name) }
        return text
    }

    static func digest(of text: String) -> String {
        "sha256-" + Data(Digest.sha256(of: Array(text.utf8))).base64EncodedString()
    }
}
