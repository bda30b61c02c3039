import Values

/// Template of the IDs of a script's interstitials.
///
/// `{n}` is the ordinal since the Unix epoch, `{start}` the start in whole seconds since then, `{i}` the position among
/// interstitials that start together. An ID that names the occasion is never used twice (bis-22 4.4.5.1).
struct IdentifierTemplate: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case literal(String)
        case ordinal
        case start
        case place
    }

    struct Reading: Equatable {
        var ordinal: Int64?
        var startSeconds: Int64?
        var place: Int64?
    }

    let text: String
    private let pieces: [Piece]

    static let usual = IdentifierTemplate(text: "{start}", pieces: [.start])

    private init(text: String, pieces: [Piece]) { (self.text, self.pieces) = (text, pieces) }

    /// Nil for a text with an unknown placeholder, or with characters that a path must escape.
    init?(_ text: String) {
        self.text = text
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            if open > rest.startIndex { pieces.append(.literal(String(rest[..<open]))) }
            switch rest[rest.index(after: open)..<close] {
            case "n": pieces.append(.ordinal)
            case "start": pieces.append(.start)
            case "i": pieces.append(.place)
            default: return nil
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        let isPlain = pieces.allSatisfy { piece in
            guard case .literal(let text) = piece else { return true }
            return text.utf8.allSatisfy(\.isUnreserved)
        }
        guard isPlain, !pieces.isEmpty, text.utf8.count <= 128 else { return nil }
        self.pieces = pieces
    }

    var namesOccasion: Bool { pieces.contains(.ordinal) || pieces.contains(.start) }

    var namesPlace: Bool { pieces.contains(.place) }

    func identifier(ordinal: Int, start: Int64, place: Int) -> String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .ordinal: String(ordinal)
            case .start: String(start)
            case .place: String(place)
            }
        }.joined()
    }

    /// Parses an ID; nil for one that this template cannot have made.
    ///
    /// A number extends over all digits, so that the caller must make the ID again and compare.
    func read(_ identifier: some StringProtocol) -> Reading? {
        var reading = Reading()
        var rest = Array(identifier.utf8)[...]
        for piece in pieces {
            if case .literal(let text) = piece {
                guard rest.starts(with: text.utf8) else { return nil }
                rest = rest.dropFirst(text.utf8.count)
                continue
            }
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
            rest = rest.dropFirst(digits.count)
            switch piece {
            case .ordinal: reading.ordinal = number
            case .start: reading.startSeconds = number
            default: reading.place = number
            }
        }
        return rest.isEmpty ? reading : nil
    }
}
