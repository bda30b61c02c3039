/// A class of a page's style, a colour of a terminal.
package enum Tone: String, Sendable {
    case plain = ""
    case good
    case warn
    case bad
    /// Less important than its surroundings.
    case quiet = "sub"
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

        package mutating func appendLiteral(_ literal: String) { append(Part(text: literal)) }
        package mutating func appendInterpolation(_ text: some StringProtocol, _ tone: Tone = .plain) {
            append(Part(text: String(text), tone: tone))
        }
        package mutating func appendInterpolation(_ number: some BinaryInteger) { append(Part(text: String(number))) }
        mutating func appendInterpolation(code: String) { append(Part(text: code, kind: .code)) }
        mutating func appendInterpolation(strong: String, _ tone: Tone = .plain) {
            append(Part(text: strong, kind: .strong, tone: tone))
        }
        mutating func appendInterpolation(tag: String, _ tone: Tone = .plain) {
            append(Part(text: tag, kind: .tag, tone: tone))
        }
        mutating func appendInterpolation(link: String, _ address: String) {
            append(Part(text: link, kind: .link(address: address)))
        }
        mutating func appendInterpolation(_ markup: Markup) { append(Part(text: "", kind: .drawing(markup))) }
        mutating func appendInterpolation(_ words: Words) { parts += words.parts }

        private mutating func append(_ part: Part) { parts.append(part) }
    }

    var parts: [Part]

    package init(_ text: String, _ tone: Tone = .plain) { parts = [Part(text: text, tone: tone)] }
    package init(stringLiteral: String) { self.init(stringLiteral) }
    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    package static func code(_ text: String) -> Words { "\(code: text)" }
    package static func tag(_ text: String, _ tone: Tone = .plain) -> Words { "\(tag: text, tone)" }
    package static func strong(_ text: String, _ tone: Tone = .plain) -> Words { "\(strong: text, tone)" }
    package static func count(_ number: some BinaryInteger) -> Words { Words(TextLayout.grouped(number)) }
    package static func time(_ microseconds: Int64) -> Words { Words(TimeText.duration(microseconds)) }
    static let dash: Words = "–"

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
