/// A URL, or another text, with places that are filled for each request, such as `{stream_id}`.
package struct URLTemplate: Hashable, Sendable {
    /// What a name in braces stands for: one of those below, or a trait of the audience.
    package struct Placeholder: Hashable, Sendable {
        package let name: String

        package init(trait name: String) { self.name = name }

        /// The viewer's number in the run.
        package static let viewer = Placeholder(trait: "viewer")
        package static let streamID = Placeholder(trait: "stream_id")
        /// The break's identifier.
        package static let breakID = Placeholder(trait: "break")
        /// The break's start in epoch seconds.
        package static let start = Placeholder(trait: "start")
        package static let durationMilliseconds = Placeholder(trait: "duration_ms")
        /// The break's splice.
        package static let scte35 = Placeholder(trait: "scte35")
        /// The viewer's primary playback session, a UUID.
        package static let primaryID = Placeholder(trait: "primary_id")

        /// Those that mean the same in every profile.
        package static let own = [viewer, streamID, breakID, start, durationMilliseconds, scte35, primaryID]
    }

    private enum Piece: Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let pieces: [Piece]

    /// Reads a URL's template; nil where a brace is not closed or a name is not known.
    ///
    /// - Parameters:
    ///   - text: As a profile writes it.
    ///   - traits: Names of the audience's traits.
    package init?(_ text: String, traits: some Collection<String> = []) {
        let pieces = Self.pieces(of: text, traits: Set(traits))
        for case .text(let part) in pieces where part.contains("{") || part.contains("}") { return nil }
        self.pieces = pieces
    }

    /// Reads a body's template: braces around anything but a placeholder's name stand for themselves, as JSON needs them.
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
