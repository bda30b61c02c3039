import Values

enum Ink: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33

    func on(_ text: String) -> String { text.isEmpty ? "" : "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}

package enum TextLayout {
    /// A word longer than the width is cut.
    static func wrapped(
        _ text: String,
        width: Int,
        indent: String = "",
        hanging: String = "",
        breaksWords: Bool = false
    ) -> [String] {
        let room = width - indent.count - hanging.count
        let lines = WrappedText.lines(printable(text), width: width, first: indent, then: indent + hanging) { word in
            breaksWords && room > 0 ? pieces(of: word, columns: room) : [word]
        }
        return lines.map { cut($0, to: width) }
    }

    /// Breaks behind commas if possible, which separate attributes.
    private static func pieces(of word: Substring, columns: Int) -> [Substring] {
        var pieces: [Substring] = []
        var rest = word
        while rest.count > columns {
            let most = rest.prefix(columns)
            let comma = most.lastIndex(of: ",").map { most.index(after: $0) }
            let end = comma ?? most.endIndex
            pieces.append(rest[..<end])
            rest = rest[end...]
        }
        return pieces + [rest]
    }

    static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : String(text.prefix(max(0, width - 1))) + "…"
    }

    /// Evidence comes from foreign bodies.
    static func printable(_ text: String) -> String { TerminalText.printable(text) }

    /// For example `12,345`.
    package static func grouped(_ number: some BinaryInteger) -> String { GroupedDigits.text(number) }

    /// Only for a plural with s.
    package static func counted(_ number: some BinaryInteger, _ noun: String) -> String {
        GroupedDigits.counted(number, noun)
    }
}

enum Sparkline {
    static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// Keeps noise from looking like a change.
    private static let leastSpan = 0.4

    static func drawn(_ values: [Double?], width: Int) -> String {
        let shown = values.suffix(max(1, width))
        let known = shown.compactMap(\.self)
        guard let low = known.min(), let high = known.max() else { return String(repeating: " ", count: shown.count) }
        let middle = known.sorted()[known.count / 2]
        let span = max(high - low, leastSpan * middle.magnitude)
        let bottom = low - (span - (high - low)) / 2
        return String(
            shown.map { value in
                guard let value else { return " " }
                guard span > 0, span.isFinite else { return bars[0] }
                let step = Int(((value - bottom) / span * Double(bars.count - 1)).rounded())
                return bars[min(max(step, 0), bars.count - 1)]
            }
        )
    }
}
