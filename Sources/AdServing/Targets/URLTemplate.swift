import Values

/// A URL or another text with placeholders that each request fills, such as `{stream_id}`.
package struct URLTemplate: Hashable, Sendable {
    /// A name in braces: one of those below, or a trait of the audience.
    package struct Placeholder: Hashable, Sendable {
        package let name: String

        package init(trait name: String) { self.name = name }

        package static let viewer = Placeholder(trait: "viewer")
        package static let streamID = Placeholder(trait: "stream_id")
        package static let breakID = Placeholder(trait: "break")
        package static let start = Placeholder(trait: "start")
        package static let durationMilliseconds = Placeholder(trait: "duration_ms")
        package static let scte35 = Placeholder(trait: "scte35")
        /// The viewer's primary playback session, a UUID.
        package static let primaryID = Placeholder(trait: "primary_id")

        /// Placeholders with a fixed meaning.
        package static let own = [viewer, streamID, breakID, start, durationMilliseconds, scte35, primaryID]
    }

    private enum Piece: Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let pieces: [Piece]

    /// Parses a URL's template; nil for an unclosed brace or an unknown name.
    package init?(_ text: String, traits: some Collection<String> = []) {
        let pieces = Self.pieces(of: text, traits: Set(traits))
        for case .text(let part) in pieces where part.contains("{") || part.contains("}") { return nil }
        self.pieces = pieces
    }

    /// Parses a body's template: other text in braces is kept, as JSON needs it.
    package init(body text: String, traits: some Collection<String> = []) {
        pieces = Self.pieces(of: text, traits: Set(traits))
    }

    private static func pieces(of text: String, traits: Set<String>) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        var plain = ""
        while let opening = rest.firstIndex(of: "{") {
            plain += rest[..<opening]
            let found = rest[rest.index(after: opening)...].prefix { $0 != "}" && $0 != "{" }
            let name = String(found)
            guard found.endIndex < rest.endIndex, rest[found.endIndex] == "}",
                traits.contains(name) || Placeholder.own.contains(where: { $0.name == name })
            else {
                plain.append("{")
                rest = rest[rest.index(after: opening)...]
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.placeholder(Placeholder(trait: name)))
            rest = rest[rest.index(after: found.endIndex)...]
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }

    package var placeholders: Set<Placeholder> {
        Set(
            pieces.compactMap { piece in
                guard case .placeholder(let placeholder) = piece else { return nil }
                return placeholder
            }
        )
    }

    /// Percent-encodes each value; missing values become empty.
    package func url(_ values: [Placeholder: String]) -> String {
        filled { PercentEncoding.encode(values[$0] ?? "") }
    }

    package func text(_ values: [Placeholder: String]) -> String {
        filled { values[$0] ?? "" }
    }

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
                result += "\\u" + scalar.value.hexadecimal(digits: 4)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
