/// Rules by which slate, played where no ad was sold, is distinguished from ads.
///
/// A session's metadata mark it (`slate`). No document defines it for addresses or creative signaling: that a path has the
/// piece `slate` is podswarm's assumption, and `pods.slate` replaces it.
package struct SlatePattern: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case path(PathPattern)
        /// Id in creative signaling (SVTA 2053-2, `identifiers`).
        case identifier(WildcardText)

        private static let identifierFront = "id:"

        /// Parses pieces of a path, or `id:` and an id; nil for anything else.
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
        var (paths, identifiers): ([PathPattern], [WildcardText]) = ([], [])
        for part in parts {
            switch part {
            case .path(let path): paths.append(path)
            case .identifier(let identifier): identifiers.append(identifier)
            }
        }
        (self.paths, self.identifiers) = (paths, identifiers)
    }

    package func isSlate(_ url: String) -> Bool { paths.occur(in: url) }

    /// Number and total duration of the ads in creative signaling with an id of slate.
    ///
    /// Items without a duration count `total`, the length of the list or asset that carries the signaling; the sum never
    /// exceeds it.
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
