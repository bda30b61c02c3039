import Values

package struct KnownPersona: Sendable {
    package var persona: Persona
    /// One sentence.
    package var summary: String
    /// Keyed by path of a fact or section, such as `reload` for all of `reload.…`.
    package let sources: [String: PersonaSource]

    /// In the order of tables.
    package static let all: [KnownPersona] = [strict, hlsjs, media3, shaka, vhs, avplayer, imaGuide, eager]

    package static func named(_ name: String) -> KnownPersona? { all.first { $0.persona.name == name } }

    /// A key is one path, or several separated by spaces.
    init(persona: Persona, summary: String, sources: [String: PersonaSource]) {
        (self.persona, self.summary) = (persona, summary)
        let single = sources.flatMap { paths, source in paths.split(separator: " ").map { (String($0), source) } }
        self.sources = Dictionary(uniqueKeysWithValues: single)
        var paths: [String] = []
        for path in PersonaFact.all.compactMap({ key(of: $0.path) }) where self.sources[path]?.isAssumed ?? false {
            if !paths.contains(path) { paths.append(path) }
        }
        self.persona.unconfirmed = paths
        self.persona.player = persona.name
    }

    /// The fact's own path, or the nearest section's.
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

package struct PersonaSource: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// In the player's own requests; a test repeats it.
        case measured
        /// In the player's source code.
        case read
        /// Defined by a specification or the player's vendor.
        case specified
        case assumed
    }

    package let kind: Kind
    package let text: String

    package var isAssumed: Bool { kind == .assumed }

    static func measured(_ text: String) -> Self { Self(kind: .measured, text: text) }
    static func read(_ text: String) -> Self { Self(kind: .read, text: text) }
    static func specified(_ text: String) -> Self { Self(kind: .specified, text: text) }
    static func assumed(_ text: String) -> Self { Self(kind: .assumed, text: text) }
}

/// One row per fact, one column per player.
package struct PersonaTable: Sendable {
    package var personas: [KnownPersona]

    package init(_ personas: [KnownPersona] = KnownPersona.all) { self.personas = personas }

    /// Omits waits before retries if no persona retries.
    private var facts: [PersonaFact] {
        var hidden = ""
        return PersonaFact.all.filter { fact in
            if fact.path.hasSuffix(".retries") {
                let isIdle = personas.allSatisfy { fact.text($0.persona) == "0" }
                hidden = isIdle ? String(fact.path.dropLast("retries".count)) : ""
                return true
            }
            return hidden.isEmpty || !fact.path.hasPrefix(hidden)
        }
    }

    private func cell(_ fact: PersonaFact, _ known: KnownPersona) -> String {
        fact.text(known.persona) + (known.isUnconfirmed(fact.path) ? "*" : "")
    }

    /// The sources of each player follow the table.
    package func markdown() -> String {
        let names = personas.map(\.persona.name)
        var lines = ["| Fact | " + names.map { "`\($0)`" }.joined(separator: " | ") + " |"]
        lines.append("| --- " + String(repeating: "| --- ", count: names.count) + "|")
        for fact in facts {
            lines.append("| `\(fact.path)` | " + personas.map { cell(fact, $0) }.joined(separator: " | ") + " |")
        }
        for known in personas {
            lines += ["", "### `\(known.persona.name)`", "", known.summary, "", "| Facts | Known by | From |"]
            lines.append("| --- | --- | --- |")
            for (path, source) in known.sources.sorted(by: { $0.key < $1.key }) {
                lines.append("| `\(path)` | \(source.kind.rawValue) | \(source.text) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A single persona is listed with the kind and place of each source.
    package func text() -> String {
        guard personas.count != 1, !personas.isEmpty else { return personas.first.map(list) ?? "" }
        let rows =
            [[""] + personas.map(\.persona.name)]
            + facts.map { fact in [fact.path] + personas.map { cell(fact, $0) } }
        return Self.columns(rows) + "\n* no good source confirms it\n"
    }

    private func list(_ known: KnownPersona) -> String {
        let rows = facts.map { fact in
            let source = known.source(of: fact.path)
            return [fact.path, cell(fact, known), source?.kind.rawValue ?? "", source?.text ?? ""]
        }
        return "\(known.persona.name): \(known.summary)\n\n" + Self.columns(rows) + "\n* no good source confirms it\n"
    }

    private static func columns(_ rows: [[String]]) -> String {
        TextColumns.lines(rows, othersFlush: .left)
            .map { String($0.reversed().drop { $0 == " " }.reversed()) }
            .joined(separator: "\n") + "\n"
    }
}
