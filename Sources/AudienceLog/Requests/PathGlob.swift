/// Pieces of a path that follow each other, with `*` for any text within a piece, such as `/live/*/audio`.
///
/// The same that a profile calls so, over bytes: a log has millions of paths.
package struct PathGlob: Sendable, Equatable {
    private struct Piece: Sendable, Equatable {
        /// What lies between the wildcards; one part where there are none.
        var parts: [[UInt8]]
        var hasWildcard: Bool { parts.count > 1 }
    }

    /// As it is written.
    package let text: String
    private let pieces: [Piece]

    /// Reads it; nil for a text that names no piece of a path.
    package init?(_ text: String) {
        guard !text.utf8.contains(where: { "?# ".utf8.contains($0) }) else { return nil }
        pieces = text.utf8.split(separator: UInt8(ascii: "/"))
            .map { piece in
                Piece(
                    parts: piece.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
                )
            }
        guard !pieces.isEmpty else { return nil }
        self.text = text
    }

    /// Whether it has a piece that may be of any text.
    package var hasWildcard: Bool { pieces.contains(where: \.hasWildcard) }

    /// Whether a path has its pieces anywhere.
    func occurs(in path: LineBytes) -> Bool { match(in: path) != nil }

    /// The piece of a path that the last piece with a wildcard stands for; nil where the path does not have the pieces.
    func match(in path: LineBytes) -> LineBytes? {
        var start = 0
        while start < path.count {
            if path[start] == UInt8(ascii: "/") { start += 1 }
            if let found = match(in: path, at: start) { return found }
            guard let slash = path.place(of: UInt8(ascii: "/"), from: start) else { return nil }
            start = slash
        }
        return nil
    }

    private func match(in path: LineBytes, at start: Int) -> LineBytes? {
        var start = start
        var found = LineBytes.nothing
        for piece in pieces {
            guard start < path.count else { return nil }
            let end = path.place(of: UInt8(ascii: "/"), from: start) ?? path.count
            let candidate = path.part(start, end)
            guard !candidate.isEmpty, Self.matches(piece, candidate) else { return nil }
            if piece.hasWildcard { found = candidate }
            start = end + 1
        }
        return found
    }

    private static func matches(_ piece: Piece, _ text: LineBytes) -> Bool {
        guard piece.hasWildcard, let first = piece.parts.first, let last = piece.parts.last else {
            return text.isEqual(to: piece.parts[0])
        }
        guard text.count >= first.count + last.count, text.prefix(first.count).elementsEqual(first),
            text.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = first.count
        let end = text.count - last.count
        for part in piece.parts.dropFirst().dropLast() where !part.isEmpty {
            while rest + part.count <= end, !text[rest..<rest + part.count].elementsEqual(part) { rest += 1 }
            guard rest + part.count <= end else { return false }
            rest += part.count
        }
        return true
    }
}
