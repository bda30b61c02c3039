package struct KnownPersona: Sendable {
    package var persona: Persona
    /// One sentence.
    package var summary: String
    /// Sources by path of a fact or of a section, such as `reload` for all of `reload.…`.
    package let sources: [String: PersonaSource]

    /// In the order of tables.
    package static let all: [KnownPersona] = [strict, hlsjs, media3, shaka, vhs, avplayer, imaGuide, eager]

    package static func named(_ name: String) -> KnownPersona? {
        all.first { $0.persona.name == name }
    }

    /// A key of `sources` is one path, or several with one source.
    init(persona: Persona, summary: String, sources: [String: PersonaSource]) {
        (self.persona, self.summary) = (persona, summary)
        let single = sources.flatMap { paths, source in paths.split(separator: " ").map { (String($0), source) } }
        self.sources = Dictionary(uniqueKeysWithValues: single)
        var paths: [String] = []
        for path in PersonaFact.all.compactMap({ key(of: $0.path) }) where self.sources[path]?.isAssumed ?? false {
            if !paths.contains(path) { paths.append(path) }
        }
        self.persona.unconfirmed = paths
    }

    /// Path in `sources` for a fact: its own, or the nearest section.
    private func key(of path: String) -> String? {
        var rest = path[...]
        while sources[String(rest)] == nil {
            guard let dot = rest.lastIndex(of: ".") else { return nil }
            rest = rest[..<dot]
        }
        return String(rest)
    }

    package func source(of path: String) -> PersonaSource? { key(of: path).flatMap { sources[$0] } }

    package func isUnconfirmed(_ path: String) -> Bool { source(of: path)?.isAssumed ?? false }
}

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
