package enum PersonaSource: Sendable, Equatable {
    /// Observed in the player's own requests; a test repeats it.
    case measured(String)
    /// Read in the player's own source code.
    case read(String)
    /// Defined by a specification, or stated by the player's vendor.
    case specified(String)
    /// Not documented anywhere.
    case assumed(String)

    package var kind: String {
        switch self {
        case .measured: "measured"
        case .read: "read"
        case .specified: "specified"
        case .assumed: "assumed"
        }
    }

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
