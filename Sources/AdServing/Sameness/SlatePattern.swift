/// By what is known that slate plays, where no ad was sold.
///
/// A session's metadata say so in so many words (`slate`). How addresses or creative signalling do no document says: that a
/// path has the piece `slate` is podswarm's assumption, and `pods.slate` says it otherwise.
package struct SlatePattern: Hashable, Sendable {
    /// One way in which slate is told from ads.
    package enum Part: Hashable, Sendable {
        /// By its address.
        case path(PathPattern)
        /// By its id in creative signalling (SVTA 2053-2, `identifiers`).
        case identifier(WildcardText)

        private static let identifierFront = "id:"

        /// Reads pieces of a path, or `id:` and an id; nil for what is neither.
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

        /// As it is written.
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
        var (paths, identifiers): ([PathPattern], [WildcardText]) = ([], [])
        for part in parts {
            switch part {
            case .path(let path): paths.append(path)
            case .identifier(let identifier): identifiers.append(identifier)
            }
        }
        (self.paths, self.identifiers) = (paths, identifiers)
    }

    /// Whether a path has the pieces of any pattern.
    package func isSlate(_ url: String) -> Bool { paths.occur(in: url) }

    /// What of the ads of creative signalling has the id of slate.
    ///
    /// - Parameters:
    ///   - signaling: Of a list, or of one asset.
    ///   - total: The length of what carries it, which items that state none take.
    /// - Returns: How many ads, and how long they are together; never longer than `total`.
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
