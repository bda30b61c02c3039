import CTexts

/// A class of a page's style, a colour of a terminal.
package enum Tone: String, Sendable {
    case plain = ""
    case good
    case warn
    case bad
    /// Less important than its surroundings.
    case quiet = "sub"
}

/// How a value is called, from `words.txt`.
struct Wording: Sendable {
    let word: String
    let tone: Tone
    /// Precedes the word in Markdown.
    let sign: String
    let meaning: String

    /// Read once: a list of runs asks for each of its rows.
    private static let rows: [String: Wording] = {
        let lines = String(cString: podswarm_words()).split(separator: "\n")
        let rows = lines.map { line in
            (String(line.prefix { $0 != ":" }), line.drop { $0 != ":" }.dropFirst(2).split(separator: " | "))
        }
        return Dictionary(rows.map { ($0, Wording($1.map(String.init))) }) { $1 }
    }()

    /// A value without a row is called as it is spelt.
    init(_ kind: String, _ value: String) {
        self = Self.rows["\(kind) \(value)"] ?? Wording([value.replacing("_", with: " ")])
    }

    private init(_ filled: [String]) {
        let columns = filled + ["", "", ""]
        let look = columns[1].split(separator: " ").map(String.init)
        (word, tone, meaning) = (columns[0], look.first.flatMap(Tone.init) ?? .plain, columns[2])
        sign = look.count > 1 ? look[1] : tone.look.sign
    }
}

/// Each renderer escapes all of it.
package struct Words: Sendable, Equatable, ExpressibleByStringInterpolation {
    enum Kind: Sendable, Equatable {
        case plain
        case strong
        /// Text to copy or to search for.
        case code
        /// A verdict in a word or two.
        case tag
        case link(address: String)
        /// On pages only.
        case drawing(Markup)
    }

    struct Part: Sendable, Equatable {
        var text: String
        var kind = Kind.plain
        var tone = Tone.plain
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { parts.append(Part(text: literal)) }
        package mutating func appendInterpolation(_ text: some StringProtocol, _ tone: Tone = .plain) {
            parts.append(Part(text: String(text), tone: tone))
        }
        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            parts.append(Part(text: String(number)))
        }
        mutating func appendInterpolation(code: String) { parts.append(Part(text: code, kind: .code)) }
        mutating func appendInterpolation(strong: String, _ tone: Tone = .plain) {
            parts.append(Part(text: strong, kind: .strong, tone: tone))
        }
        mutating func appendInterpolation(tag: String, _ tone: Tone = .plain) {
            parts.append(Part(text: tag, kind: .tag, tone: tone))
        }
        mutating func appendInterpolation(link: String, _ address: String) {
            parts.append(Part(text: link, kind: .link(address: address)))
        }
        mutating func appendInterpolation(_ markup: Markup) { parts.append(Part(text: "", kind: .drawing(markup))) }
        mutating func appendInterpolation(_ words: Words) { parts += words.parts }
    }

    var parts: [Part]

    package init(_ text: String, _ tone: Tone = .plain) { parts = [Part(text: text, tone: tone)] }
    package init(stringLiteral: String) { self.init(stringLiteral) }
    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// The text of a name in `words.txt`.
    static func sentence(_ name: String) -> Words { Words(Wording("sentence", name).word) }
    package static func code(_ text: String) -> Words { "\(code: text)" }
    package static func tag(_ text: String, _ tone: Tone = .plain) -> Words { "\(tag: text, tone)" }
    package static func strong(_ text: String, _ tone: Tone = .plain) -> Words { "\(strong: text, tone)" }
    package static func count(_ number: some BinaryInteger) -> Words { Words(TextLayout.grouped(number)) }
    package static func time(_ microseconds: Int64) -> Words { Words(TimeText.duration(microseconds)) }

    /// Without drawings.
    var text: String { parts.map(\.text).joined() }

    var tone: Tone { parts.first { $0.tone != .plain }?.tone ?? .plain }

    static func + (left: Words, right: Words) -> Words {
        var sum = left
        sum.parts += right.parts
        return sum
    }
}

extension [Words] {
    func joined(separator: String) -> Words {
        reduce(into: Words("")) { sum, next in
            if !sum.text.isEmpty { sum.parts.append(.init(text: separator)) }
            sum.parts += next.parts
        }
    }
}

extension [String: String] {
    /// Such as `release=1.2`, in the order of the names.
    var pairs: [String] { sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
}

extension Optional where Wrapped == String {
    var orDash: Words { Words(self ?? "–") }
}
