/// How a fact of a player is known, and from where.
package enum PersonaSource: Sendable, Equatable {
    /// Seen in what the player itself asks for; a test does it again.
    case measured(String)
    /// Read in the player's own source.
    case read(String)
    /// Laid down by a specification, or said by the player's vendor.
    case specified(String)
    /// Nobody has written it down.
    case assumed(String)

    package var kind: String {
        switch self {
        case .measured: "measured"
        case .read: "read"
        case .specified: "specified"
        case .assumed: "assumed"
        }
    }

    /// Versions and places.
    package var text: String {
        switch self {
        case .measured(let text), .read(let text), .specified(let text), .assumed(let text): text
        }
    }

    package var isAssumed: Bool {
        guard case .assumed = self else { return false }
        return true
    }
}
