/// Consecutive pieces of a path, such as `/session/*` or `/filler/*-loop`.
package struct PathPattern: Hashable, Sendable {
    private let pieces: [WildcardText]

    package init?(_ text: String) {
        let pieces = text.split(separator: "/").map { WildcardText(String($0)) }
        guard !pieces.isEmpty, !text.contains(where: { "?# ".contains($0) }) else { return nil }
        self.pieces = pieces
    }

    init(piece: String) { pieces = [WildcardText(piece)] }

    package var text: String { "/" + pieces.map(\.text).joined(separator: "/") }

    package var hasWildcard: Bool { pieces.contains(where: \.hasWildcard) }

    /// Bytes of the last piece with a wildcard, or else of the last piece.
    package func place(in path: UnsafeRawBufferPointer) -> Range<Int>? {
        let found = path.split(separator: UInt8(ascii: "/"))
        let own = pieces.lastIndex(where: \.hasWildcard) ?? pieces.count - 1
        let start = found.indices.dropLast(pieces.count - 1).first { start in
            pieces.indices.allSatisfy { pieces[$0].matches(UnsafeRawBufferPointer(rebasing: found[start + $0])) }
        }
        return start.map { found[$0 + own].startIndex..<found[$0 + own].endIndex }
    }

    func mask(_ path: inout [Substring]) {
        for start in path.indices where occurs(in: path, at: start) {
            for offset in pieces.indices where pieces[offset].hasWildcard { path[start + offset] = "*" }
        }
    }

    private func occurs(in path: [Substring], at start: Int) -> Bool {
        guard path.count - start >= pieces.count else { return false }
        return pieces.indices.allSatisfy { pieces[$0].matches(path[start + $0]) }
    }
}

extension [PathPattern] {
    /// The pattern may match the address's host.
    package func occur(in address: String) -> Bool {
        guard !isEmpty else { return false }
        var path = Substring(address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        return path.withUTF8 { bytes in contains { $0.place(in: UnsafeRawBufferPointer(bytes)) != nil } }
    }
}

/// Part of addresses that belongs to a session or a moment, named in a profile.
package enum AddressPattern: Hashable, Sendable {
    case parameter(String)
    case path(PathPattern)

    /// `?name`, or pieces of a path with at least one `*`, such as `/session/*/` or `v-*`.
    package init?(_ text: String) {
        if text.hasPrefix("?") {
            let name = text.dropFirst().lowercased()
            guard !name.isEmpty, !name.contains(where: { "=&?#/ ".contains($0) }) else { return nil }
            self = .parameter(name)
            return
        }
        guard let path = PathPattern(text), path.hasWildcard else { return nil }
        self = .path(path)
    }

    package var text: String {
        switch self {
        case .parameter(let name): "?" + name
        case .path(let pattern): pattern.text
        }
    }
}

/// Text in which each `*` matches any text, such as `SLATE-*`.
package struct WildcardText: Hashable, Sendable {
    package let text: String
    private let parts: [[UInt8]]

    package init(_ text: String) {
        self.text = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    }

    var hasWildcard: Bool { parts.count > 1 }

    func matches(_ other: Substring) -> Bool {
        var other = other
        return other.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }

    func matches(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let first = parts.first, let last = parts.last, hasWildcard else { return other.elementsEqual(text.utf8) }
        guard other.count >= first.count + last.count, other.starts(with: first),
            other.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = other[first.count..<other.count - last.count]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}

/// Distinguishes slate, played where no ad was sold, from ads.
///
/// A piece `slate` in a path is podswarm's assumption, which `pods.slate` replaces.
package struct SlatePattern: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case path(PathPattern)
        /// Id in creative signaling (SVTA 2053-2, `identifiers`).
        case identifier(WildcardText)

        private static let identifierFront = "id:"

        package init?(_ text: String) {
            guard text.hasPrefix(Self.identifierFront) else {
                guard let path = PathPattern(text) else { return nil }
                self = .path(path)
                return
            }
            let identifier = String(text.dropFirst(Self.identifierFront.count))
            guard !identifier.isEmpty else { return nil }
            self = .identifier(WildcardText(identifier))
        }

        package var text: String {
            switch self {
            case .path(let path): path.text
            case .identifier(let identifier): Self.identifierFront + identifier.text
            }
        }
    }

    package static let usual = SlatePattern([.path(PathPattern(piece: "slate"))])

    private let paths: [PathPattern]
    private let identifiers: [WildcardText]

    package init(_ parts: [Part]) {
        paths = parts.compactMap { if case .path(let path) = $0 { path } else { nil } }
        identifiers = parts.compactMap { if case .identifier(let identifier) = $0 { identifier } else { nil } }
    }

    package func isSlate(_ url: String) -> Bool { paths.occur(in: url) }

    /// `total`, the length of what carries the signaling, stands for missing durations and limits the sum.
    package func slate(in signaling: CreativeSignaling?, total: Duration) -> (ads: Int, duration: Duration) {
        var (ads, duration) = (0, Duration.zero)
        for slot in (signaling?.items ?? []).flatMap({ $0.slots.isEmpty ? [$0] : $0.slots })
        where slot.identifiers.contains(where: isSlate(identifier:)) {
            ads += 1
            duration += slot.duration > .zero ? slot.duration : total
        }
        return (ads, min(duration, total))
    }

    private func isSlate(identifier: String) -> Bool { identifiers.contains { $0.matches(identifier[...]) } }
}
