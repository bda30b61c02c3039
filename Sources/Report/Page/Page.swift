import Results

/// Built once; text, Markdown and HTML are renderings of it.
package struct Page: Sendable {
    /// Title of the window.
    var title: String
    /// Name within the page.
    var name: String
    /// Whether the heading of its Markdown has the name.
    var isNamed = true
    var facts: [String] = []
    var verdict: Verdict
    /// To be read before the figures.
    var caveats: [Words] = []
    /// Figures of the verdict, for pages.
    var opening: [Block?] = []
    var sections: [Section?] = []
    var verdictLink = "Verdict"
    /// For keyboard users.
    var skip: Link = ("verdict", "Skip to the verdict")
    var version = PodswarmVersion.current

    typealias Link = (anchor: String, title: String)

    var links: [Link] {
        [("verdict", verdictLink)]
            + sections(in: .page).compactMap { section in section.link.map { (section.anchor, $0) } }
    }

    func sections(in form: Forms) -> [Section] { sections.compactMap(\.self).filter { $0.isShown(in: form) } }
}

struct Verdict: Sendable {
    static let reasonLimit = 8

    var word: String
    var tone: Tone
    var meaning: String
    /// Whether the word is unclear without its meaning.
    var needsMeaning = false
    var exitCode: Int?
    /// At most as many as leave room for evidence on the first screen; sections and JSON have all.
    var reasons: [Words]
    /// Precedes the word in Markdown.
    var sign: String

    init(
        _ wording: Wording,
        _ meaning: String? = nil,
        needsMeaning: Bool = false,
        exitCode: Int? = nil,
        reasons: [String] = []
    ) {
        (word, tone, sign, self.meaning) = (wording.word, wording.tone, wording.sign, meaning ?? wording.meaning)
        let hidden = max(0, reasons.count - Self.reasonLimit)
        let more = hidden == 0 ? [] : ["and \(TextLayout.counted(hidden, "more reason"))"]
        self.reasons = (reasons.dropLast(hidden) + more).map { Words($0) }
        (self.needsMeaning, self.exitCode) = (needsMeaning, exitCode)
    }

    var line: String {
        guard needsMeaning else { return word }
        let sentence = meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning
        let first = sentence.prefix(1)
        return "\(word): " + first.lowercased() + sentence.dropFirst()
    }
}

extension Tone {
    /// The sign is for forms without colours.
    var look: (sign: String, ink: Ink?) {
        switch self {
        case .good: ("✅", .green)
        case .warn: ("⚠️", .yellow)
        case .bad: ("❌", .red)
        case .plain: ("", nil)
        case .quiet: ("", .dim)
        }
    }
}

package struct Forms: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    static let text = Forms(rawValue: 1)
    static let markdown = Forms(rawValue: 2)
    static let page = Forms(rawValue: 4)
    package static let all: Forms = [.text, .markdown, .page]
}

package struct Section: Sendable {
    var anchor: String
    var title: String
    /// In the navigation of a page.
    var link: String?
    /// Shown beside the title.
    var summary: Words?
    var forms = Forms.all
    /// In Markdown.
    var isFolded = false
    var blocks: [Block?] = []

    package init(
        _ anchor: String,
        _ title: String,
        link: String? = nil,
        summary: Words? = nil,
        forms: Forms = .all,
        isFolded: Bool = false
    ) {
        (self.anchor, self.title, self.link, self.summary) = (anchor, title, link, summary)
        (self.forms, self.isFolded) = (forms, isFolded)
    }

    package func showing(_ blocks: [Block?]) -> Section {
        var section = self
        section.blocks = blocks
        return section
    }

    func isShown(in form: Forms) -> Bool { forms.contains(form) && (summary != nil || !blocks.shown(in: form).isEmpty) }
}

package indirect enum Block: Sendable {
    case heading(String, Words? = nil)
    case paragraph(Words, Style = .sub)
    case list([Words], limit: Limits = .none)
    case figures([Fact?])
    case facts([Fact?], limit: Limits = .none)
    case table(Table)
    case share(ShareBar)
    case charts([Chart?], Layout = .stack)
    case headline(big: Words, [Block?])
    case entries(Entries)
    case folded(Words, [Block?])
    /// Side by side on a wide page.
    case beside([[Block?]], Layout = .columns)
    /// Lines of terminal characters within a width.
    case typed(@Sendable (_ width: Int) -> [String])
    case markup(Markup)
    case within(Forms, Block)

    package enum Style: String, Sendable {
        case lead
        case sub
        case claim
        case alarm = "reasons"
        case legend
    }

    package enum Layout: String, Sendable {
        case stack
        case half = "stack half"
        case kinds
        case pairs = "kinds pairs"
        case drifts
        case cards
        case columns
    }

    package static func said(_ text: String, _ tone: Tone = .plain) -> Block { .paragraph(Words(text, tone)) }

    /// Explains what a page shows below.
    static func lead(_ words: Words) -> Block { .paragraph(words, .lead).only(.page) }

    func only(_ forms: Forms) -> Block { .within(forms, self) }

    private var forms: Forms {
        switch self {
        case .charts, .markup: .page
        case .typed: .text
        case .within(let forms, let block): forms.intersection(block.forms)
        default: .all
        }
    }

    private var isEmpty: Bool {
        switch self {
        case .list(let items, _): items.isEmpty
        case .figures(let facts), .facts(let facts, _): facts.allSatisfy { $0 == nil }
        case .table(let table): table.rows.isEmpty
        case .charts(let charts, _): charts.allSatisfy { $0 == nil }
        case .entries(let entries): entries.items.isEmpty
        case .folded(_, let blocks): blocks.allSatisfy { $0?.isEmpty ?? true }
        case .within(_, let block): block.isEmpty
        case .heading, .paragraph, .share, .headline, .beside, .typed, .markup: false
        }
    }

    fileprivate func shown(in form: Forms) -> Block? {
        guard !isEmpty, forms.contains(form) else { return nil }
        return if case .within(_, let block) = self { block.shown(in: form) } else { self }
    }
}

extension [Block?] {
    /// Without what is empty.
    func shown(in form: Forms) -> [Block] { compactMap { $0?.shown(in: form) } }
}

package struct Limits: Sendable {
    var text = Int.max
    var markdown = Int.max
    var page = Int.max

    package static let none = Limits()

    func most(in form: Forms) -> Int { form == .text ? text : form == .markdown ? markdown : page }
}

package struct Fact: Sendable {
    var name: String
    var value: Words
    var note: String

    init(_ name: String, _ value: Words, note: String = "") { (self.name, self.value, self.note) = (name, value, note) }

    /// Without tones: a large figure is coloured on pages only.
    var line: String { "\(name): \(value.text)" + (note.isEmpty ? "" : " (\(note))") }
}

/// On a terminal that is too narrow, the last columns follow below their row.
package struct Table: Sendable {
    package struct Column: Sendable, ExpressibleByStringLiteral {
        var title: Words
        var isText = false
        var style = ""

        init(_ title: Words, isText: Bool = false, style: String = "") {
            (self.title, self.isText, self.style) = (title, isText, style)
        }

        init(_ title: String) { self.init(Words(title)) }
        package init(stringLiteral: String) { self.init(stringLiteral) }

        static func text(_ title: Words, style: String = "") -> Column { Column(title, isText: true, style: style) }
        static func texts(_ titles: String...) -> [Column] { titles.map { .text(Words($0)) } }
    }

    package struct Row: Sendable {
        var cells: [Words]
        /// Higher ranks are shown if not all rows fit.
        var rank = 0.0
        /// A page shows them below the row.
        var details: [Block?] = []

        package init(_ cells: [Words], rank: Double = 0, details: [Block?] = []) {
            (self.cells, self.rank, self.details) = (cells, rank, details)
        }
    }

    var name: String
    var columns: [Column]
    var rows: [Row] = []
    var limits: Limits
    var noun: String
    var rest: String
    var isProse: Bool

    /// The sentence on hidden rows has `noun` for a row and ends with `rest`; a terminal shows prose row by row.
    package init(
        _ name: String,
        _ columns: [Column],
        limits: Limits = .none,
        noun: String = "row",
        rest: String = "in the result",
        isProse: Bool = false
    ) {
        (self.name, self.columns, self.limits) = (name, columns, limits)
        (self.noun, self.rest, self.isProse) = (noun, rest, isProse)
    }

    package func listing(_ rows: [Row]) -> Block {
        var table = self
        table.rows = rows
        return .table(table)
    }

    package func listing<Item>(_ items: some Sequence<Item>, _ row: (Item) -> Row) -> Block { listing(items.map(row)) }

    /// Without empty columns; keeps the rows' order.
    func shown(in form: Forms) -> (table: Table, more: String?) {
        var table = compact(in: form)
        let hidden = rows.count - limits.most(in: form)
        guard hidden > 0 else { return (table, nil) }
        let ranked = table.rows.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
        table.rows = ranked.dropLast(hidden).sorted { $0.offset < $1.offset }.map(\.element)
        return (table, "and \(TextLayout.counted(hidden, "more \(noun)")) \(rest)")
    }

    private func compact(in form: Forms) -> Table {
        let shown = columns.indices.filter { column in
            column == 0
                || rows.contains { row in
                    row.cells[column].parts.contains { part in
                        if case .drawing = part.kind { form == .page } else { !part.text.isEmpty && part.text != "–" }
                    }
                }
        }
        guard shown.count < columns.count else { return self }
        var table = self
        table.columns = shown.map { columns[$0] }
        table.rows = rows.map { row in
            var row = row
            row.cells = shown.map { row.cells[$0] }
            return row
        }
        return table
    }
}

package struct Chart: Sendable {
    typealias Key = (style: String, name: String)

    let caption: Words
    let keys: [Key]
    let plots: [Plot]
    let notes: [Words]

    init(_ caption: Words, keys: [Key] = [], plots: [Plot?], notes: [Words] = []) {
        (self.caption, self.keys, self.plots, self.notes) = (caption, keys, plots.compactMap(\.self), notes)
    }

    init?(_ caption: Words, keys: [Key] = [], _ plot: Plot?) {
        guard plot != nil else { return nil }
        self.init(caption, keys: keys, plots: [plot])
    }
}

package struct Entries: Sendable {
    struct Entry: Sendable {
        var head: Words
        var blocks: [Block?]

        init(_ head: Words, _ blocks: [Block?]) { (self.head, self.blocks) = (head, blocks) }
    }

    var items: [Entry]
    let limits: Limits
    let noun: String
    /// Items that the document does not list.
    var unlisted: Int

    init(_ items: [Entry?], limits: Limits = .none, noun: String = "place", unlisted: Int = 0) {
        self.items = items.compactMap(\.self)
        (self.limits, self.noun, self.unlisted) = (limits, noun, unlisted)
    }

    func shown(in form: Forms) -> (items: ArraySlice<Entry>, more: String?) {
        let shown = items.prefix(limits.most(in: form))
        let hidden = items.count - shown.count + unlisted
        return (shown, hidden > 0 ? "and in \(TextLayout.counted(hidden, "more \(noun)"))" : nil)
    }
}
