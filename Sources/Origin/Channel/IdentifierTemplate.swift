/// How the IDs of a script's interstitials are made: a text with places for number, start and position.
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

    /// What an ID says of its interstitial.
    struct Reading: Equatable {
        var ordinal: Int64?
        var startSeconds: Int64?
        var place: Int64?
    }

    let text: String
    private let pieces: [Piece]

    static let usual = IdentifierTemplate(text: "{start}", pieces: [.start])

    private init(text: String, pieces: [Piece]) { (self.text, self.pieces) = (text, pieces) }

    /// Nil for a text with an unknown place, or with characters that a path would have to escape.
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

    /// The ID of one interstitial.
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

    /// What an ID says; nil for an ID that this template cannot have made.
    ///
    /// A number runs as far as there are digits: who asks must make the ID again and compare.
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
