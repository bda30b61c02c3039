/// A player that podswarm knows, with the source of each of its facts.
package struct KnownPersona: Sendable {
    package var persona: Persona
    /// What it stands for, in one sentence.
    package var summary: String
    /// Sources by path of a fact or of what is around it, such as `reload` for all of `reload.…`.
    package var sources: [String: String]

    /// All of them, in the order in which tables show them.
    package static let all: [KnownPersona] = [
        strict, hlsjs, media3, shaka, vhs, avplayer, imaGuide, eager,
    ]

    package static func named(_ name: String) -> KnownPersona? {
        all.first { $0.persona.name == name }
    }

    /// Where a fact comes from: the entry for its path, or for the nearest path around it.
    package func source(of path: String) -> String? {
        var rest = path[...]
        while true {
            if let source = sources[String(rest)] { return source }
            guard let dot = rest.lastIndex(of: ".") else { return nil }
            rest = rest[..<dot]
        }
    }

    /// Whether no good source confirms a fact of this player.
    package func isUnconfirmed(_ path: String) -> Bool {
        persona.unconfirmed.contains { path == $0 || path.hasPrefix("\($0).") }
    }
}
