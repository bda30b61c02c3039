/// Built once; text, Markdown and HTML are renderings of it.
struct Page: Sendable {
    /// Title of the window.
    var title: String
    /// Name within the page.
    var name: String
    /// Whether the heading of its Markdown has the name.
    var isNamed = true
    var facts: [String]
    var verdict: Verdict
    /// To be read before the figures.
    var caveats: [Words] = []
    /// Figures of the verdict, for pages.
    var opening: [Block] = []
    var sections: [Section]
    var verdictLink = "Verdict"
    var version: String

    struct Link: Sendable {
        var anchor: String
        var title: String
    }

    var links: [Link] {
        [Link(anchor: "verdict", title: verdictLink)]
            + sections.filter { $0.isShown(in: .page) }.compactMap { section in
                section.link.map { Link(anchor: section.anchor, title: $0) }
            }
    }
}

struct Verdict: Sendable {
    var word: String
    var tone: Tone
    var meaning: String
    /// Whether the word is unclear without its meaning.
    var needsMeaning = false
    var exitCode: Int?
    var reasons: [Words]
    /// Precedes the word in Markdown.
    var sign: String

    init(
        _ word: String,
        _ tone: Tone,
        _ meaning: String,
        needsMeaning: Bool = false,
        exitCode: Int? = nil,
        reasons: [String] = [],
        sign: String? = nil
    ) {
        (self.word, self.tone, self.meaning, self.needsMeaning) = (word, tone, meaning, needsMeaning)
        (self.exitCode, self.reasons) = (exitCode, reasons.map { Words($0) })
        self.sign = sign ?? tone.sign
    }

    var line: String {
        guard needsMeaning else { return word }
        let sentence = meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning
        let first = sentence.prefix(1)
        return "\(word): " + first.lowercased() + sentence.dropFirst()
    }
}

extension Tone {
    /// For forms without colours.
    var sign: String {
        switch self {
        case .good: "✅"
        case .warn: "⚠️"
        case .bad: "❌"
        case .plain, .quiet: ""
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
    var blocks: [Block]

    package init(
        _ anchor: String,
        _ title: String,
        link: String? = nil,
        summary: Words? = nil,
        forms: Forms = .all,
        isFolded: Bool = false,
        _ blocks: [Block?] = []
    ) {
        (self.anchor, self.title, self.link, self.summary) = (anchor, title, link, summary)
        (self.forms, self.isFolded, self.blocks) = (forms, isFolded, blocks.compactMap(\.self))
    }

    func isShown(in form: Forms) -> Bool {
        forms.contains(form) && (summary != nil || blocks.contains { $0.forms.contains(form) })
    }
}

package struct Block: Sendable {
    indirect enum Content: Sendable {
        case heading(String, Words?)
        case paragraph(Words, Style)
        case list([Words], limit: Limits)
        case figures([Figure])
        case facts([Fact], limit: Limits)
        case table(Table)
        case share(ShareBar)
        case charts([Chart], Layout)
        case headline(big: Words, [Block])
        case entries(Entries)
        case folded(Words, isOpen: Bool, [Block])
        /// Side by side on a wide page.
        case beside([[Block]], Layout)
        /// Lines of terminal characters within a width.
        case typed(@Sendable (_ width: Int) -> [String])
        case markup(Markup)
    }

    enum Style: String, Sendable {
        case lead
        case sub
        case claim
        case alarm = "reasons"
        case legend
    }

    enum Layout: String, Sendable {
        case stack
        case half = "stack half"
        case kinds
        case pairs = "kinds pairs"
        case drifts
        case cards
        case columns
    }

    var content: Content
    var forms = Forms.all

    func only(_ forms: Forms) -> Block { Block(content: content, forms: self.forms.intersection(forms)) }

    static func heading(_ title: String, _ summary: Words? = nil) -> Block { .init(content: .heading(title, summary)) }
    static func paragraph(_ words: Words, _ style: Style = .sub) -> Block { .init(content: .paragraph(words, style)) }
    package static func said(_ text: String, _ tone: Tone = .plain) -> Block { .paragraph(Words(text, tone)) }
    package static func list(_ items: [Words], limit: Limits = .none) -> Block? {
        items.isEmpty ? nil : .init(content: .list(items, limit: limit))
    }
    static func figures(_ figures: [Figure]) -> Block { .init(content: .figures(figures)) }
    static func facts(_ facts: [Fact], limit: Limits = .none) -> Block? {
        facts.isEmpty ? nil : .init(content: .facts(facts, limit: limit))
    }
    static func table(_ table: Table) -> Block? { table.rows.isEmpty ? nil : .init(content: .table(table)) }
    package static func table(
        name: String,
        columns: [Table.Column],
        rows: [Table.Row],
        limits: Limits = .none,
        noun: String = "row",
        rest: String = "in the result"
    ) -> Block? {
        .table(Table(name: name, columns: columns, rows: rows, limits: limits, noun: noun, rest: rest))
    }
    static func share(_ bar: ShareBar) -> Block { .init(content: .share(bar)) }
    static func charts(_ charts: [Chart?], _ layout: Layout = .stack) -> Block? {
        let charts = charts.compactMap(\.self)
        return charts.isEmpty ? nil : .init(content: .charts(charts, layout), forms: .page)
    }
    static func entries(_ entries: Entries) -> Block? {
        entries.items.isEmpty ? nil : .init(content: .entries(entries))
    }
    static func entries(items: [Entries.Entry], limits: Limits = .none, noun: String = "place") -> Block? {
        .entries(Entries(items: items, limits: limits, noun: noun))
    }
    static func folded(_ title: Words, isOpen: Bool = false, _ blocks: [Block?]) -> Block? {
        let blocks = blocks.compactMap(\.self)
        return blocks.isEmpty ? nil : .init(content: .folded(title, isOpen: isOpen, blocks))
    }
    static func beside(_ parts: [[Block?]], _ layout: Layout = .columns) -> Block {
        .init(content: .beside(parts.map { $0.compactMap(\.self) }, layout))
    }
    package static func typed(_ lines: @escaping @Sendable (_ width: Int) -> [String]) -> Block {
        .init(content: .typed(lines), forms: .text)
    }
    static func markup(_ markup: Markup) -> Block { .init(content: .markup(markup), forms: .page) }
}

package struct Limits: Sendable {
    var text = Int.max
    var markdown = Int.max
    var page = Int.max

    package static let none = Limits()

    func most(in form: Forms) -> Int { form == .text ? text : form == .markdown ? markdown : page }
}

struct Figure: Sendable {
    var label: String
    var value: String
    var note = ""
    var tone = Tone.plain
}

struct Fact: Sendable {
    var name: String
    var value: Words

    init(_ name: String, _ value: Words) { (self.name, self.value) = (name, value) }
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
    }

    package struct Row: Sendable {
        var cells: [Words]
        /// Higher ranks are shown if not all rows fit.
        var rank = 0.0
        /// A page shows them below the row.
        var details: [Block] = []

        package init(_ cells: [Words], rank: Double = 0, details: [Block] = []) {
            (self.cells, self.rank, self.details) = (cells, rank, details)
        }
    }

    var name: String
    var columns: [Column]
    var rows: [Row]
    var limits = Limits.none
    /// Noun for a row, in the sentence on hidden rows.
    var noun = "row"
    /// End of the sentence on hidden rows.
    var rest = "in the result"
    /// Sentences, which a terminal shows row by row.
    var isProse = false

    /// Keeps the rows' order.
    func shown(in form: Forms) -> (rows: [Row], hidden: Int) {
        let most = limits.most(in: form)
        guard rows.count > most else { return (rows, 0) }
        let ranked = rows.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
        let shown = ranked.prefix(most).sorted { $0.offset < $1.offset }.map(\.element)
        return (shown, rows.count - most)
    }

    func more(_ hidden: Int) -> String? {
        hidden > 0 ? "and \(TextLayout.counted(hidden, "more \(noun)")) \(rest)" : nil
    }
}

struct Chart: Sendable {
    struct Key: Sendable {
        var style: String
        var name: String
    }

    var caption: Words
    var keys: [Key] = []
    var plots: [Plot]
    var notes: [Words] = []
}

extension Chart {
    init?(_ caption: Words, keys: [Key] = [], _ plot: Plot?) {
        guard let plot else { return nil }
        self.init(caption: caption, keys: keys, plots: [plot])
    }
}

struct Entries: Sendable {
    struct Entry: Sendable {
        var head: Words
        var blocks: [Block]

        init(_ head: Words, _ blocks: [Block?]) { (self.head, self.blocks) = (head, blocks.compactMap(\.self)) }
    }

    var items: [Entry]
    var limits = Limits.none
    var noun = "place"
    /// Items that the document does not list.
    var unlisted = 0

    func shown(in form: Forms) -> (items: ArraySlice<Entry>, more: String?) {
        let shown = items.prefix(limits.most(in: form))
        let hidden = items.count - shown.count + unlisted
        return (shown, hidden > 0 ? "and in \(TextLayout.counted(hidden, "more \(noun)"))" : nil)
    }
}
