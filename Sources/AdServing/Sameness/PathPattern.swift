/// Pieces of a path that follow each other, with `*` for any text within a piece, such as `/session/*` or `/filler/*-loop`.
package struct PathPattern: Hashable, Sendable {
    private let pieces: [String]

    /// Reads it; nil for a text that names no piece of a path.
    package init?(_ text: String) {
        let pieces = text.split(separator: "/").map(String.init)
        guard !pieces.isEmpty, !text.contains(where: { "?# ".contains($0) }) else { return nil }
        self.pieces = pieces
    }

    init(piece: String) { pieces = [piece] }

    /// As it is written.
    package var text: String { "/" + pieces.joined(separator: "/") }

    /// Whether any piece may be of any text.
    package var hasWildcard: Bool { pieces.contains { $0.contains("*") } }

    /// Whether a path has its pieces anywhere.
    func occurs(in path: [Substring]) -> Bool {
        path.indices.contains { occurs(in: path, at: $0) }
    }

    /// Replaces the pieces of a path that a piece with a wildcard stands for by a `*`.
    func mask(_ path: inout [Substring]) {
        for start in path.indices where occurs(in: path, at: start) {
            for offset in pieces.indices where pieces[offset].contains("*") { path[start + offset] = "*" }
        }
    }

    private func occurs(in path: [Substring], at start: Int) -> Bool {
        guard path.count - start >= pieces.count else { return false }
        return pieces.indices.allSatisfy { Self.piece(path[start + $0], matches: pieces[$0]) }
    }

    /// Whether a text is what a text with `*` for any text says.
    static func piece(_ piece: Substring, matches pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return piece == pattern }
        guard piece.hasPrefix(first), piece.utf8.count >= first.utf8.count + last.utf8.count else { return false }
        var rest = piece.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
