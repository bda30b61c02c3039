/// A URL, or another text, with places that are filled for each request, such as `{stream_id}`.
package struct URLTemplate: Hashable, Sendable {
    package enum Placeholder: String, Hashable, Sendable, CaseIterable {
        /// The viewer's number in the run.
        case viewer
        case streamID = "stream_id"
        /// The break's identifier.
        case breakID = "break"
        /// The break's start in epoch seconds.
        case start
        case durationMilliseconds = "duration_ms"
        /// The viewer's primary playback session, a UUID.
        case primaryID = "primary_id"
    }

    private enum Piece: Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let pieces: [Piece]

    /// Reads a URL's template; nil where a brace is not closed or a name is not known.
    package init?(_ text: String) {
        let pieces = Self.pieces(of: text)
        for case .text(let part) in pieces where part.contains("{") || part.contains("}") { return nil }
        self.pieces = pieces
    }

    /// Reads a body's template: braces around anything but a placeholder's name stand for themselves, as JSON needs them.
    package init(body text: String) {
        pieces = Self.pieces(of: text)
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        var plain = ""
        while let opening = rest.firstIndex(of: "{") {
            plain += rest[..<opening]
            let name = rest[rest.index(after: opening)...].prefix { $0 != "}" && $0 != "{" }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == "}",
                let placeholder = Placeholder(rawValue: String(name))
            else {
                plain.append("{")
                rest = rest[rest.index(after: opening)...]
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.placeholder(placeholder))
            rest = rest[rest.index(after: name.endIndex)...]
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }

    /// The placeholders that occur.
    package var placeholders: Set<Placeholder> {
        Set(
            pieces.compactMap { piece in
                guard case .placeholder(let placeholder) = piece else { return nil }
                return placeholder
            }
        )
    }

    /// The text with each placeholder percent-encoded, as it belongs into a URL; what has no value becomes nothing.
    package func url(_ values: [Placeholder: String]) -> String {
        filled { PercentEncoding.encode(values[$0] ?? "") }
    }

    /// The text with each placeholder as it is.
    package func text(_ values: [Placeholder: String]) -> String {
        filled { values[$0] ?? "" }
    }

    /// The text with each placeholder as it belongs between the quotes of a JSON string.
    package func json(_ values: [Placeholder: String]) -> String {
        filled { Self.escaped(values[$0] ?? "") }
    }

    private func filled(_ value: (Placeholder) -> String) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .placeholder(let placeholder): text += value(placeholder)
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
