/// A player that podswarm knows, with the source of each of its facts.
package struct KnownPersona: Sendable {
    package var persona: Persona
    /// What it stands for, in one sentence.
    package var summary: String
    /// Sources by path of a fact or of what is around it, such as `reload` for all of `reload.…`.
    package var sources: [String: PersonaSource]

    /// All of them, in the order in which tables show them.
    package static let all: [KnownPersona] = [strict, hlsjs, media3, shaka, vhs, avplayer, imaGuide, eager]

    package static func named(_ name: String) -> KnownPersona? {
        all.first { $0.persona.name == name }
    }

    init(persona: Persona, summary: String, sources: [String: PersonaSource]) {
        (self.persona, self.summary, self.sources) = (persona, summary, sources)
        var paths: [String] = []
        for path in PersonaFact.all.compactMap({ key(of: $0.path) }) where sources[path]?.isAssumed ?? false {
            if !paths.contains(path) { paths.append(path) }
        }
        self.persona.unconfirmed = paths
    }

    /// The path in the sources that says where a fact comes from: its own, or the nearest around it.
    private func key(of path: String) -> String? {
        var rest = path[...]
        while sources[String(rest)] == nil {
            guard let dot = rest.lastIndex(of: ".") else { return nil }
            rest = rest[..<dot]
        }
        return String(rest)
    }

    /// Where a fact comes from.
    package func source(of path: String) -> PersonaSource? { key(of: path).flatMap { sources[$0] } }

    /// Whether no good source confirms a fact of this player.
    package func isUnconfirmed(_ path: String) -> Bool { source(of: path)?.isAssumed ?? false }
}
